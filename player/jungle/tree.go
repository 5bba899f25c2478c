// Package jungle is what is peculiar to players of Jungle: the tree that the search walks, the evaluation,
// and below this folder the endings of one piece each.
package jungle

import (
	"slices"
	"sync"

	"luzhanqi/game"
	"luzhanqi/game/jungle"
	"luzhanqi/player"
	"luzhanqi/player/alphabeta"
	"luzhanqi/player/jungle/endgame"
)

// Levels are the levels of Jungle.
func Levels() []player.Level { return alphabeta.Levels(Search, 15, 50, 1_500) }

// Search is how Jungle is searched. A position that recurs is no draw by the rules, but leads nearer to
// the one at the cap.
var Search = alphabeta.Game{
	Rules:         alphabeta.Rules{Stuck: -1, Repeats: true, Captures: true, Futile: 60, Window: 25, TableSize: 18},
	NewTree:       func(v game.View, cap int) alphabeta.Tree { return defaultTerms().newTree(v, cap) },
	Textbook:      func(v game.View, cap int) alphabeta.Tree { return textbookTerms().newTree(v, cap) },
	TextbookBelow: true,
	Patience:      0.8,
}

var (
	defaultTerms  = sync.OnceValue(func() *terms { return Default().terms() })
	textbookTerms = sync.OnceValue(Textbook.terms)
)

// tree is a stack of Jungle boards.
type tree struct {
	alphabeta.Stack[jungle.Board]
	terms *terms
	moves [jungle.MaxMoves]game.Move // room for those of one position
}

// trees makes trees that are judged by the terms.
func (t *terms) trees() func(v game.View, cap int) alphabeta.Tree {
	return func(v game.View, cap int) alphabeta.Tree { return t.newTree(v, cap) }
}

func (t *terms) newTree(v game.View, cap int) *tree {
	view := v.(*jungle.View)
	return &tree{Stack: alphabeta.NewStack(view.Board(), view.Side(), view.Ply(), cap), terms: t}
}

// Fork implements alphabeta.Tree, and so on.
func (t *tree) Fork() alphabeta.Tree { return &tree{Stack: t.Stack.Fork(), terms: t.terms} }

func (t *tree) Key() uint64 { return t.Keyed(t.Board().Key(t.Mover())) }

func (t *tree) Over() (int, bool) {
	switch b := t.Board(); {
	case b.Of(t.Mover().Other()).Has(jungle.Den(t.Mover())), b.Of(t.Mover()) == 0: // no piece, no move
		return -1, true
	case !t.AtCap():
		return 0, false
	case !b.HasMove(t.Mover()): // counts before the cap does
		return -1, true
	}
	return 0, true
}

// Solved knows the endings of one piece each; a win that comes too late is none.
func (t *tree) Solved() (value, plies int, ok bool) {
	b := t.Board()
	if red, blue := b.Of(game.First), b.Of(game.Second); red&(red-1)|blue&(blue-1) != 0 {
		return 0, 0, false // more than one
	}
	value, plies, ok = endgame.Look(b, t.Mover())
	if plies > t.Left() {
		return 0, 0, ok
	}
	return value, plies, ok
}

// WinsNext: nobody can be kept from stepping into a den.
func (t *tree) WinsNext() bool {
	return t.Board().Of(t.Mover())&jungle.Steps(jungle.Den(t.Mover().Other())) != 0
}

func (t *tree) InCheck() bool {
	return t.Board().Of(t.Mover().Other())&jungle.Steps(jungle.Den(t.Mover())) != 0
}

// NullMoveOK: with few pieces, who has to move may have to give way.
func (t *tree) NullMoveOK() bool { return t.Board().Of(t.Mover()).Len() >= 4 }

func (t *tree) Moves(dst []alphabeta.Move) []alphabeta.Move {
	b := t.Board()
	enemy := b.Of(t.Mover().Other())
	special := enemy | jungle.Bit(jungle.Den(t.Mover().Other()))
	n := len(dst)
	moves := b.Moves(t.Mover(), t.moves[:0])
	dst = slices.Grow(dst, len(moves))[:n+len(moves)]
	for i, m := range moves {
		dst[n+i] = alphabeta.Move{Move: m}
		if special.Has(m.To) {
			dst[n+i].Gain = t.gain(b, enemy, m)
		}
	}
	return dst
}

func (t *tree) Captures(dst []alphabeta.Move) []alphabeta.Move {
	b := t.Board()
	enemy := b.Of(t.Mover().Other())
	if !t.meets(b, enemy) {
		return dst
	}
	for _, m := range b.Moves(t.Mover(), t.moves[:0]) {
		if enemy.Has(m.To) {
			dst = append(dst, alphabeta.Move{Move: m, Gain: t.gain(b, enemy, m)})
		}
	}
	return dst
}

// Gain implements tree.
func (t *tree) Gain(m game.Move) int16 {
	b := t.Board()
	return t.gain(b, b.Of(t.Mover().Other()), m)
}

// meets says whether any piece of the mover's could move onto an enemy if strength did not matter.
func (t *tree) meets(b *jungle.Board, enemy jungle.Squares) bool {
	var reached jungle.Squares
	for k := range jungle.Kind(jungle.Kinds) {
		reached |= jungle.Reach(t.Mover(), k, b.Square(t.Mover(), k))
	}
	return reached&enemy != 0
}

// gain is the worth of what a move captures, a bit more for a capture by what is worth little.
func (t *tree) gain(b *jungle.Board, enemy jungle.Squares, m game.Move) int16 {
	if m.To == jungle.Den(t.Mover().Other()) {
		return 20_000
	}
	if !enemy.Has(m.To) {
		return 0
	}
	_, victim, _ := b.At(m.To)
	_, taker, _ := b.At(m.From)
	return worth[victim] - worth[taker]/32
}

func (t *tree) Play(m game.Move) {
	b := t.Push()
	*b = b.Play(m)
}

// Evaluate adds up what the pieces are worth where they stand.
func (t *tree) Evaluate() int32 {
	score := t.terms.judge(t.Board())
	if t.Mover() == game.Second {
		score = -score
	}
	return t.Faded(score + t.terms.mover)
}
