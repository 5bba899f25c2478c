package check

import (
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"luzhanqi/game"
)

// misbehaviour names what a probe does instead of playing on.
type misbehaviour string

// The misbehaviours. The empty one is to play honestly to the end.
const (
	resigns      misbehaviour = "resigns"
	cheats       misbehaviour = "plays an illegal move"
	garbles      misbehaviour = "answers what cannot be read"
	falls        misbehaviour = "falls silent"
	crashes      misbehaviour = "crashes"
	closes       misbehaviour = "closes its output"
	floods       misbehaviour = "floods its output"
	floodsStderr misbehaviour = "floods its standard error"
	misplaces    misbehaviour = "gives an illegal set-up"
	stays        misbehaviour = "does not exit after the end"
)

// behaviour says when a probe does it: at its n-th turn, or at turn 0, its set-up.
type behaviour struct {
	Does misbehaviour `json:"does,omitempty"`
	Turn int          `json:"turn"`
}

// lifetime bounds a probe that its referee leaves running.
const lifetime = 3 * time.Minute

func (b behaviour) now(turn int) bool {
	return b.Does != "" && b.Does != stays && b.Turn == turn
}

// misbehave does it; an answer that is to be given is returned.
func (p *probe) misbehave() (answer []byte, err error) {
	switch p.spec.Behaviour.Does {
	case resigns:
		p.resigned = true
		return p.PlayerEnd.Say(game.Answer{Kind: game.AnswerResign}), nil
	case cheats:
		m, ok := illegalMove(p.game, p.View(), p.seen)
		if !ok {
			return nil, fmt.Errorf("no illegal move of %s is found", p.game.Name())
		}
		return p.PlayerEnd.Say(game.Answer{Kind: game.AnswerMove, Move: m}), nil
	case garbles:
		return []byte(")?!(\n"), nil
	case misplaces:
		s, err := wrongSetUp(p.game, p.player.SetUp(p.random))
		return p.PlayerEnd.Say(game.Answer{Kind: game.AnswerSetUp, SetUp: s}), err
	case falls:
		linger()
	case crashes:
		panic("this probe was told to crash")
	case closes:
		os.Stdout.Close()
		linger()
	case floods:
		pour(os.Stdout)
	case floodsStderr:
		pour(os.Stderr)
	case stays:
	}
	return nil, nil
}

// linger does nothing until this process is killed, or its lifetime is over.
func linger() {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)
	time.Sleep(lifetime)
	os.Exit(1)
}

func pour(out *os.File) {
	signal.Ignore(syscall.SIGPIPE)
	noise := []byte(strings.Repeat("this probe was told to make noise\n", 1<<10))
	for {
		if _, err := out.Write(noise); err != nil {
			linger()
		}
	}
}

// illegalMove finds a move that can be written and is illegal, between squares that some move, of now or seen
// earlier, leaves or enters. First it tries to stand still, which few games allow: where pieces are placed, it is
// how to write a move to an empty square.
func illegalMove(g game.Game, v game.View, seen []game.Move) (game.Move, bool) {
	legal := v.Moves(nil)
	var squares []game.Square
	for _, m := range slices.Concat(legal, seen) {
		squares = append(squares, m.From, m.To)
	}
	wrong := func(m game.Move) bool {
		back, err := g.ParseMove(g.FormatMove(m))
		return err == nil && back == m && !slices.Contains(legal, m)
	}
	for _, s := range squares {
		if m := (game.Move{From: s, To: s}); wrong(m) {
			return m, true
		}
	}
	for _, from := range squares {
		for _, to := range squares {
			if m := (game.Move{From: from, To: to}); wrong(m) {
				return m, true
			}
		}
	}
	return game.Move{}, false
}

// wrongSetUp changes a legal set-up by one character, so that it can be read and is illegal.
func wrongSetUp(g game.Game, legal game.SetUp) (game.SetUp, error) {
	for i := range legal {
		for j := range legal {
			text := string(legal[:i]) + string(legal[j:j+1]) + string(legal[i+1:])
			if s, err := g.ParseSetUp(text); err == nil && g.CheckSetUp(s) != nil {
				return s, nil
			}
		}
	}
	return "", fmt.Errorf("no illegal set-up of %s is found near %q", g.Name(), legal)
}
