package referee

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/player"
	"luzhanqi/text"
)

// person is the seat of a person at a terminal. No clock runs for a person.
type person struct {
	*sitting
	game   game.Game
	side   game.Side
	end    game.PersonEnd
	coach  player.Coach // may be nil
	setUp  string       // given beforehand; empty: it is asked for
	random *rand.Rand
	after  <-chan struct{} // closed when the set-up can be asked for; nil: at once
	done   chan<- struct{} // to be closed when it was given; nil: nobody waits
	mute   bool            // another seat at the same terminal prints what happens
	offers []game.SetUp    // shown, to be chosen by their numbers
}

// Tell prints what has happened. What was refused concerns this seat only.
func (s *person) Tell(e game.Event, v game.View) {
	if v == nil || s.mute && e.Kind != game.EventIllegal {
		return
	}
	replaying := s.replaying() // its board is followed by others at once
	switch e.Kind {
	case game.EventTurn, game.EventMoved:
		if said := s.end.Tell(e, v); said != "" && !replaying {
			s.Terminal.Show(said)
		}
	case game.EventIllegal:
		fmt.Fprint(s.Terminal.Out, s.end.Tell(e, v))
	}
}

// Ask asks until there is an answer that can be read; the loop finds out whether it is legal.
func (s *person) Ask(ctx context.Context, q Question) (game.Answer, *Foul) {
	if q.Kind == game.AnswerSetUp {
		return s.askSetUp(ctx)
	}
	for {
		line, ok := s.Terminal.Ask(ctx, s.end.Prompt(q.View))
		if !ok {
			return game.Answer{}, s.left(ctx)
		}
		if strings.TrimSpace(line) == "" {
			s.Terminal.Again()
			continue
		}
		switch a, foul, is := s.command(ctx, line, q.View); is {
		case answerCommand:
			return a, foul
		case otherCommand:
			continue
		}
		m, err := s.end.ReadMove(line, q.View)
		if err == nil {
			return game.Answer{Kind: game.AnswerMove, Move: m}, nil
		}
		fmt.Fprint(s.Terminal.Out, s.end.Unreadable(err))
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
	if s.setUp != "" {
		if setUp, err := s.readSetUp(s.setUp); err != nil {
			fmt.Fprintln(s.Terminal.Out, text.Sentence(err.Error()))
		} else {
			return game.Answer{Kind: game.AnswerSetUp, SetUp: setUp}, nil
		}
	}
	s.offer()
	choices := "Enter: a random one; ?: help"
	if n := len(s.offers); n > 0 {
		choices = fmt.Sprintf("1 to %d; Enter: 1; ?: help", n)
	}
	for {
		line, ok := s.Terminal.Ask(ctx, fmt.Sprintf("Player %v, your set-up (%s): ", s.side, choices))
		if !ok {
			return game.Answer{}, s.left(ctx)
		}
		switch a, foul, is := s.command(ctx, line, nil); is {
		case answerCommand:
			return a, foul
		case otherCommand:
			continue
		}
		setUp, err := s.readSetUp(line)
		if err == nil {
			return game.Answer{Kind: game.AnswerSetUp, SetUp: setUp}, nil
		}
		fmt.Fprintln(s.Terminal.Out, text.Sentence(err.Error()))
	}
}

func (*person) Close(time.Duration) Postmortem { return Postmortem{} }

// readSetUp reads what a person types for a set-up: nothing, random, the number of one that is offered, @ and a file, or
// the set-up itself.
func (s *person) readSetUp(line string) (game.SetUp, error) {
	line = strings.TrimSpace(line)
	number, numeric := strconv.Atoi(line)
	switch {
	case strings.EqualFold(line, "random"), line == "" && len(s.offers) == 0:
		return s.game.RandomSetUp(s.random), nil
	case line == "":
		return s.offers[0], nil
	case numeric == nil && len(s.offers) > 0:
		if number < 1 || number > len(s.offers) {
			return "", fmt.Errorf("set-up %d: allowed are 1 to %d", number, len(s.offers))
		}
		return s.offers[number-1], nil
	}
	return ReadSetUp(s.game, line)
}

// maxSetUpFile bounds the file of a set-up, which takes some hundred bytes.
const maxSetUpFile = 64 << 10

// ReadSetUp reads a legal set-up as people give one: itself, or @ and the name of a file that holds it.
func ReadSetUp(g game.Game, given string) (game.SetUp, error) {
	if file, is := strings.CutPrefix(given, "@"); is {
		info, err := os.Stat(file)
		switch {
		case err != nil:
			return "", fmt.Errorf("set-up from a file: %w", err)
		case !info.Mode().IsRegular() || info.Size() > maxSetUpFile:
			return "", fmt.Errorf("set-up from a file: %s is no regular file of at most %d bytes", file, maxSetUpFile)
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return "", fmt.Errorf("set-up from a file: %w", err)
		}
		given = string(content)
	}
	setUp, err := g.ParseSetUp(given)
	if err == nil {
		err = g.CheckSetUp(setUp)
	}
	return setUp, err
}

// offer shows good set-ups side by side, to be chosen by their numbers.
func (s *person) offer() {
	if s.Offers == nil || s.sitting.Coach == nil {
		return
	}
	coach := s.sitting.Coach(s.side)
	if coach == nil {
		return
	}
	var rows []string
	for i, setUp := range s.Offers(s.side) {
		sketch := coach.Sketch(setUp)
		if len(sketch) == 0 {
			return
		}
		if rows == nil {
			rows = make([]string, len(sketch)+1)
		}
		s.offers = append(s.offers, setUp)
		for line, letters := range append([]string{strconv.Itoa(i + 1)}, sketch...) {
			rows[line] += fmt.Sprintf("   %-*s", len(sketch[0]), letters)
		}
	}
	fmt.Fprintf(s.Terminal.Out, "Set-ups to choose from, the front row first:\n\n%s\n\n", strings.Join(rows, "\n"))
}
