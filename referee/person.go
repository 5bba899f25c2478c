package referee

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"luzhanqi/game"
)

// person is the seat of a person at a terminal. No clock runs for a person.
type person struct {
	terminal *Terminal
	game     game.Game
	side     game.Side
	end      game.PersonEnd
	setUp    string // given beforehand; empty: it is asked for
	random   *rand.Rand
	after    <-chan struct{} // closed when the set-up can be asked for; nil: at once
	done     chan<- struct{} // to be closed when it was given; nil: nobody waits
	mute     bool            // another seat at the same terminal prints what happens
	save     func(file string) error
}

// Tell prints what has happened. What was refused concerns this seat only.
func (s *person) Tell(e game.Event, v game.View) {
	if v == nil || s.mute && e.Kind != game.EventIllegal {
		return
	}
	switch e.Kind {
	case game.EventTurn, game.EventMoved, game.EventIllegal:
		fmt.Fprint(s.terminal.Out, s.end.Tell(e, v))
	}
}

// Ask asks until there is an answer that can be read; the loop finds out whether it is legal.
func (s *person) Ask(ctx context.Context, q Question) (game.Answer, *Foul) {
	if q.Kind == game.AnswerSetUp {
		return s.askSetUp(ctx)
	}
	for {
		line, ok := s.terminal.Ask(ctx, s.end.Prompt(q.View))
		if !ok {
			return game.Answer{}, s.left(ctx)
		}
		if strings.TrimSpace(line) == "" {
			continue // asked again, without a word
		}
		switch a, foul, is := s.command(ctx, line, func() string { return s.legal(q.View) }); is {
		case answerCommand:
			return a, foul
		case otherCommand:
			continue
		}
		m, err := s.end.ReadMove(line, q.View)
		if err == nil {
			return game.Answer{Kind: game.AnswerMove, Move: m}, nil
		}
		fmt.Fprint(s.terminal.Out, s.end.Unreadable(err))
	}
}

// left is the foul for a person who quits.
func (s *person) left(ctx context.Context) *Foul {
	if ctx.Err() != nil {
		return interrupted(ctx)
	}
	return voided(ByPerson, "player %v left the game", s.side)
}

// askSetUp asks for a legal set-up.
func (s *person) askSetUp(ctx context.Context) (game.Answer, *Foul) {
	if s.done != nil {
		defer close(s.done)
	}
	if s.after != nil {
		<-s.after
	}
	line, ok := s.setUp, true
	for asked := s.setUp != ""; ; asked = false {
		if !asked {
			line, ok = s.terminal.Ask(ctx, fmt.Sprintf("Player %v, your set-up (Enter: a random one; ?: help): ", s.side))
		}
		if !ok {
			return game.Answer{}, s.left(ctx)
		}
		if word := strings.TrimSpace(line); line == "" || strings.EqualFold(word, "random") {
			return game.Answer{Kind: game.AnswerSetUp, SetUp: s.game.RandomSetUp(s.random)}, nil
		}
		switch a, foul, is := s.command(ctx, line, s.setUps); is {
		case answerCommand:
			return a, foul
		case otherCommand:
			continue
		}
		setUp, err := s.game.ParseSetUp(line)
		if err == nil {
			err = s.game.CheckSetUp(setUp)
		}
		if err == nil {
			return game.Answer{Kind: game.AnswerSetUp, SetUp: setUp}, nil
		}
		fmt.Fprintln(s.terminal.Out, sentence(err.Error()))
	}
}

func (*person) Close(time.Duration) Postmortem { return Postmortem{} }
