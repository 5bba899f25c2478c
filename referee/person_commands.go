package referee

import (
	"context"
	"fmt"
	"strings"

	"luzhanqi/game"
)

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

// setUps explains what may be typed instead of a move.
func (s *person) setUps() string {
	example := s.game.RandomSetUp(s.random)
	return strings.Replace(commands, "Type a move, or:", "Type a set-up, or nothing for a random one, or:", 1) +
		fmt.Sprintf("A set-up, as it is typed, in your own frame:\n%s\n", example)
}

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
