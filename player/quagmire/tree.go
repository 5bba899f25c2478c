// Package quagmire is what is peculiar to players of Quagmire: the tree that the search walks, and the
// evaluation.
package quagmire

import (
	"slices"

	"luzhanqi/game"
	"luzhanqi/game/quagmire"
	"luzhanqi/player"
	"luzhanqi/player/alphabeta"
)

// Levels are the levels of Quagmire. The evaluation sees to it that greedy is hard to beat, and seldom wins: so it is no rung. What never
// blunders draws, and what slips loses: the rungs are one search that slips more or less.
func Levels() []player.Level {
	all := alphabeta.Levels(Search)
	greedy := &all[slices.IndexFunc(all, func(l player.Level) bool { return l.Name == "greedy" })]
	greedy.Style, greedy.Summary = true, greedy.Summary+": a style that draws, no rung between its neighbours"
	return all
}

// Search is how Quagmire is searched. Nothing is ever captured, and positions can recur, which leads
// nearer to the draw at the cap.
var Search = alphabeta.Game{
	Rules:    alphabeta.Rules{Stuck: -1, Repeats: true, Futile: 100, Window: 40, TableSize: 20},
	NewTree:  Defaults.NewTree,
	Textbook: (&Weights{Room: 10}).NewTree,
	Patience: 0.8,
	Easy:     220, // with more, medium draws with it too often to be the next rung
}

// tree is a stack of Quagmire boards.
type tree struct {
	alphabeta.Stack[quagmire.Board]
	weights *Weights
	moves   []game.Move // room for those of one position
}

// NewTree is a tree whose positions are judged by the weights.
func (w *Weights) NewTree(v game.View, cap int) alphabeta.Tree {
	view := v.(*quagmire.View)
	return w.newTree(alphabeta.NewStack(view.Board(), view.Side(), view.Ply(), cap))
}

func (w *Weights) newTree(s alphabeta.Stack[quagmire.Board]) *tree {
	return &tree{Stack: s, weights: w, moves: make([]game.Move, 0, 256)}
}

// Fork implements alphabeta.Tree, and so on.
func (t *tree) Fork() alphabeta.Tree { return t.weights.newTree(t.Stack.Fork()) }

func (t *tree) Key() uint64 { return t.Keyed(t.Board().Key(t.Mover())) }

// Over: who has just moved and left a piece in Quagmire has lost. Having no move counts before the cap does.
func (t *tree) Over() (int, bool) {
	switch b := t.Board(); {
	case b.Quagmired(t.Mover().Other()) != 0:
		return 1, true
	case !t.AtCap():
		return 0, false
	case !b.HasMove(t.Mover()):
		return -1, true
	}
	return 0, true
}

// WinsNext: whether the enemy can be left without a relief takes more than a look.
func (t *tree) WinsNext() bool { return false }

// InCheck: a piece in Quagmire must be freed now.
func (t *tree) InCheck() bool { return t.Board().Quagmired(t.Mover()) != 0 }

// NullMoveOK: a side that still has room for nearly every piece can make a harmless move.
func (t *tree) NullMoveOK() bool {
	b := t.Board()
	own := b.Of(t.Mover())
	free := freeAround(^b.Occupied())
	return (own & (free[0] | free[1] | free[2])).Len() <= 5
}

func (t *tree) Moves(dst []alphabeta.Move) []alphabeta.Move {
	t.moves = t.Board().Moves(t.Mover(), t.moves[:0])
	for _, m := range t.moves {
		dst = append(dst, alphabeta.Move{Move: m})
	}
	return dst
}

func (t *tree) Gain(game.Move) int16 { return 0 }

func (t *tree) Captures(dst []alphabeta.Move) []alphabeta.Move { return dst }

func (t *tree) Play(m game.Move) { t.Push().Play(m) }
