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

// commandKind says whether a line is a command, and whether it answers the question.
type commandKind uint8

const (
	noCommand     commandKind = iota // but a move or a set-up
	otherCommand                     // that was obeyed, and is no answer
	answerCommand                    // that answers the question, or ends the game by a foul
)

// command obeys the words that mean the same in every game.
func (s *person) command(ctx context.Context, line string, help func() string) (a game.Answer, foul *Foul, is commandKind) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch strings.ToLower(word) {
	case "?", "help":
		fmt.Fprint(s.terminal.Out, help())
	case "resign":
		return game.Answer{Kind: game.AnswerResign}, nil, answerCommand
	case "quit", "exit":
		return a, s.left(ctx), answerCommand
	case "save":
		s.saveTo(strings.TrimSpace(rest))
	default:
		return a, nil, noCommand
	}
	return a, nil, otherCommand
}

func (s *person) saveTo(file string) {
	if file == "" {
		fmt.Fprintln(s.terminal.Out, "save FILE: name the file that the record is written to.")
		return
	}
	if err := s.save(file); err != nil {
		fmt.Fprintf(s.terminal.Out, "Not saved: %v.\n", err)
		return
	}
	fmt.Fprintf(s.terminal.Out, "Saved: luzhanqi replay %s\n", file)
}

// left is the foul for a person who quits.
func (s *person) left(ctx context.Context) *Foul {
	if ctx.Err() != nil {
		return interrupted(ctx)
	}
	return fouled(Void, "player %v left the game", s.side)
}

const commands = `Type a move, or:
  ?          this, and the legal moves
  resign     give the game up
  save FILE  write the record so far; luzhanqi replay reads it
  quit       leave; the game does not count
`

// legal explains the commands and lists the legal moves.
func (s *person) legal(v game.View) string {
	var all []string
	for _, m := range v.Moves(nil) {
		all = append(all, s.game.FormatMove(game.InFrame(s.game, m, v.Side())))
	}
	return commands + fmt.Sprintf("Legal moves (%d):\n%s", len(all), inColumns(all))
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

// setUps explains what may be typed instead of a move.
func (s *person) setUps() string {
	example := s.game.RandomSetUp(s.random)
	return strings.Replace(commands, "Type a move, or:", "Type a set-up, or nothing for a random one, or:", 1) +
		fmt.Sprintf("A set-up, as it is typed, in your own frame:\n%s\n", example)
}

func (*person) Close(time.Duration) Postmortem { return Postmortem{} }

// inColumns lists short texts, several in a line of at most 80 columns.
func inColumns(all []string) string {
	width := 0
	for _, text := range all {
		width = max(width, len(text)+2)
	}
	var s strings.Builder
	for i, text := range all {
		fmt.Fprintf(&s, "  %-*s", width-2, text)
		if perLine := max(1, 80/max(1, width)); i%perLine == perLine-1 || i == len(all)-1 {
			s.WriteByte('\n')
		}
	}
	return s.String()
}
