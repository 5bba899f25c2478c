package textui

import (
	"fmt"
	"strings"
	"unicode"

	"luzhanqi/game"
	"luzhanqi/player"
	"luzhanqi/text"
)

// textUI shows a game that has no [game.PersonEnd] of its own to people: the view as the game draws it, its errors,
// moves in its notation, all in the person's own frame.
type textUI struct {
	game   game.Game
	names  [2]string
	style  game.DrawStyle
	screen bool         // one board at a time: what happened stands below it
	coach  player.Coach // may be nil
	shown  bool         // the first board
	news   []string     // what has happened in the latest two moves, for the screen
}

// New shows a game to people. coach, which may be nil, says what the board does not; screen: one board is seen at a time.
func New(g game.Game, people [2]bool, names [2]string, style game.DrawStyle, coach player.Coach, screen bool) game.PersonEnd {
	if own, ok := g.(game.PersonGame); ok {
		return own.PersonEnd(people, names, style)
	}
	return &textUI{game: g, names: names, style: style, coach: coach, screen: screen}
}

// Tell draws the board before the first move and after each.
func (s *textUI) Tell(e game.Event, v game.View) string {
	switch e.Kind {
	case game.EventTurn:
		if s.shown {
			return ""
		}
		s.shown = true
		return s.board(v, nil)
	case game.EventMoved:
		m := game.InFrame(s.game, e.Move, v.Side())
		news := fmt.Sprintf("%s: %s\n", s.who(e.Side), s.game.FormatMove(m))
		if s.coach != nil {
			if happened := s.coach.Saw(v); happened != "" {
				news += strings.Join(text.Wrap(happened, textWidth), "\n") + "\n"
			}
		}
		if !s.screen {
			return "\n" + news + s.board(v, &e.Move)
		}
		const kept = 2 // the person's own move and the answer
		s.news = append(s.news, news)
		s.news = s.news[max(0, len(s.news)-kept):]
		return s.board(v, &e.Move) + strings.Join(s.news, "")
	case game.EventIllegal:
		return text.Sentence(game.ErrorInFrame(e.Err, v.Side()).Error()) + " (? lists the legal moves)\n"
	}
	return ""
}

// textWidth is that of the narrowest usual terminal, less one: some begin a new line after the last column.
const textWidth = 79

func (s *textUI) board(v game.View, last *game.Move) string {
	style := s.style
	style.Last = last
	board := strings.TrimRight(v.Draw(style), "\n")
	if s.coach != nil {
		board = beside(board, s.coach.Beside(v))
	}
	return "\n" + board + "\n\n"
}

// beside puts lines to the right of a board, all of whose lines but the last few are as wide as its first.
func beside(board string, right []string) string {
	if len(right) == 0 {
		return board
	}
	lines := strings.Split(board, "\n")
	width := 0
	for _, line := range lines {
		width = max(width, columns(line))
	}
	for i := range lines {
		if i < len(right) && right[i] != "" {
			lines[i] += strings.Repeat(" ", width+2-columns(lines[i])) + right[i]
		}
	}
	return strings.Join(lines, "\n")
}

// columns counts those that a line takes on a terminal: escape codes none, Chinese characters and full-width signs two.
func columns(line string) (n int) {
	inCode := false
	for _, r := range line {
		switch {
		case inCode:
			inCode = r != 'm'
		case r == 0x1b:
			inCode = true
		case r >= 0x3000 && r <= 0x9fff, r >= 0xff01 && r <= 0xff60:
			n += 2
		default:
			n++
		}
	}
	return n
}

func (s *textUI) who(side game.Side) string {
	return fmt.Sprintf("player %v (%s)", side, s.names[side])
}

func (s *textUI) Prompt(v game.View) string {
	return fmt.Sprintf("%s, your move (? for help): ", s.who(v.Mover()))
}

// ReadMove reads a move as people write one. What has the letters and digits of one legal move is that
// move, whatever stands between them; else the game's own notation is tried with what may be meant.
func (s *textUI) ReadMove(line string, v game.View) (game.Move, error) {
	side := v.Mover()
	typed := essence(line)
	var found []game.Move
	for _, m := range v.Moves(nil) {
		if essence(s.game.FormatMove(game.InFrame(s.game, m, side))) == typed {
			found = append(found, m)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	var first error
	for _, reading := range readings(line) {
		m, err := s.game.ParseMove(reading)
		if err == nil {
			return game.InFrame(s.game, m, side), nil
		}
		if first == nil {
			first = err
		}
	}
	return game.Move{}, first
}

// fillers are words and signs that people write between two squares.
var fillers = strings.NewReplacer("->", " ", "=>", " ", "→", " ")

// words are the letters and digits of a line, cut where anything else stands.
func words(line string) []string {
	all := strings.FieldsFunc(fillers.Replace(line), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	kept := all[:0]
	for _, word := range all {
		switch strings.ToLower(word) {
		case "to", "from", "move", "x":
		default:
			kept = append(kept, word)
		}
	}
	return kept
}

// essence is all that matters of a move in any notation.
func essence(line string) string { return strings.ToLower(strings.Join(words(line), "")) }

// readings are the ways in which a line may have been meant, in the order in which they are tried.
func readings(line string) []string {
	line = strings.TrimSpace(line)
	parts := words(line)
	glued := strings.Join(parts, "")
	all := []string{line, strings.Join(parts, " "), glued}
	if n := len(glued); n%2 == 0 {
		all = append(all, glued[:n/2]+" "+glued[n/2:])
	}
	for _, reading := range all[:len(all):len(all)] {
		all = append(all, strings.ToUpper(reading), strings.ToLower(reading))
	}
	return all
}

func (*textUI) Unreadable(err error) string { return text.Sentence(err.Error()) + " (? for help)\n" }

func (s *textUI) End(o game.Outcome, _ game.View) string { return text.Sentence(o.Reason) + "\n" }
