package main

import (
	"fmt"
	"slices"

	"luzhanqi/game"
	rules "luzhanqi/game/gastank"
	"luzhanqi/player/gastank"
)

// tuned is a position of a game: what the first player has more of than the second, and the result.
type tuned struct {
	terms  []float64
	result float64 // 1: the first player won
}

// evaluated are the names of what is counted, and the weights as they are.
func evaluated() (names []string, weights []float64) {
	w := gastank.Defaults
	add := func(name string, weight float64) { names, weights = append(names, name), append(weights, weight) }
	for _, kind := range tunedKinds {
		for gas := range 4 {
			add(fmt.Sprintf("%v %d", kind, gas), float64(w.Tanks[kind][gas]))
		}
	}
	for _, kind := range tunedKinds {
		add(fmt.Sprintf("mobile %v", kind), float64(w.Mobile[kind]))
		add(fmt.Sprintf("distance %v", kind), float64(w.Distance[kind]))
		add(fmt.Sprintf("takes %v", kind), float64(w.Takes[kind]))
		add(fmt.Sprintf("eats %v", kind), float64(w.Eats[kind]))
	}
	add("shelter", float64(w.Shelter))
	add("gas late", float64(w.GasLate))
	add("men late", float64(w.MenLate))
	add("haste", float64(w.Haste))
	add("mover", float64(w.Mover))
	return names, weights
}

var tunedKinds = []rules.Kind{rules.King, rules.Knight, rules.Bishop, rules.Queen}

// countTerms is what the first player has more of.
func countTerms(b *rules.Board, mover game.Side) []float64 {
	late := float64(gastank.FullTanks-gasLeft(b)) / gastank.FullTanks
	terms := countSide(b, game.First, late, mover)
	for i, x := range countSide(b, game.Second, late, mover) {
		terms[i] -= x
	}
	return terms
}

// countSide counts in the order of evaluated.
func countSide(b *rules.Board, s game.Side, late float64, mover game.Side) []float64 {
	n := len(tunedKinds)
	terms := make([]float64, 8*n+5)
	rest := terms[8*n:]
	enemyKing, _ := b.King(s.Other())
	ownKing, _ := b.King(s)
	var covered rules.Squares
	for left := b.Of(s.Other()) & b.Fuelled(); left != 0; left &= left - 1 {
		covered |= b.Targets(left.First())
	}
	for left := b.Of(s); left != 0; left &= left - 1 {
		sq := left.First()
		i := slices.Index(tunedKinds, b.Kind(sq))
		terms[4*i+b.Gas(sq)]++
		rest[1] += late * float64(b.Gas(sq))
		rest[2] += late
		if b.Gas(sq) == 0 {
			continue
		}
		to := b.Targets(sq)
		takes := float64((to & b.Of(s.Other())).Len())
		k := terms[4*n+4*i:]
		k[0] += float64((to &^ b.Of(s)).Len())
		k[1] += float64(distance(enemyKing, sq))
		k[2] += takes
		k[3] += float64((to & b.Of(s)).Len())
		if mover == s {
			rest[3] += takes
		}
	}
	rest[0] = float64((beside(ownKing) &^ covered).Len())
	if mover == s {
		rest[4] = 1
	}
	return terms
}

// gasLeft is how many moves all tanks hold.
func gasLeft(b *rules.Board) (gas int) {
	for left := b.Occupied(); left != 0; left &= left - 1 {
		gas += b.Gas(left.First())
	}
	return gas
}

// distance is how many steps of a king two squares are apart.
func distance(a, b game.Square) int {
	df, dr := int(a)%8-int(b)%8, int(a)/8-int(b)/8
	return max(df, -df, dr, -dr)
}

// beside are the squares beside one.
func beside(sq game.Square) (all rules.Squares) {
	for to := range game.Square(56) {
		if distance(sq, to) == 1 {
			all |= rules.Bit(to)
		}
	}
	return all
}
