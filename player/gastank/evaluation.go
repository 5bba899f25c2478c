package gastank

import (
	"luzhanqi/game"
	"luzhanqi/game/gastank"
)

// tankWorth is what taking a piece is worth by kind and gas. One with an empty tank still stands in the
// way, guards nothing, and is fuel for whoever takes it.
var tankWorth = Textbook.Tanks

// Weights are what was tuned by playing.
type Weights struct {
	Tanks    [5][4]int16 // for each piece, by kind and gas
	Mobile   [5]int32    // by kind, for each square without a piece of its own that one with gas reaches
	Distance [5]int32    // by kind, for each square that one with gas is away from the enemy's king
	Takes    [5]int32    // by kind, for each enemy that one with gas could take
	Eats     [5]int32    // by kind, for each piece of its own that one with gas could take
	Near     int32       // for each piece but the king that reaches a square beside the enemy's king
	Shelter  int32       // for each square beside its own king that no enemy with gas reaches
	GasLate  int32       // for each move of gas when all tanks are empty; less before
	MenLate  int32       // for each piece when all tanks are empty; less before
	Haste    int32       // of the mover, for each enemy that it could take
	Mover    int32       // of the mover
}

// Defaults are a logistic regression on the results of games that strong played against itself
// (player/gastank/tune).
var Defaults = Weights{
	Tanks: [5][4]int16{
		gastank.King:   {-217, 172, 266, 305},
		gastank.Knight: {41, 231, 289, 291},
		gastank.Bishop: {-14, 190, 250, 253},
		gastank.Queen:  {-10, 497, 620, 631},
	},
	Mobile:   [5]int32{gastank.King: 20, gastank.Knight: 10, gastank.Bishop: 1, gastank.Queen: 2},
	Distance: [5]int32{gastank.King: -53, gastank.Knight: -26, gastank.Bishop: -8, gastank.Queen: -43},
	Takes:    [5]int32{gastank.King: 169, gastank.Knight: 60, gastank.Bishop: 81, gastank.Queen: 30},
	Eats:     [5]int32{gastank.King: 58, gastank.Knight: 35, gastank.Bishop: 18, gastank.Queen: 29},
	Shelter:  -15, GasLate: 86, MenLate: 205, Haste: 77, Mover: -31,
}

// Textbook are what everybody would begin with.
var Textbook = Weights{
	Tanks: [5][4]int16{
		gastank.King:   {0, 128, 176, 204},
		gastank.Knight: {40, 188, 256, 304},
		gastank.Bishop: {40, 208, 276, 324},
		gastank.Queen:  {60, 388, 536, 624},
	},
	Mobile: [5]int32{gastank.King: 3, gastank.Knight: 3, gastank.Bishop: 3, gastank.Queen: 3},
	Near:   25, Shelter: 6,
}

// FullTanks is the gas in all tanks at the beginning.
const FullTanks = 36

func (t *tree) Evaluate() int32 {
	b := t.Board()
	w := t.weights
	late := FullTanks - int32(gasLeft(b, game.First)+gasLeft(b, game.Second))
	ours, threats := w.judge(b, t.Mover(), late)
	theirs, _ := w.judge(b, t.Mover().Other(), late)
	return w.Mover + w.Haste*threats + ours - theirs
}

// judge is what a side has, without regard to the other's own, and how many enemies it could take. late is how
// much gas was burnt.
func (w *Weights) judge(b *gastank.Board, side game.Side, late int32) (score, threats int32) {
	men, enemies := b.Of(side), b.Of(side.Other())
	king, _ := b.King(side.Other())
	around := gastank.KingSteps(king)
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
			kind, to = gastank.Knight, gastank.KnightSteps(sq)
		case bishops.Has(sq):
			kind, to = gastank.Bishop, gastank.Diagonals(occupied, sq)
		case kings.Has(sq):
			kind, to = gastank.King, gastank.KingSteps(sq)
		default:
			to = gastank.KnightSteps(sq) | gastank.Diagonals(occupied, sq)
		}
		score += int32(w.Tanks[kind][gas]) + (w.GasLate*gas+w.MenLate)*late/FullTanks
		if gas == 0 {
			continue
		}
		covered |= to
		takes := int32((to & enemies).Len())
		threats += takes
		score += w.Mobile[kind]*int32((to&^men).Len()) + w.Distance[kind]*distances[king][sq] +
			w.Takes[kind]*takes + w.Eats[kind]*int32((to&men).Len())
		if w.Near != 0 && to&around != 0 && kind != gastank.King {
			score += w.Near
		}
	}
	return score - w.Shelter*int32((around&^covered).Len()), threats
}
