package player

import (
	"slices"
	"sync"

	"luzhanqi/game"
	"luzhanqi/game/jungle"
	"luzhanqi/player/jungletable"
)

// jungleGame is Jungle for alphaBeta. A position that recurs is no draw by the rules, but leads
// nearer to the one at the cap.
var jungleGame = treeGame{
	rules:    treeRules{stuck: -1, repeats: true, captures: true, futile: 60, window: 25, size: 18},
	plant:    jungleDefaults.plant,
	patience: 0.8,
}

// jungleTree is a stack of Jungle boards.
type jungleTree struct {
	boards []jungle.Board
	terms  *jungleTerms
	ply    int
	plies  int // of the game after which it is drawn
	mover  game.Side
	room   [jungle.MaxMoves]game.Move
}

// plant spells the default weights out once only.
func (w jungleWeights) plant(v game.View, plies int) tree {
	view := v.(*jungle.View)
	return jungleTermsOnce().newTree(view.Board(), view.Side(), view.Ply(), plies)
}

func (terms *jungleTerms) newTree(b jungle.Board, mover game.Side, ply, plies int) *jungleTree {
	t := &jungleTree{
		boards: make([]jungle.Board, 1, 2*deepest), terms: terms, ply: ply, plies: plies, mover: mover,
	}
	t.boards[0] = b
	return t
}

func (t *jungleTree) board() *jungle.Board { return &t.boards[len(t.boards)-1] }

// Mover implements tree, and so on.
func (t *jungleTree) Mover() game.Side { return t.mover }

func (t *jungleTree) Ply() int { return t.ply }

func (t *jungleTree) Left() int {
	if t.plies == 0 {
		return deepest
	}
	return t.plies - t.ply
}

func (t *jungleTree) Key() uint64 {
	key := t.board().Key(t.mover)
	if left := t.Left(); left < cappedPlies {
		key ^= uint64(left+1) * 0x9e3779b97f4a7c15
	}
	return key
}

func (t *jungleTree) Over() (int, bool) {
	b := t.board()
	if b.Of(t.mover.Other()).Has(jungle.Den(t.mover)) || b.Of(t.mover) == 0 { // no piece, no move
		return -1, true
	}
	if t.plies == 0 || t.ply < t.plies {
		return 0, false
	}
	if !b.HasMove(t.mover) { // counts before the cap does
		return -1, true
	}
	return 0, true
}

// Solved knows the endings of one piece each; a win that comes too late is none.
func (t *jungleTree) Solved() (value, plies int, ok bool) {
	b := t.board()
	if red, blue := b.Of(game.First), b.Of(game.Second); red&(red-1)|blue&(blue-1) != 0 {
		return 0, 0, false // more than one
	}
	value, plies, ok = jungletable.Look(b, t.mover)
	if plies > t.Left() {
		return 0, 0, ok
	}
	return value, plies, ok
}

// Strikes: nobody can be kept from stepping into a den.
func (t *jungleTree) Strikes() bool {
	return t.board().Of(t.mover)&jungle.Steps(jungle.Den(t.mover.Other())) != 0
}

func (t *jungleTree) Pressed() bool {
	return t.board().Of(t.mover.Other())&jungle.Steps(jungle.Den(t.mover)) != 0
}

// MayPass: with few pieces, who has to move may have to give way.
func (t *jungleTree) MayPass() bool { return t.board().Of(t.mover).Len() >= 4 }

func (t *jungleTree) Moves(dst []treeMove) []treeMove {
	b := t.board()
	enemy := b.Of(t.mover.Other())
	special := enemy | jungle.Bit(jungle.Den(t.mover.Other()))
	n := len(dst)
	moves := b.Moves(t.mover, t.room[:0])
	dst = slices.Grow(dst, len(moves))[:n+len(moves)]
	for i, m := range moves {
		dst[n+i] = treeMove{Move: m}
		if special.Has(m.To) {
			dst[n+i].gain = t.gain(b, enemy, m)
		}
	}
	return dst
}

func (t *jungleTree) Captures(dst []treeMove) []treeMove {
	b := t.board()
	enemy := b.Of(t.mover.Other())
	if !t.meets(b, enemy) {
		return dst
	}
	for _, m := range b.Moves(t.mover, t.room[:0]) {
		if enemy.Has(m.To) {
			dst = append(dst, treeMove{Move: m, gain: t.gain(b, enemy, m)})
		}
	}
	return dst
}

// Gain implements tree.
func (t *jungleTree) Gain(m game.Move) int16 {
	b := t.board()
	return t.gain(b, b.Of(t.mover.Other()), m)
}

// meets says whether any piece of the mover's could move onto an enemy if strength did not matter.
func (t *jungleTree) meets(b *jungle.Board, enemy jungle.Squares) bool {
	var reached jungle.Squares
	for k := range jungle.Kind(jungle.Kinds) {
		reached |= jungle.Reach(t.mover, k, b.Square(t.mover, k))
	}
	return reached&enemy != 0
}

// gain is the worth of what a move captures, a bit more for a capture by what is worth little.
func (t *jungleTree) gain(b *jungle.Board, enemy jungle.Squares, m game.Move) int16 {
	if m.To == jungle.Den(t.mover.Other()) {
		return 20_000
	}
	if !enemy.Has(m.To) {
		return 0
	}
	_, victim, _ := b.At(m.To)
	_, taker, _ := b.At(m.From)
	return jungleWorth[victim] - jungleWorth[taker]/32
}

func (t *jungleTree) Play(m game.Move) {
	n := len(t.boards)
	t.boards = slices.Grow(t.boards, 1)[:n+1]
	t.boards[n] = t.boards[n-1].Play(m)
	t.mover, t.ply = t.mover.Other(), t.ply+1
}

func (t *jungleTree) Pass() {
	t.boards = append(t.boards, *t.board())
	t.mover, t.ply = t.mover.Other(), t.ply+1
}

func (t *jungleTree) Back() {
	t.boards = t.boards[:len(t.boards)-1]
	t.mover, t.ply = t.mover.Other(), t.ply-1
}

func (t *jungleTree) Fork() tree { return t.terms.newTree(*t.board(), t.mover, t.ply, t.plies) }

// Evaluate adds up what the pieces are worth where they stand. Near the cap an advantage is worth
// less, since the game will be drawn.
func (t *jungleTree) Evaluate() int32 {
	score := t.terms.judge(t.board())
	if t.mover == game.Second {
		score = -score
	}
	if left := t.Left(); left < fadingPlies {
		score = score * int32(left) / fadingPlies
	}
	return score
}

const fadingPlies = 40

var jungleTermsOnce = sync.OnceValue(func() *jungleTerms { return newJungleTerms(jungleDefaults) })
