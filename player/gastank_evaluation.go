package player

import (
	"luzhanqi/game"
	"luzhanqi/game/gastank"
)

// gasTankTanks is what taking a piece is worth by kind and gas. One with an empty tank still stands in the
// way, guards nothing, and is fuel for whoever takes it.
var gasTankTanks = gasTankTextbook.tanks

// gasTankWeights are what was tuned by playing.
type gasTankWeights struct {
	tanks    [5][4]int16 // for each piece, by kind and gas
	mobile   [5]int32    // by kind, for each square without a piece of its own that one with gas reaches
	distance [5]int32    // by kind, for each square that one with gas is away from the enemy's king
	takes    [5]int32    // by kind, for each enemy that one with gas could take
	eats     [5]int32    // by kind, for each piece of its own that one with gas could take
	near     int32       // for each piece but the king that reaches a square beside the enemy's king
	shelter  int32       // for each square beside its own king that no enemy with gas reaches
	gasLate  int32       // for each move of gas when all tanks are empty; less before
	menLate  int32       // for each piece when all tanks are empty; less before
	haste    int32       // of the mover, for each enemy that it could take
	mover    int32       // of the mover
}

// gasTankDefaults are a logistic regression on the results of games that strong played against itself
// (TestTuneGasTank).
var gasTankDefaults = gasTankWeights{
	tanks: [5][4]int16{
		gastank.King:   {-217, 172, 266, 305},
		gastank.Knight: {41, 231, 289, 291},
		gastank.Bishop: {-14, 190, 250, 253},
		gastank.Queen:  {-10, 497, 620, 631},
	},
	mobile:   [5]int32{gastank.King: 20, gastank.Knight: 10, gastank.Bishop: 1, gastank.Queen: 2},
	distance: [5]int32{gastank.King: -53, gastank.Knight: -26, gastank.Bishop: -8, gastank.Queen: -43},
	takes:    [5]int32{gastank.King: 169, gastank.Knight: 60, gastank.Bishop: 81, gastank.Queen: 30},
	eats:     [5]int32{gastank.King: 58, gastank.Knight: 35, gastank.Bishop: 18, gastank.Queen: 29},
	shelter:  -15, gasLate: 86, menLate: 205, haste: 77, mover: -31,
}

// gasTankTextbook are what everybody would begin with.
var gasTankTextbook = gasTankWeights{
	tanks: [5][4]int16{
		gastank.King:   {0, 128, 176, 204},
		gastank.Knight: {40, 188, 256, 304},
		gastank.Bishop: {40, 208, 276, 324},
		gastank.Queen:  {60, 388, 536, 624},
	},
	mobile: [5]int32{gastank.King: 3, gastank.Knight: 3, gastank.Bishop: 3, gastank.Queen: 3},
	near:   25, shelter: 6,
}

// gasTankFull is the gas in all tanks at the beginning.
const gasTankFull = 36

func (t *gasTankTree) Evaluate() int32 {
	b := t.board()
	w := t.weights
	late := gasTankFull - int32(gasLeft(b, game.First)+gasLeft(b, game.Second))
	ours, threats := w.judge(b, t.mover, late)
	theirs, _ := w.judge(b, t.mover.Other(), late)
	return w.mover + w.haste*threats + ours - theirs
}

// judge is what a side has, without regard to the other's own, and how many enemies it could take. late is how
// much gas was burnt.
func (w *gasTankWeights) judge(b *gastank.Board, side game.Side, late int32) (score, threats int32) {
	men, enemies := b.Of(side), b.Of(side.Other())
	king, _ := b.King(side.Other())
	around := gasTankWays.king[king]
	occupied := b.Occupied()
	knights, bishops, kings := b.With(gastank.Knight), b.With(gastank.Bishop), b.With(gastank.King)
	low, high := b.WithGas(1)|b.WithGas(3), b.WithGas(2)|b.WithGas(3)
	var covered gastank.Squares
	for left := men; left != 0; left &= left - 1 {
		sq := left.First()
		gas := int32(low>>sq&1 | high>>sq&1<<1)
		kind := gastank.Queen
		var to gastank.Squares
		switch {
		case knights.Has(sq):
			kind, to = gastank.Knight, gasTankWays.knight[sq]
		case bishops.Has(sq):
			kind, to = gastank.Bishop, diagonals(occupied, sq)
		case kings.Has(sq):
			kind, to = gastank.King, gasTankWays.king[sq]
		default:
			to = gasTankWays.knight[sq] | diagonals(occupied, sq)
		}
		score += int32(w.tanks[kind][gas]) + (w.gasLate*gas+w.menLate)*late/gasTankFull
		if gas == 0 {
			continue
		}
		covered |= to
		takes := int32((to & enemies).Len())
		threats += takes
		score += w.mobile[kind]*int32((to&^men).Len()) + w.distance[kind]*gasTankWays.distance[king][sq] +
			w.takes[kind]*takes + w.eats[kind]*int32((to&men).Len())
		if w.near != 0 && to&around != 0 && kind != gastank.King {
			score += w.near
		}
	}
	return score - w.shelter*int32((around&^covered).Len()), threats
}
