// Package gastank is what is peculiar to players of GasTank chess: the tree that the search walks, and
// the evaluation, whose weights the command tune below this folder fits.
package gastank

import (
	"luzhanqi/game"
	"luzhanqi/game/gastank"
	"luzhanqi/player"
	"luzhanqi/player/alphabeta"
)

// Levels are the levels of GasTank chess.
func Levels() []player.Level { return alphabeta.Levels(Search, 75, 1_000) }

// Search is how GasTank chess is searched. Every move burns gas or takes a piece, so nothing recurs, every
// game ends, and a proof found anywhere holds everywhere, unless a match has a cap of plies.
var Search = alphabeta.Game{
	Rules:    alphabeta.Rules{Stuck: -1, Captures: true, Futile: 90, Window: 30, TableSize: 22},
	NewTree:  Defaults.NewTree,
	Textbook: Textbook.NewTree,
	Patience: 0.6,
}

// tree is a stack of GasTank boards.
type tree struct {
	alphabeta.Stack[gastank.Board]
	weights *Weights
	moves   []game.Move // room for those of one position
}

// NewTree is a tree whose positions are judged by the weights.
func (w *Weights) NewTree(v game.View, cap int) alphabeta.Tree {
	view := v.(gastank.View)
	return w.newTree(alphabeta.NewStack(view.Board(), view.Side(), view.Ply(), cap))
}

func (w *Weights) newTree(s alphabeta.Stack[gastank.Board]) *tree {
	return &tree{Stack: s, weights: w, moves: make([]game.Move, 0, 256)}
}

// Fork implements alphabeta.Tree, and so on.
func (t *tree) Fork() alphabeta.Tree { return t.weights.newTree(t.Stack.Fork()) }

func (t *tree) Key() uint64 { return t.Keyed(t.Board().Key(t.Mover())) }

// Over: a king is gone by the enemy's last move, so only the mover's can be. Having no move counts before the
// cap does.
func (t *tree) Over() (int, bool) {
	b := t.Board()
	if _, alive := b.King(t.Mover()); !alive {
		return -1, true
	}
	switch {
	case !t.AtCap():
		return 0, false
	case !b.HasMove(t.Mover()):
		return -1, true
	}
	return 0, true
}

func (t *tree) WinsNext() bool { return attacksKing(t.Board(), t.Mover()) }

func (t *tree) InCheck() bool { return attacksKing(t.Board(), t.Mover().Other()) }

// attacksKing says whether a side could take the enemy's king if it were its turn.
func attacksKing(b *gastank.Board, side game.Side) bool {
	king, ok := b.King(side.Other())
	if !ok {
		return false
	}
	men := b.Of(side) & b.Fuelled()
	bishops, knights, queens := b.With(gastank.Bishop), b.With(gastank.Knight), b.With(gastank.Queen)
	if (knights|queens)&men&gastank.KnightSteps(king) != 0 || b.With(gastank.King)&men&gastank.KingSteps(king) != 0 {
		return true
	}
	sliders := (bishops | queens) & men & diagonals[king]
	return sliders != 0 && sliders&gastank.Diagonals(b.Occupied(), king) != 0
}

// diagonals are those through a square, and distances how many steps of a king two squares are apart.
var diagonals, distances = func() (lines [64]gastank.Squares, steps [64][64]int32) {
	for sq := range 56 {
		lines[sq] = gastank.Diagonals(0, game.Square(sq))
		for to := range 56 {
			df, dr := to%8-sq%8, to/8-sq/8
			steps[sq][to] = int32(max(df, -df, dr, -dr))
		}
	}
	return lines, steps
}()

// NullMoveOK: with little gas, moves are what both sides run out of.
func (t *tree) NullMoveOK() bool { return gasLeft(t.Board(), t.Mover()) >= 12 }

// gasLeft is how many moves a side's tanks hold.
func gasLeft(b *gastank.Board, side game.Side) int {
	men := b.Of(side)
	return (men & b.WithGas(1)).Len() + 2*(men&b.WithGas(2)).Len() + 3*(men&b.WithGas(3)).Len()
}

func (t *tree) Moves(dst []alphabeta.Move) []alphabeta.Move {
	t.moves = t.Board().Moves(t.Mover(), t.moves[:0])
	for _, m := range t.moves {
		dst = append(dst, alphabeta.Move{Move: m, Gain: t.Gain(m)})
	}
	return dst
}

// Gain is negative for taking an own piece, which may still be worth its gas.
func (t *tree) Gain(m game.Move) int16 {
	b := t.Board()
	switch {
	case b.Of(t.Mover().Other()).Has(m.To):
		return takeGain(b, m)
	case b.Of(t.Mover()).Has(m.To):
		return -takeWorth(b, m.To)
	}
	return 0
}

func (t *tree) Captures(dst []alphabeta.Move) []alphabeta.Move {
	b := t.Board()
	enemy := b.Of(t.Mover().Other())
	for men := b.Of(t.Mover()) & b.Fuelled(); men != 0; men &= men - 1 {
		from := men.First()
		for to := b.Targets(from) & enemy; to != 0; to &= to - 1 {
			m := game.Move{From: from, To: to.First()}
			dst = append(dst, alphabeta.Move{Move: m, Gain: takeGain(b, m)})
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
	return max(1, takeWorth(b, m.To)+tankWorth[taker][3]-tankWorth[taker][b.Gas(m.From)]-tankWorth[taker][3]/16)
}

func takeWorth(b *gastank.Board, sq game.Square) int16 { return tankWorth[b.Kind(sq)][b.Gas(sq)] }

func (t *tree) Play(m game.Move) { t.Push().Play(m) }
