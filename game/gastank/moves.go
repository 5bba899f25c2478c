package gastank

import (
	"math/bits"

	"luzhanqi/game"
)

// Where a piece could go on an empty board, by square. Diagonals leave out their own square: up goes
// from A1 towards H8, down from A8 towards H1.
var knightSteps, kingSteps, upward, downward = emptyBoardTargets()

func emptyBoardTargets() (knightSteps, kingSteps, upward, downward [64]Squares) {
	near := func(set *Squares, sq, df, dr int) bool {
		file, rank := sq%Files+df, sq/Files+dr
		on := file >= 0 && file < Files && rank >= 0 && rank < Ranks
		if on {
			*set |= Bit(game.Square(rank*Files + file))
		}
		return on
	}
	for sq := range squareCount {
		for df := -2; df <= 2; df++ {
			for dr := -2; dr <= 2; dr++ {
				switch df*df + dr*dr {
				case 1, 2:
					near(&kingSteps[sq], sq, df, dr)
				case 5:
					near(&knightSteps[sq], sq, df, dr)
				}
			}
		}
		for _, d := range []int{1, -1} {
			for n := d; near(&upward[sq], sq, n, n); n += d {
			}
			for n := d; near(&downward[sq], sq, n, -n); n += d {
			}
		}
	}
	return knightSteps, kingSteps, upward, downward
}

// along returns where a slider on sq gets along a diagonal, the first piece on each side included.
// Subtracting the slider's bit borrows up to the next piece; bytes reversed, so does the other way
// (hyperbola quintessence; a diagonal has one square in each byte).
func along(diagonal, occupied Squares, sq game.Square) Squares {
	slider := uint64(Bit(sq))
	blockers := uint64(occupied & diagonal)
	forward := blockers - 2*slider
	backward := bits.ReverseBytes64(bits.ReverseBytes64(blockers) - 2*bits.ReverseBytes64(slider))
	return Squares(forward^backward) & diagonal
}

// KingSteps and KnightSteps are where a king or a knight could go on an empty board, Diagonals where a bishop
// could, the first piece each way included.
func KingSteps(sq game.Square) Squares   { return kingSteps[sq&63] }
func KnightSteps(sq game.Square) Squares { return knightSteps[sq&63] }
func Diagonals(occupied Squares, sq game.Square) Squares {
	return along(upward[sq&63], occupied, sq) | along(downward[sq&63], occupied, sq)
}

// Targets returns the squares to which the piece on sq may move: none if it has no gas, or if
// nobody stands there. Own pieces may be captured, but not the own king.
func (b *Board) Targets(sq game.Square) Squares {
	sq &= 63
	if !b.Fuelled().Has(sq) {
		return 0
	}
	return b.reach(sq) &^ (b.With(King) & b.of[b.of[1]>>sq&1])
}

// reach is Targets for a tank that is never empty, and without regard to the own king. All three ways
// of moving are computed and those that do not apply masked out: a processor cannot predict which do.
func (b *Board) reach(sq game.Square) Squares {
	sq &= 63
	occupied := b.Occupied()
	leaps, slides := b.leaps>>sq&1, b.slides>>sq&1
	steps := -(leaps | slides ^ 1) & kingSteps[sq]
	return steps | -leaps&knightSteps[sq] | -slides&(along(upward[sq], occupied, sq)|along(downward[sq], occupied, sq))
}

// Moves appends a side's legal moves to dst, by from square and then by to square; there are none
// when a king was captured.
func (b *Board) Moves(side game.Side, dst []game.Move) []game.Move {
	side &= 1
	kings := b.With(King)
	if kings&b.of[0] == 0 || kings&b.of[1] == 0 {
		return dst
	}
	allowed := ^(kings & b.of[side])
	for men := b.of[side] & b.Fuelled(); men != 0; men &= men - 1 {
		from := men.First()
		for to := b.reach(from) & allowed; to != 0; to &= to - 1 {
			dst = append(dst, game.Move{From: from, To: to.First()})
		}
	}
	return dst
}

// HasMove says whether Moves would append any.
func (b *Board) HasMove(side game.Side) bool {
	side &= 1
	kings := b.With(King)
	if kings&b.of[0] == 0 || kings&b.of[1] == 0 {
		return false
	}
	for men := b.of[side] & b.Fuelled(); men != 0; men &= men - 1 {
		if b.reach(men.First())&^(kings&b.of[side]) != 0 {
			return true
		}
	}
	return false
}

// Play turns the board into the one after the legal move m and returns what was captured: None, or
// King when the mover has won. Playing an illegal move leaves a board without meaning.
//
// It has no branch: whether a move captures is too irregular for a processor to predict.
func (b *Board) Play(m game.Move) (captured Kind) {
	from, to := m.From&63, m.To&63
	captured = b.Kind(to)
	hit := b.Occupied() >> to & 1
	tank := b.gas[0]>>from&1 | b.gas[1]>>from&1<<1
	tank = tank - 1 | -hit // all ones after a capture: full
	leaps, slides := b.leaps>>from&1, b.slides>>from&1
	second := b.of[1] >> from & 1

	kept := ^(Squares(1)<<from | Squares(1)<<to)
	b.of[0] = b.of[0]&kept | (second^1)<<to
	b.of[1] = b.of[1]&kept | second<<to
	b.leaps = b.leaps&kept | leaps<<to
	b.slides = b.slides&kept | slides<<to
	b.gas[0] = b.gas[0]&kept | tank&1<<to
	b.gas[1] = b.gas[1]&kept | tank>>1&1<<to
	return captured
}

// The reasons for which a game ends.
const (
	KingCaptured = "king captured"
	NoLegalMoves = "no legal moves"
)

// Outcome says how the game has ended, if it has, when it is mover's turn.
func (b *Board) Outcome(mover game.Side) (game.Outcome, bool) {
	kings := b.With(King)
	for side := range game.Side(2) {
		if kings&b.of[side] == 0 {
			return game.Won(side.Other(), KingCaptured), true
		}
	}
	if !b.HasMove(mover) {
		return game.Won(mover.Other(), NoLegalMoves), true
	}
	return game.Outcome{}, false
}

// MaxPlies is the length of the longest game. The tanks hold 36 moves at the start; each of the 10
// captures that spare the kings is a move and adds at most 2; the capture of a king is the last.
const MaxPlies = 67
