package hiddeninfo

import "luzhanqi/game/luzhanqi"

// Opponent returns what an enemy whose army is the world can still think each own piece is, from
// what both sides have seen: it knows its own ranks, so every combat tells it something about ours.
// A piece's true rank is always in its mask. For probabilities, give the masks to Assignments.
//
// It costs a table look-up for each combat so far, so a search can ask for every world it draws.
func (b *Belief) Opponent(w *World, dst *[Pieces]Mask) {
	own, enemy := b.side, b.side.Other()
	a := &b.evidence.armies[own]
	for p := range dst {
		dst[p] = a.known(Piece(p))
	}
	for _, d := range b.evidence.duels {
		role := Attacked
		if d.attacker == enemy {
			role = Defended
		}
		dst[d.pieces[own]] &= Inference(role, w[d.pieces[enemy]], d.result, b.minesStay)
	}
	for p, rank := range b.ranks {
		if rank != luzhanqi.None && !dst[p].Has(rank) { // only after trouble
			dst[p] = a.facts[moved][p] | Only(rank)
		}
	}
}
