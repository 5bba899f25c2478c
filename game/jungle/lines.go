package jungle

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"luzhanqi/game"
)

// lines is the conversation of the public referee. It is told line by line: the color; then for
// each turn the opponent's last move, how many moves there are, and the moves. The answer is a line.
type lines struct{ game.ProtocolDefaults }

func (lines) Name() string { return "lines" }

func (lines) Summary() string {
	return "the public referee's lines: red; -1 -1 -1 -1; 24; 0 6 1 6; …; and 1 7 1 6 with a comment, or random, back"
}

func (lines) RefereeEnd(side game.Side, _ game.Limits) game.RefereeEnd {
	return &refereeEnd{side: side & 1}
}

func (lines) PlayerEnd(rules game.Rules, _ game.Side, limit time.Duration) game.PlayerEnd {
	return &playerEnd{reading: reading(rules), limit: limit}
}

type refereeEnd struct {
	side    game.Side
	begun   bool // the color was sent
	text    []byte
	moves   []game.Move
	message [1][]byte
}

// Tell speaks to the mover only, when it is to move; and to a side that has lost for having no move
// left, which is sent its turn all the same. A whole turn is one message, and the first one begins
// with the color: programs exist that lose what comes in a second read.
func (r *refereeEnd) Tell(e game.Event, view game.View) [][]byte {
	v, ok := view.(*View)
	if !ok || v.Mover() != r.side {
		return nil
	}
	r.moves = v.Moves(r.moves[:0])
	switch e.Kind {
	case game.EventTurn:
	case game.EventEnd:
		if _, entered := v.position.board.Winner(); entered || len(r.moves) > 0 {
			return nil
		}
	default:
		return nil
	}
	r.text = r.text[:0]
	if !r.begun {
		r.begun = true
		r.text = append(append(r.text, Color(r.side)...), '\n')
	}
	r.text = appendTurn(r.text, v, r.moves)
	r.message[0] = r.text
	return r.message[:]
}

func appendTurn(text []byte, v *View, moves []game.Move) []byte {
	if last, ok := v.LastMove(); ok {
		text = appendMove(text, last)
	} else {
		text = append(text, noMove+"\n"...)
	}
	text = append(strconv.AppendInt(text, int64(len(moves)), 10), '\n')
	for _, m := range moves {
		text = appendMove(text, m)
	}
	return text
}

// noMove is the opponent's last move when there was none.
const noMove = "-1 -1 -1 -1"

func appendMove(text []byte, m game.Move) []byte {
	x1, y1 := XY(m.From)
	x2, y2 := XY(m.To)
	return append(text, '0'+byte(x1), ' ', '0'+byte(y1), ' ', '0'+byte(x2), ' ', '0'+byte(y2), '\n')
}

// maxAnswer is the most bytes of an answer: far above a move and any comment worth its place.
const maxAnswer = 4 << 10

// Scan reads one line. The last one may lack its end.
func (r *refereeEnd) Scan(buf []byte, eof bool) (int, game.Answer, error) {
	line, n := cutLine(buf, eof)
	switch {
	case len(line) > maxAnswer || n == 0 && len(buf) > maxAnswer:
		return n, game.Answer{}, fmt.Errorf("%w: a line of more than %d bytes", game.ErrTooLong, maxAnswer)
	case n == 0:
		return 0, game.Answer{}, nil
	}
	a, err := parseAnswer(string(line))
	return n, a, err
}

// cutLine returns the line at the start of buf without its end, which may be CR LF, and the number
// of bytes with it: zero when it is not whole. At the end of everything the rest is a line.
func cutLine(buf []byte, eof bool) (line []byte, n int) {
	end := bytes.IndexByte(buf, '\n')
	switch {
	case end >= 0:
		line, n = buf[:end], end+1
	case eof && len(buf) > 0:
		line, n = buf, len(buf)
	default:
		return nil, 0
	}
	return bytes.TrimSuffix(line, []byte{'\r'}), n
}
