package jungle

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"luzhanqi/game"
)

// playerEnd is the player's end of the conversation. It keeps the board by playing its own moves and
// those it hears of, and compares the moves it is sent with its own.
type playerEnd struct {
	reading  Reading
	limit    time.Duration // of the command line; zero: the game's
	view     *View         // nil before the color
	expects  stage
	start    *Position   // that was told before the color; nil: that of the rules
	opening  []game.Move // that was told before the color
	opened   bool        // the first turn tells the last of it again
	told     []game.Move // so far in this turn
	left     int         // moves of this turn that are still to come
	mismatch error       // how the referee differs from our rules, until it is reported
	reported bool        // a mismatch was met; only the first in a game is reported
}

// stage says which kind of line comes next.
type stage uint8

const (
	theColor stage = iota
	theLastMove
	theCount
	aMove
)

// maxHeard is far above the longest line and any number of moves that a referee has to say.
const maxHeard = 1 << 10

func (p *playerEnd) View() game.View {
	if p.view == nil {
		return nil // not a nil *View in an interface
	}
	return p.view
}

// Limit returns the command line's limit, else the game's.
func (p *playerEnd) Limit() time.Duration {
	switch {
	case p.limit > 0:
		return p.limit
	case p.view == nil:
		return Game{}.Limits().First
	}
	return Game{}.Limits().ForMove(p.view.Ply())
}

// Scan reads one line; blank ones are passed over. The conversation has no word for the end of the
// game: that the referee hangs up between two turns, or before the first, is it.
func (p *playerEnd) Scan(buf []byte, eof bool) (n int, prompt game.Prompt, err error) {
	line, n := game.Line(buf, eof)
	switch {
	case n == 0 && len(buf) > maxHeard || len(line) > maxHeard:
		return max(n, maxHeard), game.PromptNone, fmt.Errorf("a line of more than %d bytes", maxHeard)
	case n == 0 && eof && (p.expects == theColor || p.expects == theLastMove):
		return 0, game.PromptEnd, nil
	case n == 0:
		return 0, game.PromptNone, nil
	}
	words := strings.Fields(string(line))
	if len(words) == 0 {
		return n, game.PromptNone, nil
	}
	prompt, err = p.hear(strings.Join(words, " "))
	return n, prompt, err
}

func (p *playerEnd) hear(line string) (game.Prompt, error) {
	switch p.expects {
	case theColor:
		if place, ok := strings.CutPrefix(line, positionWord); ok { // with which a match with openings begins
			start, err := parsePlace(place, p.reading)
			if err == nil && (p.start != nil || len(p.opening) > 0) {
				err = errors.New("it stands before all else, once")
			}
			if err != nil {
				return game.PromptNone, fmt.Errorf("the position of the opening: %w", err)
			}
			p.start = start
			return game.PromptNone, nil
		}
		if move, ok := strings.CutPrefix(line, openingWord); ok { // a move that is played already, in a match with openings
			m, err := Game{}.ParseMove(move)
			if err != nil || len(p.opening) == maxHeard {
				return game.PromptNone, fmt.Errorf("a move of the opening, of at most %d: %w", maxHeard, err)
			}
			p.opening = append(p.opening, m)
			return game.PromptNone, nil
		}
		side, err := parseColor(line)
		if err != nil {
			return game.PromptNone, err
		}
		if p.start == nil {
			p.start = NewPosition(Start(p.reading), game.First)
		}
		p.view = NewView(side, p.start)
		for _, m := range p.opening {
			p.play(m, p.view.Mover())
		}
		p.opened = len(p.opening) > 0 && p.view.Mover() == side
		p.expects = theLastMove
	case theLastMove:
		if p.opened {
			p.opened = false
		} else if line != noMove {
			m, err := Game{}.ParseMove(line)
			if err != nil {
				return game.PromptNone, fmt.Errorf("the opponent's last move: %w", err)
			}
			p.play(m, p.view.side.Other())
		}
		p.expects = theCount
	case theCount:
		count, err := strconv.Atoi(line)
		if err != nil || count < 0 || count > maxHeard {
			return game.PromptNone, fmt.Errorf("number of moves %.20q: allowed are 0 to %d", line, maxHeard)
		}
		p.told, p.left, p.expects = p.told[:0], count, aMove
		return p.turn()
	case aMove:
		p.left--
		m, err := Game{}.ParseMove(line)
		if err != nil {
			p.noteMismatch(fmt.Errorf("one of my moves: %w", err))
		} else {
			p.told = append(p.told, m)
		}
		return p.turn()
	}
	return game.PromptNone, nil
}

// parsePlace reads who is to move and the units.
func parsePlace(text string, r Reading) (*Position, error) {
	color, units, _ := strings.Cut(text, " ")
	side, err := parseColor(color)
	if err != nil {
		return nil, err
	}
	b, err := ParseBoard(units, r)
	if err != nil {
		return nil, err
	}
	return NewPosition(b, side), nil
}

// turn asks for a move when all of them were heard, and reports a mismatch.
func (p *playerEnd) turn() (game.Prompt, error) {
	if p.left > 0 {
		return game.PromptNone, nil
	}
	p.expects = theLastMove
	v := *p.view
	v.Turn, v.told = v.Of(v.side), nil
	if mine := v.Moves(nil); !slices.Equal(mine, p.told) {
		v.told = slices.Clone(p.told)
		p.noteMismatch(fmt.Errorf("my moves are not as I know them: told %d, %s; the board %s has %d, %s",
			len(p.told), moveNames(p.told), v.board.String(), len(mine), moveNames(mine)))
	}
	p.view = &v
	err := p.mismatch
	p.mismatch = nil
	if len(p.told) == 0 {
		return game.PromptEnd, err
	}
	return game.PromptMove, err
}

// noteMismatch keeps the first mismatch of a game for the end of the turn.
func (p *playerEnd) noteMismatch(err error) {
	if !p.reported {
		p.mismatch, p.reported = err, true
	}
}

// play follows a move of side. One that is not legal as we know the rules is followed as well as
// it can be: the referee has accepted it.
func (p *playerEnd) play(m game.Move, side game.Side) {
	v := *p.view
	v.told = nil
	err := errors.New("it is not the turn of " + Color(side))
	if v.Mover() == side {
		err = v.Check(m)
	}
	if err == nil {
		v.Position = *v.play(m)
	} else {
		p.noteMismatch(fmt.Errorf("a move of %s is not legal as I know the rules: %w", Color(side), err))
		v.force(m, side)
	}
	p.view = &v
}

// force plays a move that is not legal: what stands on its first square, if anything, takes what
// stands on its second.
func (p *Position) force(m game.Move, side game.Side) {
	if owner, k, ok := p.board.At(m.From); ok {
		p.board.Put(m.To, owner, k)
	}
	p.Turn = p.Of(side).After(m)
}

// Say writes an answer and, if it is a move, plays it. Any move is the first one, since the
// referee would not say which one it had drawn. The conversation has no word for resigning; a line
// that is no move loses at once.
func (p *playerEnd) Say(a game.Answer) []byte {
	switch {
	case p.view != nil && a.Kind == game.AnswerMove:
	case p.view != nil && a.Kind == game.AnswerAny:
		moves := p.view.Moves(nil)
		if len(moves) == 0 {
			return []byte(anyMove + "\n")
		}
		a.Move = moves[0]
	default:
		return []byte("resign\n")
	}
	p.play(a.Move, p.view.side)
	text := MoveName(a.Move)
	if a.Comment != "" {
		text += " " + writeComment(a.Comment)
	}
	return []byte(text + "\n")
}

// moveNames writes moves for people, cut to 400 characters.
func moveNames(moves []game.Move) string {
	var names []string
	for _, m := range moves {
		names = append(names, MoveName(m))
	}
	return fmt.Sprintf("%.400s", strings.Join(names, ", "))
}
