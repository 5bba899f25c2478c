package luzhanqi

import (
	"math/rand/v2"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/network"
	"luzhanqi/player/luzhanqi/tables"
)

// ending draws a position of a few pieces, the flags in headquarters with what may guard them.
func ending(r *rand.Rand) luzhanqi.Board {
	var b luzhanqi.Board
	for side, hqs := range [2][2]game.Square{{1, 3}, {56, 58}} {
		flag := hqs[r.IntN(2)]
		b.Put(flag, game.Side(side), luzhanqi.Flag)
		for sq := range tables.Paths[flag].Attackers.All() {
			if r.IntN(2) == 0 {
				b.Put(sq, game.Side(side), luzhanqi.Landmine)
			}
		}
		for range 1 + r.IntN(2) {
			sq := game.Square(r.IntN(tables.SquareCount))
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
		return forcedLoss
	}
	if depth == 0 {
		return unknown
	}
	best := forcedLoss
	for _, m := range b.Moves(mover, nil) {
		next := *b
		if result, _, _ := next.Play(m, false); result == luzhanqi.FlagTaken {
			return forcedWin
		}
		if v := -exhaust(&next, mover.Other(), depth-1); v == forcedWin {
			return forcedWin
		} else if v == unknown {
			best = unknown
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
		w := newWorld(&b, mover, false, bySquare())
		const depth = 2
		p := mateSolver{guards: w.guards, nodes: 1 << 30}
		got, shallow := p.solve(&w.start, depth), exhaust(&b, mover, depth)
		if shallow != unknown && got != shallow {
			t.Fatalf("seed %d: %d, must be %d, for player %v in %s", seed, got, shallow, mover, b.String())
		}
		if got == unknown {
			continue
		}
		deep := shallow
		for plies := depth; deep == unknown && plies < 5; plies++ {
			deep = exhaust(&b, mover, plies)
		}
		if deep != unknown && deep != got {
			t.Fatalf("seed %d: %d, must be %d, for player %v in %s", seed, got, deep, mover, b.String())
		}
		switch {
		case got == forcedWin:
			wins++
		default:
			losses++
		}
		if shallow == unknown {
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
		w := newWorld(&b, game.First, false, bySquare())
		p := mateSolver{guards: w.guards, nodes: 0}
		if got := p.solve(&w.start, 3); got != unknown && exhaust(&b, game.First, 3) != got {
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
		w := newWorld(&b, game.First, false, bySquare())
		if got := w.fortress(&w.start, game.First); got != want {
			t.Errorf("%s: %v, must be %v", text, got, want)
		}
		if got := w.evaluation(&w.start, game.First, network.Default()); want && got < -2000 {
			t.Errorf("%s: behind a fortress it is worth %d", text, got)
		}
	}
}
