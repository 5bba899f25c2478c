package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/referee/textui"
)

// asking is a game that asks people which side they want, or seats two of them.
type asking struct {
	luzhanqi.Game
	shared   bool
	question string
}

func (a asking) SharedScreen() bool   { return a.shared }
func (a asking) SideQuestion() string { return a.question }

func (asking) ReadSide(line string) (game.Side, error) {
	switch line {
	case "first":
		return game.First, nil
	case "second":
		return game.Second, nil
	}
	return 0, fmt.Errorf("%q: allowed are first and second", line)
}

func (asking) PersonEnd([2]bool, [2]string, game.DrawStyle) game.PersonEnd { return nil }

// TestSeats: who sits where, by the flags, by what the game asks, and by how many people play.
func TestSeats(t *testing.T) {
	ask := asking{question: "first or second? "}
	for name, c := range map[string]struct {
		command playCommand
		game    game.Game
		typed   []string
		side    game.Side
		shared  bool
		printed string
		err     error
	}{
		"a usual game":       {game: luzhanqi.Game{}},
		"a side":             {command: playCommand{Side: "2"}, game: ask, side: game.Second},
		"asked":              {game: ask, typed: []string{"second"}, side: game.Second, printed: "first or second? "},
		"asked again":        {game: ask, typed: []string{"x", "first"}, printed: "first or second? \"x\": allowed are first and second\nfirst or second? "},
		"leaves":             {game: ask, typed: []string{"Quit"}, printed: "first or second? ", err: textui.ErrLeft},
		"ends":               {game: ask, printed: "first or second? \n", err: textui.ErrLeft},
		"two people":         {game: asking{shared: true, question: "no"}, shared: true},
		"one, named":         {command: playCommand{Against: "random"}, game: asking{shared: true}},
		"two people, a side": {command: playCommand{Side: "1"}, game: asking{shared: true}, shared: true, err: failure{}},
		"two, a set-up":      {command: playCommand{SetUp: "random"}, game: asking{shared: true}, shared: true, err: failure{}},
	} {
		lines := make(chan string, len(c.typed))
		for _, line := range c.typed {
			lines <- line
		}
		close(lines)
		var out bytes.Buffer
		side, shared, err := c.command.seat(context.Background(), c.game, &textui.Terminal{Lines: lines, Out: &out})
		var f failure
		refused := errors.As(err, &f) && f.code == exitUsage
		if _, want := c.err.(failure); side != c.side || shared != c.shared || out.String() != c.printed || refused != want || !want && !errors.Is(err, c.err) {
			t.Errorf("%s: side %v, shared %v, %q, %v", name, side, shared, out.String(), err)
		}
	}
}
