package player

import (
	"math/rand/v2"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// ending draws a position of a few pieces, the flags in headquarters with what may guard them.
func ending(r *rand.Rand) luzhanqi.Board {
	var b luzhanqi.Board
	for side, hqs := range [2][2]game.Square{{1, 3}, {56, 58}} {
		flag := hqs[r.IntN(2)]
		b.Put(flag, game.Side(side), luzhanqi.Flag)
		for sq := range ways[flag].attackers.All() {
			if r.IntN(2) == 0 {
				b.Put(sq, game.Side(side), luzhanqi.Landmine)
			}
		}
		for range 1 + r.IntN(2) {
			sq := game.Square(r.IntN(squareCount))
			if _, _, taken := b.At(sq); !taken && !luzhanqi.Headquarters.Has(sq) {
				ranks := [...]luzhanqi.Rank{luzhanqi.Engineer, luzhanqi.Captain, luzhanqi.General, luzhanqi.Bomb}
				b.Put(sq, game.Side(side), ranks[r.IntN(len(ranks))])
			}
		}
	}
	return b
}

// exhaust is the plain search of all moves, by the rules' own board.
func exhaust(b *luzhanqi.Board, mover game.Side, depth int) int8 {
	if !b.HasMove(mover) {
		return provenLoss
	}
	if depth == 0 {
		return unproven
	}
	best := provenLoss
	for _, m := range b.Moves(mover, nil) {
		next := *b
		if result, _, _ := next.Play(m, false); result == luzhanqi.FlagTaken {
			return provenWin
		}
		if v := -exhaust(&next, mover.Other(), depth-1); v == provenWin {
			return provenWin
		} else if v == unproven {
			best = unproven
		}
	}
	return best
}

// What is proven is so, and what a plain search of the same depth finds is found.
func TestProofsAgreeWithExhaustion(t *testing.T) {
	wins, losses, threats := 0, 0, 0
	for seed := range uint64(400) {
		r := newRand(seed)
		b := ending(r)
		mover := game.Side(r.IntN(2))
		d := &dealer{worth: values{weights, weights}, truth: &b}
		w := &world{worth: d.worth}
		w.start = newState(&b, mover, false, d.numbering())
		w.start.value(&w.worth)
		w.guard()
		const depth = 2
		p := prover{worth: &w.worth, guards: w.guards, nodes: 1 << 30}
		got, shallow := p.solve(&w.start, depth), exhaust(&b, mover, depth)
		if shallow != unproven && got != shallow {
			t.Fatalf("seed %d: %d, must be %d, for player %v in %s", seed, got, shallow, mover, b.String())
		}
		if got == unproven {
			continue
		}
		deep := shallow
		for plies := depth; deep == unproven && plies < 5; plies++ {
			deep = exhaust(&b, mover, plies)
		}
		if deep != unproven && deep != got {
			t.Fatalf("seed %d: %d, must be %d, for player %v in %s", seed, got, deep, mover, b.String())
		}
		switch {
		case got == provenWin:
			wins++
		default:
			losses++
		}
		if shallow == unproven {
			threats++
		}
	}
	if wins < 20 || losses < 20 || threats < 3 {
		t.Errorf("only %d wins, %d losses, %d of them by threats: the test says too little", wins, losses, threats)
	}
}

// Out of nodes, nothing is proven.
func TestProofsNeedNodes(t *testing.T) {
	for seed := range uint64(100) {
		b := ending(newRand(seed))
		d := &dealer{worth: values{weights, weights}, truth: &b}
		w := &world{worth: d.worth}
		w.start = newState(&b, game.First, false, d.numbering())
		w.start.value(&w.worth)
		w.guard()
		p := prover{worth: &w.worth, guards: w.guards, nodes: 0}
		if got := p.solve(&w.start, 3); got != unproven && exhaust(&b, game.First, 3) != got {
			t.Fatalf("seed %d: %d without nodes", seed, got)
		}
	}
}

// A side whose flag stands behind landmines that the enemy cannot pass does not count as lost.
func TestFortress(t *testing.T) {
	for text, want := range map[string]bool{
		"B1:F1 A1:L1 C1:L1 B2:L1 A6:31 C6:31 D12:F2 E7:92 ":       true,  // one attacker dies at the first landmine
		"B1:F1 A1:L1 C1:L1 B2:L1 A6:31 C6:31 D12:F2 E7:12 ":       false, // an engineer
		"B1:F1 A1:L1 C1:L1 B2:L1 A6:31 C6:31 D12:F2 E7:92 E8:82 ": false, // two attackers
		"B1:F1 A1:L1 C1:L1 A6:31 C6:31 D12:F2 E7:92 ":             false, // an open gate
		"B1:F1 A1:L1 C1:L1 B2:31 A6:31 C6:31 D12:F2 E7:92 ":       false, // a gate whose guard will move
		"B1:F1 A1:L1 C1:L1 B2:L1 A6:31 D12:F2 E7:92 ":             false, // the last mover can be hunted down
	} {
		b, err := luzhanqi.ParseBoard(strings.TrimSpace(text))
		if err != nil {
			t.Fatal(err)
		}
		d := &dealer{worth: values{weights, weights}, truth: &b}
		w := &world{worth: d.worth}
		w.start = newState(&b, game.First, false, d.numbering())
		w.start.value(&w.worth)
		w.guard()
		if got := w.fortress(&w.start, game.First); got != want {
			t.Errorf("%s: %v, must be %v", text, got, want)
		}
		if got := w.evaluation(&w.start, game.First, leaves); want && got < -2000 {
			t.Errorf("%s: behind a fortress it is worth %d", text, got)
		}
	}
}
