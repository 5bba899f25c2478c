package luzhanqi

import (
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// What world a turn is played in, and how good a candidate is on the whole, say nothing of the moves behind it: only what a
// playout returned beyond both does. A candidate that draws was not played out.
func TestMovesAreJudgedBesideTheirTurn(t *testing.T) {
	const us = game.Second
	key := keyOf(luzhanqi.Bomb, 7)
	candidates := []candidate{
		{visits: 10, sum: 30_000}, // 3,000 each
		{visits: 10, sum: 10_000},
		{draw: true},
	}
	var a averages
	for _, world := range []int64{-4_000, 0, 4_000} {
		a.learn(us, candidates, []line{
			{value: 3_000 + world + 200, n: 2, moves: [32]moveKey{0: key, 1: keyOf(luzhanqi.Engineer, 9)}},
			{value: 1_000 + world - 200, n: 1, moves: [32]moveKey{0: keyOf(luzhanqi.Bomb, 8)}},
			{value: 9_999}, // of a turn before, which it cannot have
		})
	}
	for _, test := range []struct {
		side game.Side
		key  moveKey
		sum  int64
	}{
		{us.Other(), key, 600},
		{us.Other(), keyOf(luzhanqi.Bomb, 8), -600},
		{us, keyOf(luzhanqi.Engineer, 9), 600},
	} {
		if got := a[test.side][test.key]; got.n != 3 || got.sum != test.sum {
			t.Errorf("side %d, move %d: %+v, must be 3 playouts with %d", test.side, test.key, got, test.sum)
		}
		a[test.side][test.key].n = 0
	}
	for side := range a {
		for k, of := range a[side] {
			if of.n != 0 {
				t.Errorf("side %d has learned of move %d, which nobody made", side, k)
			}
		}
	}
}

// A side prefers what is good for it, the more the oftener it was seen, and within bounds.
func TestEachSidePrefersWhatIsGoodForIt(t *testing.T) {
	var a averages
	for side := range a {
		for i, n := range []int64{0, 1, 1_000, 1_000_000} {
			a[side][i].n, a[side][i].sum = n, 200*n
		}
		a[side][9].n, a[side][9].sum = 1_000_000, 5_000*1_000_000
		a[side][10].n, a[side][10].sum = 1_000_000, -5_000*1_000_000
	}
	for us := range game.Side(2) {
		p := a.preferences(us)
		own, enemy := &p[us], &p[us.Other()]
		if !(own[0] == 0 && own[0] < own[1] && own[1] < own[2]/2 && own[2] < own[3] && own[3] < own[9] && own[9] == maxPreferred && own[10] == -maxPreferred) {
			t.Errorf("we prefer %v and %v, %v", own[:4], own[9], own[10])
		}
		for k := range own {
			if enemy[k] != -own[k] {
				t.Fatalf("move %d is worth %d to us, and %d to the enemy, for whom it is as bad", k, own[k], enemy[k])
			}
		}
	}
}

// Playouts keep their moves: who made them, with which rank, and where they went.
func TestPlayoutsKeepTheirMoves(t *testing.T) {
	worlds := benchWorlds(t, 40, 4)
	for n, w := range worlds {
		var l line
		s, r := w.start, newRNG(1, 0, n)
		plies := w.playout(&s, 20, &r, &moveBuffer{line: &l})
		if l.n != plies || plies == 0 {
			t.Fatalf("%d moves of %d plies", l.n, plies)
		}
		again, r := w.start, newRNG(1, 0, n)
		var b moveBuffer
		for _, k := range l.moves[:l.n] {
			from, to, _ := w.soft(&again, &r, &b)
			if k != keyOf(again.rank[from], to) {
				t.Fatalf("move %v, must be %v to %v", k, again.rank[from], to)
			}
			again.play(from, to)
		}
	}
}

// What is preferred is made, and what is not is shunned.
func TestPreferredMovesAreMade(t *testing.T) {
	w := benchWorlds(t, 0, 1)[0]
	for name, choose := range map[string]func(*state, *rng, *moveBuffer) (game.Square, game.Square, bool){"quick": w.quick, "policy": w.soft} {
		keys := map[moveKey]int{}
		often := func(p *preferences, key moveKey) (made int) {
			b := moveBuffer{prefer: p}
			for n := range 400 {
				s, r := w.start, newRNG(1, 0, n)
				from, to, _ := choose(&s, &r, &b)
				k := keyOf(s.rank[from], to)
				if p == nil {
					keys[k]++
				}
				if k == key {
					made++
				}
			}
			return made
		}
		often(nil, 0)
		// One of several that are made. The quick policy looks at few, and makes the same one whenever it sees it: of its own, the first.
		s, r := w.start, newRNG(1, 0, 0)
		from, to, _ := choose(&s, &r, &moveBuffer{})
		key := keyOf(s.rank[from], to)
		if name == "policy" {
			for k, n := range keys {
				if n >= 20 && n <= 120 && (keys[key] > 120 || n > keys[key] || n == keys[key] && k < key) {
					key = k
				}
			}
		}
		var p preferences
		p[w.start.mover][key] = maxPreferred
		if after := often(&p, key); after < 2*keys[key] {
			t.Errorf("%s: a move is made %d times of 400, and preferred %d times", name, keys[key], after)
		}
		p[w.start.mover][key] = -maxPreferred
		if after := often(&p, key); after > keys[key]/2 {
			t.Errorf("%s: a move is made %d times of 400, and where it was bad %d times", name, keys[key], after)
		}
	}
}
