package gastank

import (
	"math/rand/v2"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/gastank"
	"luzhanqi/player/alphabeta"
)

// A win that was proven is won, in no more plies than were promised, whoever plays against it and however few positions
// there are for each move.
func TestProvenWinsAreWon(t *testing.T) {
	proofs, longest := 0, 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 41))
		p := gastank.NewPosition()
		for range 4 {
			p = drawn(p, r)
		}
		var players [2]*alphabeta.Player
		for side := range players {
			players[side] = searching(1_000 + 2_000*side)
		}
		var by [2]int // the ply by which each side has proven that it wins
		for {
			if o, over := p.Outcome(); over {
				for side, ply := range by {
					if ply > 0 && (o.Draw || o.Winner != game.Side(side) || p.Ply() > ply) {
						t.Errorf("seed %d: player %d had proven a win by ply %d; the end is %+v at ply %d", seed, side+1, ply, o, p.Ply())
					}
				}
				break
			}
			side := p.Mover()
			m := players[side].Choose(p.View(side), time.Time{}, r)
			e, _ := players[side].Explain()
			switch {
			case by[side] == 0 && e.Wins > 0:
				proofs++
				longest = max(longest, e.Wins)
				by[side] = p.Ply() + e.Wins
			case by[side] > 0 && !e.Forced && (e.Wins == 0 || p.Ply()+e.Wins > by[side]):
				t.Errorf("seed %d, ply %d: wins %d, loses %d, but a win by ply %d was proven\n%s", seed, p.Ply(), e.Wins, e.Loses, by[side], p.Draw(game.DrawStyle{}))
				by[side] = max(by[side], p.Ply()+e.Wins)
			}
			p = p.Play(m).(gastank.Position)
		}
	}
	t.Logf("%d proofs, the longest of %d plies", proofs, longest)
	if proofs < 15 || longest < 7 {
		t.Errorf("%d proofs, the longest of %d plies, are too few", proofs, longest)
	}
}
