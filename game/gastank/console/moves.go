package console

import (
	"bytes"
	"fmt"
	"slices"

	"luzhanqi/game"
	"luzhanqi/game/gastank"
)

// printed is a move as a program shows it: squares in player 1's frame, and where in the text
// it ends.
type printed struct {
	move game.Move
	end  int
}

// programFrame returns the move as the program of a side shows it, which takes itself for the upper
// side; and, being its own inverse, the move in player 1's frame from what a program shows.
func programFrame(m game.Move, side game.Side) game.Move { return gastank.InFrame(m, side.Other()) }

// readMoves returns all moves printed in the text, by where they end. Rows of boards are not looked
// at, B2 is a bishop there, nor are examples.
func (a *Adapter) readMoves(text []byte, side game.Side) []printed {
	if a.board != nil {
		text = a.board.blank(text)
	}
	text = a.withoutExamples(text)
	const maxMatches = 4096
	var all []printed
	for _, p := range a.moves {
		for _, span := range p.re.FindAllSubmatchIndex(text, maxMatches) {
			m, ok := p.read(text, span)
			if !ok {
				continue
			}
			if a.mirrored {
				m = gastank.MirrorMove(m)
			}
			all = append(all, printed{programFrame(m, side), span[1]})
		}
	}
	slices.SortStableFunc(all, func(x, y printed) int { return x.end - y.end })
	return all
}

// withoutExamples is the text with blanks for the examples of moves that it gives.
func (a *Adapter) withoutExamples(text []byte) []byte {
	const maxMatches = 4096
	copied := false
	for _, re := range a.examples {
		for _, span := range re.FindAllIndex(text, maxMatches) {
			if !copied {
				text, copied = bytes.Clone(text), true
			}
			for i := span[0]; i < span[1]; i++ {
				if text[i] != '\n' {
					text[i] = ' '
				}
			}
		}
	}
	return text
}

// read takes the squares from the groups of a match: in each a letter and a digit, whatever else.
func (p *movePattern) read(text []byte, span []int) (m game.Move, ok bool) {
	group := func(n int) []byte {
		if span[2*n] < 0 {
			return nil
		}
		return text[span[2*n]:span[2*n+1]]
	}
	if p.from == p.to {
		squares := squaresIn(group(p.from))
		if len(squares) != 2 {
			return m, false
		}
		return game.Move{From: squares[0], To: squares[1]}, true
	}
	from, to := squaresIn(group(p.from)), squaresIn(group(p.to))
	if len(from) != 1 || len(to) != 1 {
		return m, false
	}
	return game.Move{From: from[0], To: to[0]}, true
}

// squaresIn returns up to three squares: each a letter, small or capital, with a digit that follows at
// once or after blanks and punctuation.
func squaresIn(text []byte) (squares []game.Square) {
	file := byte(0)
	for _, b := range text {
		switch upper := bytes.ToUpper([]byte{b})[0]; {
		case upper >= 'A' && upper <= 'Z':
			file = upper
		case b >= '0' && b <= '9':
			if sq, err := gastank.ParseSquare(string([]byte{file, b})); err == nil && len(squares) < 3 {
				squares = append(squares, sq)
			}
			file = 0
		}
	}
	return squares
}

// answered is the program's move as its output shows it.
type answered struct {
	printed
	comment string // printed and board disagree
	legal   bool
}

// recognise finds the program's move in what it has printed since it was asked: by a board that is the
// known one after a legal move, else by a printed move. A move equal to the opponent's last is its echo:
// it cannot be legal, since nobody stands on its from square.
func (a *Adapter) recognise(text []byte, v gastank.View) (found answered, ok bool) {
	board := v.Board()
	moves := a.readMoves(text, v.Side())
	if last, moved := v.LastMove(); moved {
		moves = slices.DeleteFunc(moves, func(p printed) bool { return p.move == last })
	}
	legal := func(m game.Move) bool { return board.Why(v.Side(), m) == nil }
	if len(moves) > 0 {
		at := len(moves) - 1
		switch a.which {
		case firstMove:
			at = 0
		case legalMove:
			for i := range moves {
				if legal(moves[i].move) {
					at = i
				}
			}
		case lastMove:
		}
		found, ok = answered{printed: moves[at], legal: legal(moves[at].move)}, true
	}
	shown, seen := a.boardMove(text, v)
	if !seen {
		return found, ok
	}
	if ok && found.move != shown.move {
		name := func(m game.Move) string { return gastank.MoveName(programFrame(m, v.Side())) }
		shown.comment = fmt.Sprintf("printed %s, but its board shows %s", name(found.move), name(shown.move))
	}
	return shown, true
}

// boardMove finds the legal move that leads to a printed board, the last such board counting.
func (a *Adapter) boardMove(text []byte, v gastank.View) (found answered, ok bool) {
	if a.board == nil {
		return found, false
	}
	boards := a.board.read(text, v.Side())
	if len(boards) == 0 {
		return found, false
	}
	before := v.Board()
	moves := before.Moves(v.Side(), nil)
	for _, shown := range slices.Backward(boards) {
		for _, m := range moves {
			after := before
			after.Play(m)
			if after.SamePlaces(shown.board) {
				return answered{printed: printed{m, shown.end}, legal: true}, true
			}
		}
	}
	return found, false
}
