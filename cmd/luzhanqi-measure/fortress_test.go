package main

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player"
)

// The fortress thinks as the frozen level does, whatever becomes of strong.
func TestFortressIsFrozen(t *testing.T) {
	_, fortress := asked(t, "fortress", 600)
	_, frozen := asked(t, "strong-f665184", 600)
	if !slices.Equal(fortress.Candidates, frozen.Candidates) {
		t.Errorf("%v\nmust be as those of the frozen level\n%v", fortress.Candidates, frozen.Candidates)
	}
}

// The fortress stays in its own half, in either seat, where the frozen level, which chooses its moves, does not.
func TestFortress(t *testing.T) {
	if !slices.Contains(others, "fortress") {
		t.Error("it is not of the panel")
	}
	for _, seat := range []game.Side{game.First, game.Second} {
		half := rules.OwnHalf
		if seat == game.Second {
			half = rules.TurnSquares(half)
		}
		left := map[string]int{}
		for _, name := range []string{"fortress", "strong-f665184"} {
			var players [2]player.Player
			var setUps [2]game.SetUp
			for side, who := range map[game.Side]string{seat: name, seat.Other(): "greedy"} {
				p, err := find(rules.Game{}, who, player.Options{Nodes: 1500, Threads: 1})
				if err != nil {
					t.Fatal(err)
				}
				players[side], setUps[side] = p, p.SetUp(rand.New(rand.NewPCG(3, uint64(side))))
			}
			p, err := rules.Game{}.New(game.Rules{}, setUps)
			if err != nil {
				t.Fatal(err)
			}
			for p.Ply() < 80 {
				if _, over := p.Outcome(); over {
					break
				}
				mover := p.Mover()
				m := players[mover].Choose(p.View(mover), time.Now().Add(time.Hour), rand.New(rand.NewPCG(4, uint64(p.Ply()))))
				if mover == seat && !half.Has(m.To) {
					left[name]++
				}
				if mover == seat && name == "fortress" {
					why, _ := players[mover].(player.Explainer).Explain()
					best := slices.IndexFunc(why.Candidates, func(c player.Explained) bool {
						to, err := (rules.Game{}).ParseMove(c.Move)
						return err == nil && half.Has(to.To)
					})
					if best >= 0 && why.Move != rules.MoveName(m) && why.Candidates[best].Move != rules.MoveName(m) {
						t.Errorf("ply %d: %s, of its candidates at home %s is the best", p.Ply(), rules.MoveName(m), why.Candidates[best].Move)
					}
				}
				p = p.Play(m)
			}
		}
		if left["fortress"] > 0 || left["strong-f665184"] == 0 {
			t.Errorf("player %d leaves its half: %v", seat+1, left)
		}
	}
}
