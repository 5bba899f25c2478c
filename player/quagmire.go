package player

import (
	"luzhanqi/game"
	"luzhanqi/game/quagmire"
)

// quagmireGame is Quagmire for alphaBeta. Nothing is ever captured, and positions can recur, which
// leads nearer to the draw at the cap.
var quagmireGame = treeGame{
	rules:    treeRules{stuck: -1, repeats: true, futile: 100, window: 40, size: 20},
	plant:    quagmireDefaults.plant,
	textbook: (&quagmireWeights{room: 10}).plant,
	patience: 0.8,
}

// quagmireTree is a stack of Quagmire boards.
type quagmireTree struct {
	boards  []quagmire.Board
	ply     int
	plies   int // of the game after which it is drawn; zero: never
	mover   game.Side
	weights *quagmireWeights
	room    []game.Move
}

func (w *quagmireWeights) plant(v game.View, plies int) tree {
	view := v.(*quagmire.View)
	return w.newTree(view.Board(), view.Side(), view.Ply(), plies)
}

func (w *quagmireWeights) newTree(b quagmire.Board, mover game.Side, ply, plies int) *quagmireTree {
	t := &quagmireTree{
		boards: make([]quagmire.Board, 1, 2*deepest), ply: ply, plies: plies, mover: mover, weights: w, room: make([]game.Move, 0, 256),
	}
	t.boards[0] = b
	return t
}

func (t *quagmireTree) board() *quagmire.Board { return &t.boards[len(t.boards)-1] }

func (t *quagmireTree) Mover() game.Side { return t.mover }

func (t *quagmireTree) Ply() int { return t.ply }

func (t *quagmireTree) Left() int {
	if t.plies == 0 {
		return deepest
	}
	return t.plies - t.ply
}

func (t *quagmireTree) Key() uint64 {
	key := t.board().Key(t.mover)
	if left := t.Left(); left < cappedPlies {
		key ^= uint64(left+1) * 0x9e3779b97f4a7c15
	}
	return key
}

// Over: who has just moved and left a piece in Quagmire has lost. Having no move counts before the cap does.
func (t *quagmireTree) Over() (int, bool) {
	switch b := t.board(); {
	case b.Quagmired(t.mover.Other()) != 0:
		return 1, true
	case t.plies == 0 || t.ply < t.plies:
		return 0, false
	case !b.HasMove(t.mover):
		return -1, true
	}
	return 0, true
}

// Strikes: whether the enemy can be left without a relief takes more than a look.
func (t *quagmireTree) Strikes() bool { return false }

// Pressed: a piece in Quagmire must be freed now.
func (t *quagmireTree) Pressed() bool { return t.board().Quagmired(t.mover) != 0 }

// MayPass: a side that still has room for nearly every piece can make a harmless move.
func (t *quagmireTree) MayPass() bool {
	b := t.board()
	own := b.Of(t.mover)
	free := freeAround(^b.Occupied())
	return (own & (free[0] | free[1] | free[2])).Len() <= 5
}

func (t *quagmireTree) Moves(dst []treeMove) []treeMove {
	t.room = t.board().Moves(t.mover, t.room[:0])
	for _, m := range t.room {
		dst = append(dst, treeMove{Move: m})
	}
	return dst
}

func (t *quagmireTree) Gain(game.Move) int16 { return 0 }

func (t *quagmireTree) Captures(dst []treeMove) []treeMove { return dst }

func (t *quagmireTree) Play(m game.Move) {
	t.boards = append(t.boards, *t.board())
	t.board().Play(m)
	t.mover, t.ply = t.mover.Other(), t.ply+1
}

func (t *quagmireTree) Pass() {
	t.boards = append(t.boards, *t.board())
	t.mover, t.ply = t.mover.Other(), t.ply+1
}

func (t *quagmireTree) Back() {
	t.boards = t.boards[:len(t.boards)-1]
	t.mover, t.ply = t.mover.Other(), t.ply-1
}

func (t *quagmireTree) Fork() tree { return t.weights.newTree(*t.board(), t.mover, t.ply, t.plies) }
