package player

import (
	"luzhanqi/game"
	"luzhanqi/game/gastank"
)

// gasTankTanks is what a piece is worth by kind and gas. One with an empty tank still stands in the
// way, guards nothing, and is fuel for whoever takes it.
var gasTankTanks = [5][4]int16{
	gastank.King:   {0, 120, 160, 180},
	gastank.Knight: {40, 180, 240, 280},
	gastank.Bishop: {40, 200, 260, 300},
	gastank.Queen:  {60, 380, 520, 600},
}

// gasTankWeights are what was tuned by playing.
type gasTankWeights struct {
	mobile  int32 // for each square that a piece with gas can reach
	near    int32 // for each piece with gas that reaches a square beside the enemy's king
	tempo   int32 // for each move of gas more than the enemy has
	shelter int32 // for each square beside its own king that no enemy with gas reaches
}

var gasTankDefaults = gasTankWeights{mobile: 3, near: 25, tempo: 8, shelter: 6}

func (t *gasTankTree) Evaluate() int32 {
	b := t.board()
	w := t.weights
	return w.judge(b, t.mover) - w.judge(b, t.mover.Other())
}

// judge is what a side has, without regard to the other's own.
func (w *gasTankWeights) judge(b *gastank.Board, side game.Side) (score int32) {
	men := b.Of(side)
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
		score += int32(gasTankTanks[kind][gas]) + w.tempo*gas
		if gas == 0 {
			continue
		}
		score += w.mobile * int32((to &^ men).Len())
		if to&around != 0 && kind != gastank.King {
			score += w.near
		}
		covered |= to
	}
	return score - w.shelter*int32((around&^covered).Len())
}
