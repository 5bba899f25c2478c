package referee

import (
	"context"
	"fmt"
	"strings"

	"luzhanqi/game"
	"luzhanqi/text"
)

// commandKind says whether a line is a command, and whether it answers the question.
type commandKind uint8

const (
	noCommand     commandKind = iota // but a move or a set-up
	otherCommand                     // that was obeyed, and is no answer
	answerCommand                    // that answers the question, or ends the game by a foul
)

// command obeys the words that mean the same in every game; v is nil when a set-up is asked for.
func (s *person) command(ctx context.Context, line string, v game.View) (a game.Answer, foul *Foul, is commandKind) {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	out := s.Terminal.Out
	switch word = strings.ToLower(word); {
	case word == "?" || word == "help":
		fmt.Fprint(out, s.help(v))
	case word == "resign":
		return game.Answer{Kind: game.AnswerResign}, nil, answerCommand
	case word == "quit" || word == "exit":
		return a, s.left(ctx), answerCommand
	case word == "save":
		s.saveTo(strings.TrimSpace(rest))
	case v == nil:
		return a, nil, noCommand
	case word == "hint" && s.Hint != nil:
		fmt.Fprintf(out, "You could play %s.\n", s.game.FormatMove(game.InFrame(s.game, s.Hint(v), s.side)))
	case word == "what" && s.coach != nil:
		if about, err := s.coach.About(rest, v); err != nil {
			fmt.Fprintln(out, text.Sentence(err.Error()))
		} else {
			fmt.Fprint(out, about)
		}
	case word == "undo":
		if err := s.takeBack(s.game, s.side); err != nil {
			fmt.Fprintln(out, text.Sentence(err.Error()))
			break
		}
		return a, voided(ByPerson, "player %v took a move back", s.side), answerCommand
	default:
		return a, nil, noCommand
	}
	return a, nil, otherCommand
}

func (s *person) saveTo(file string) {
	if file == "" {
		fmt.Fprintln(s.Terminal.Out, "save FILE: name the file that the record is written to.")
		return
	}
	if err := s.Save(file); err != nil {
		fmt.Fprintf(s.Terminal.Out, "Not saved: %v.\n", err)
		return
	}
	fmt.Fprintf(s.Terminal.Out, "Saved: %s replay %s\n", s.Program, file)
}

// help says what can be typed, how the game is won, and which moves are legal.
func (s *person) help(v game.View) string {
	var b strings.Builder
	word := func(typed, does string) { fmt.Fprintf(&b, "  %-14s%s\n", typed, does) }
	if v == nil {
		b.WriteString("Type a set-up, @FILE for one from a file, random for a random one, or:\n")
	} else {
		b.WriteString("Type a move, or:\n")
		if s.Hint != nil {
			word("hint", "a good move")
		}
		if s.coach != nil {
			word("what [SQUARE]", "what hidden pieces can still be")
		}
		if !s.history.hides(s.game) {
			word("undo", "take your last move back")
		}
		if s.Terminal.Screen {
			word("Enter", "the board again")
		}
	}
	word("resign", "give the game up")
	word("save FILE", "write the record so far, for replay")
	word("quit", "leave; play --resume goes on later")
	if taught, ok := s.game.(game.Taught); ok {
		for _, line := range text.Wrap(taught.Goal(), helpWidth) {
			b.WriteString(line + "\n")
		}
		fmt.Fprintf(&b, "All rules: %s games %s\n", s.Program, s.game.Name())
	}
	if v == nil {
		example := s.game.RandomSetUp(s.random)
		fmt.Fprintf(&b, "A set-up, as it is typed, in your own frame:\n%s\n", example)
		return b.String()
	}
	var all []string
	for _, m := range v.Moves(nil) {
		all = append(all, s.game.FormatMove(game.InFrame(s.game, m, v.Side())))
	}
	fmt.Fprintf(&b, "Legal moves (%d):\n%s", len(all), inColumns(all))
	return b.String()
}

// helpWidth is that of the narrowest usual terminal, less one.
const helpWidth = 79

// inColumns lists short texts, several in a line of at most 80 columns.
func inColumns(all []string) string {
	width := 0
	for _, word := range all {
		width = max(width, len(word)+2)
	}
	var s strings.Builder
	for i, word := range all {
		fmt.Fprintf(&s, "  %-*s", width-2, word)
		if perLine := max(1, 80/max(1, width)); i%perLine == perLine-1 || i == len(all)-1 {
			s.WriteByte('\n')
		}
	}
	return s.String()
}
