package player

import (
	"math/bits"

	"luzhanqi/game"
	"luzhanqi/game/gastank"
)

// gasTankGame is GasTank chess for alphaBeta. Every move burns gas or takes a piece, so nothing
// recurs, every game ends, and a proof found anywhere holds everywhere, unless a match has a cap of plies.
var gasTankGame = treeGame{
	rules:    treeRules{stuck: -1, captures: true, futile: 90, window: 30, size: 22},
	plant:    gasTankDefaults.plant,
	textbook: gasTankTextbook.plant,
	patience: 0.6,
}

// gasTankTree is a stack of GasTank boards.
type gasTankTree struct {
	boards  []gastank.Board
	ply     int
	plies   int // of the game after which a match draws it; zero: never
	mover   game.Side
	weights *gasTankWeights
	room    []game.Move
}

func (w *gasTankWeights) plant(v game.View, plies int) tree {
	view := v.(gastank.View)
	return w.newTree(view.Board(), view.Side(), view.Ply(), plies)
}

func (w *gasTankWeights) newTree(b gastank.Board, mover game.Side, ply, plies int) *gasTankTree {
	t := &gasTankTree{
		boards: make([]gastank.Board, 1, 2*deepest), ply: ply, plies: plies, mover: mover, weights: w, room: make([]game.Move, 0, 256),
	}
	t.boards[0] = b
	return t
}

func (t *gasTankTree) board() *gastank.Board { return &t.boards[len(t.boards)-1] }

func (t *gasTankTree) Mover() game.Side { return t.mover }

func (t *gasTankTree) Ply() int { return t.ply }

// Left without a cap is never exceeded.
func (t *gasTankTree) Left() int {
	if t.plies == 0 {
		return gastank.MostPlies
	}
	return t.plies - t.ply
}

func (t *gasTankTree) Key() uint64 {
	key := t.board().Key(t.mover)
	if left := t.Left(); left < cappedPlies {
		key ^= uint64(left+1) * 0x9e3779b97f4a7c15
	}
	return key
}

// Over: who can take a king strikes before, so it is the mover's that may be gone. Having no move
// counts before the cap does.
func (t *gasTankTree) Over() (int, bool) {
	if _, alive := t.board().King(t.mover); !alive {
		return -1, true
	}
	if t.plies == 0 || t.ply < t.plies {
		return 0, false
	}
	if !t.board().HasMove(t.mover) {
		return -1, true
	}
	return 0, true
}

func (t *gasTankTree) Strikes() bool { return attacksKing(t.board(), t.mover) }

func (t *gasTankTree) Pressed() bool { return attacksKing(t.board(), t.mover.Other()) }

// attacksKing says whether a side could take the enemy's king if it were its turn.
func attacksKing(b *gastank.Board, side game.Side) bool {
	king, ok := b.King(side.Other())
	if !ok {
		return false
	}
	men := b.Of(side) & b.Fuelled()
	bishops, knights, queens := b.With(gastank.Bishop), b.With(gastank.Knight), b.With(gastank.Queen)
	if (knights|queens)&men&gasTankWays.knight[king] != 0 || b.With(gastank.King)&men&gasTankWays.king[king] != 0 {
		return true
	}
	sliders := (bishops | queens) & men
	if sliders&(gasTankWays.up[king]|gasTankWays.down[king]) == 0 {
		return false
	}
	return sliders&diagonals(b.Occupied(), king) != 0
}

// gasTankWays are what pieces reach on an empty board, by square, and how many steps of a king two squares are
// apart.
var gasTankWays = func() (w struct {
	knight, king, up, down [64]gastank.Squares
	distance               [64][64]int32
},
) {
	for sq := range 56 {
		for to := range 56 {
			df, dr := to%8-sq%8, to/8-sq/8
			bit := gastank.Bit(game.Square(to))
			w.distance[sq][to] = int32(max(abs(df), abs(dr)))
			switch {
			case df*df+dr*dr == 5:
				w.knight[sq] |= bit
			case df != 0 && df == dr:
				w.up[sq] |= bit
			case df != 0 && df == -dr:
				w.down[sq] |= bit
			}
			if d := df*df + dr*dr; d == 1 || d == 2 {
				w.king[sq] |= bit
			}
		}
	}
	return w
}()

// diagonals is where a slider on sq gets, the first piece in every direction included: subtracting the
// slider's bit borrows up to the next piece, and with the bytes reversed the other way.
func diagonals(occupied gastank.Squares, sq game.Square) (to gastank.Squares) {
	slider := uint64(1) << sq
	for _, way := range [2]gastank.Squares{gasTankWays.up[sq], gasTankWays.down[sq]} {
		in := uint64(occupied & way)
		forward := in - 2*slider
		backward := bits.ReverseBytes64(bits.ReverseBytes64(in) - 2*bits.ReverseBytes64(slider))
		to |= gastank.Squares(forward^backward) & way
	}
	return to
}

// MayPass: with little gas, moves are what both sides run out of.
func (t *gasTankTree) MayPass() bool { return gasLeft(t.board(), t.mover) >= 12 }

// gasLeft is how many moves a side's tanks hold.
func gasLeft(b *gastank.Board, side game.Side) int {
	men := b.Of(side)
	return (men & b.WithGas(1)).Len() + 2*(men&b.WithGas(2)).Len() + 3*(men&b.WithGas(3)).Len()
}

func (t *gasTankTree) Moves(dst []treeMove) []treeMove {
	t.room = t.board().Moves(t.mover, t.room[:0])
	for _, m := range t.room {
		dst = append(dst, treeMove{Move: m, gain: t.Gain(m)})
	}
	return dst
}

// Gain is negative for taking an own piece, which may still be worth its gas.
func (t *gasTankTree) Gain(m game.Move) int16 {
	b := t.board()
	switch {
	case b.Of(t.mover.Other()).Has(m.To):
		return takeGain(b, m)
	case b.Of(t.mover).Has(m.To):
		return -takeWorth(b, m.To)
	}
	return 0
}

func (t *gasTankTree) Captures(dst []treeMove) []treeMove {
	b := t.board()
	enemy := b.Of(t.mover.Other())
	for men := b.Of(t.mover) & b.Fuelled(); men != 0; men &= men - 1 {
		from := men.First()
		for to := b.Targets(from) & enemy; to != 0; to &= to - 1 {
			m := game.Move{From: from, To: to.First()}
			dst = append(dst, treeMove{Move: m, gain: takeGain(b, m)})
		}
	}
	return dst
}

// takeGain is the worth of what a move takes, and of the gas that it fills in; a bit less for a
// capture by what is worth much.
func takeGain(b *gastank.Board, m game.Move) int16 {
	kind := b.Kind(m.To)
	if kind == gastank.King {
		return 20_000
	}
	taker := b.Kind(m.From)
	return max(1, takeWorth(b, m.To)+gasTankTanks[taker][3]-gasTankTanks[taker][b.Gas(m.From)]-gasTankTanks[taker][3]/16)
}

func takeWorth(b *gastank.Board, sq game.Square) int16 { return gasTankTanks[b.Kind(sq)][b.Gas(sq)] }

func (t *gasTankTree) Play(m game.Move) {
	t.boards = append(t.boards, *t.board())
	t.board().Play(m)
	t.mover, t.ply = t.mover.Other(), t.ply+1
}

func (t *gasTankTree) Pass() {
	t.boards = append(t.boards, *t.board())
	t.mover, t.ply = t.mover.Other(), t.ply+1
}

func (t *gasTankTree) Back() {
	t.boards = t.boards[:len(t.boards)-1]
	t.mover, t.ply = t.mover.Other(), t.ply-1
}

func (t *gasTankTree) Fork() tree { return t.weights.newTree(*t.board(), t.mover, t.ply, t.plies) }
