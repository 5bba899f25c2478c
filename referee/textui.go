package referee

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"luzhanqi/game"
)

// textUI shows a game that has no [game.PersonEnd] of its own to people: the view as the game draws it, its errors,
// moves in its notation, all in the person's own frame.
type textUI struct {
	game  game.Game
	names [2]string
	style game.DrawStyle
	shown bool // the first board
}

func newTextUI(g game.Game, people [2]bool, names [2]string, style game.DrawStyle) game.PersonEnd {
	if own, ok := g.(game.PersonGame); ok {
		return own.PersonEnd(people, names, style)
	}
	return &textUI{game: g, names: names, style: style}
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
		return fmt.Sprintf("\n%s: %s\n", s.who(e.Side), s.game.FormatMove(m)) + s.board(v, &e.Move)
	case game.EventIllegal:
		return sentence(game.ErrorInFrame(e.Err, v.Side()).Error()) + " (? lists the legal moves)\n"
	}
	return ""
}

func (s *textUI) board(v game.View, last *game.Move) string {
	style := s.style
	style.Last = last
	return "\n" + strings.TrimRight(v.Draw(style), "\n") + "\n\n"
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
	for _, text := range readings(line) {
		m, err := s.game.ParseMove(text)
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
	for _, text := range all[:len(all):len(all)] {
		all = append(all, strings.ToUpper(text), strings.ToLower(text))
	}
	return all
}

func (*textUI) Unreadable(err error) string { return sentence(err.Error()) + " (? for help)\n" }

func (s *textUI) End(o game.Outcome, _ game.View) string { return sentence(o.Reason) + "\n" }

// sentence begins an error with a capital letter and ends it with a final stop.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:] + "."
}

var errNoPeople = errors.New("nobody at the terminal plays")
