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
	reading Reading
	limit   time.Duration // of the command line; zero: the game's
	view    *View         // nil before the color
	expects stage
	told    []game.Move // so far in this turn
	left    int         // moves of this turn that are still to come
	strange error       // the first thing that did not fit, until it is reported
	warned  bool        // something that did not fit was met: once is enough
}

// stage is what the next line holds.
type stage uint8

const (
	theColor stage = iota
	theLastMove
	theCount
	aMove
)

// maxHeard is far above the longest line and any number of moves that a referee has to say.
const maxHeard = 1 << 10

// View is nil before the color is known.
func (p *playerEnd) View() game.View {
	if p.view == nil {
		return nil // not a nil *View in an interface
	}
	return p.view
}

// Limit is what the command line said, else the game's.
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
	line, n := cutLine(buf, eof)
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
		side, err := parseColor(line)
		if err != nil {
			return game.PromptNone, err
		}
		p.view = NewView(side, NewPosition(Start(p.reading), game.First))
		p.expects = theLastMove
	case theLastMove:
		if line != noMove {
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
			return game.PromptNone, fmt.Errorf("number of moves %q: allowed are 0 to %d", cut(line, 20), maxHeard)
		}
		p.told, p.left, p.expects = p.told[:0], count, aMove
		return p.turn()
	case aMove:
		p.left--
		m, err := Game{}.ParseMove(line)
		if err != nil {
			p.doubt(fmt.Errorf("one of my moves: %w", err))
		} else {
			p.told = append(p.told, m)
		}
		return p.turn()
	}
	return game.PromptNone, nil
}

// turn asks for a move when all of them were heard, and reports what was strange about them.
func (p *playerEnd) turn() (game.Prompt, error) {
	if p.left > 0 {
		return game.PromptNone, nil
	}
	p.expects = theLastMove
	v := *p.view
	v.position.mover, v.told = v.side, nil
	if mine := v.Moves(nil); !slices.Equal(mine, p.told) {
		v.told = slices.Clone(p.told)
		p.doubt(fmt.Errorf("my moves are not as I know them: told %d, %s; the board %s has %d, %s",
			len(p.told), moveNames(p.told), v.position.board.String(), len(mine), moveNames(mine)))
	}
	p.view = &v
	err := p.strange
	p.strange = nil
	if len(p.told) == 0 {
		return game.PromptEnd, err
	}
	return game.PromptMove, err
}

// doubt keeps what does not fit for the end of the turn; only the first such thing in a game.
func (p *playerEnd) doubt(err error) {
	if !p.warned {
		p.strange, p.warned = err, true
	}
}

// play follows a move of side. One that is not legal as we know the rules is followed as well as
// it can be: the referee has accepted it.
func (p *playerEnd) play(m game.Move, side game.Side) {
	v := *p.view
	v.told = nil
	err := errors.New("it is not the turn of " + Color(side))
	if v.position.mover == side {
		err = v.position.Check(m)
	}
	if err == nil {
		v.position = *v.position.play(m)
	} else {
		p.doubt(fmt.Errorf("a move of %s is not legal as I know the rules: %w", Color(side), err))
		v.position.force(m, side)
	}
	p.view = &v
}

// force plays a move that is not legal: what stands on its first square, if anything, takes what
// stands on its second.
func (p *Position) force(m game.Move, side game.Side) {
	if owner, k, ok := p.board.At(m.From); ok {
		p.board.Put(m.To, owner, k)
	}
	p.mover, p.ply, p.last, p.moved = side.Other(), p.ply+1, m, true
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

// moveNames writes moves for people, cut where it becomes boring.
func moveNames(moves []game.Move) string {
	var names []string
	for _, m := range moves {
		names = append(names, MoveName(m))
	}
	return cut(strings.Join(names, ", "), 400)
}
