package luzhanqi

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player"
)

// What counts is how many of the enemy's latest moves ended in its own half, while none of its pieces is in ours.
func TestPassivity(t *testing.T) {
	var p passivity
	if got := p.likely(); math.Abs(got-passiveBefore) > 1e-9 {
		t.Errorf("before anything was seen %.3f, not %.3f", got, passiveBefore)
	}
	at := luzhanqi.NewPosition(luzhanqi.RandomSetUp(newRand(1)), luzhanqi.RandomSetUp(newRand(2)), false)
	r := newRand(3)
	count, longest, intruded := 0, 0, false
	for at.Ply() < 300 {
		if _, over := at.Outcome(); over {
			break
		}
		moves := at.Moves(nil)
		m := moves[r.IntN(len(moves))]
		if at.Mover() == game.Second {
			if count++; m.To < 30 {
				count = 0
			}
		}
		at = at.Play(m).(*luzhanqi.Position)
		board := at.Board()
		if board.Of(game.Second)&luzhanqi.HalfOf(game.First)&^luzhanqi.Headquarters != 0 {
			count, intruded = 0, true
		}
		p.update(at.View(game.First).(*luzhanqi.View))
		if p.atHome != count {
			t.Fatalf("ply %d: %d moves at home, not %d", at.Ply(), p.atHome, count)
		}
		longest = max(longest, count)
	}
	if longest < 5 || !intruded {
		t.Fatalf("the enemy stayed at home for %d moves at most, came: %v: the test says nothing", longest, intruded)
	}
	before := 0.0
	for p.atHome = range 60 {
		got := p.likely()
		if got < before || got > mostPassive {
			t.Errorf("after %d moves at home %.3f, after one less %.3f; at most %.1f", p.atHome, got, before, mostPassive)
		}
		before = got
	}
	if before != mostPassive {
		t.Errorf("after 59 moves at home %.3f, not %.1f", before, mostPassive)
	}
	p.update(luzhanqi.NewPosition(luzhanqi.RandomSetUp(newRand(1)), luzhanqi.RandomSetUp(newRand(2)), false).View(game.First).(*luzhanqi.View))
	if p.atHome != 0 {
		t.Errorf("in a new game %d moves at home", p.atHome)
	}
}

// A value is drawn towards that of waiting from below, and in order; so is its error. What is forced, or not behind, stays.
func TestPassiveEnemiesTakeNothing(t *testing.T) {
	of := func(value, passive float64) *candidate {
		return &candidate{bias: 1, passive: passive, visits: 100, sum: int64(value * 100 * 10_000), square: int64((value*value + 0.04) * 100 * 1e8)}
	}
	for _, c := range []struct {
		value, passive, want float64
	}{
		{-0.35, 0, -0.35},
		{-0.35, 0.5, -0.25},
		{-0.35, 0.9, -0.17},
		{-0.95, 0.9, -0.23},
		{-0.10, 0.9, -0.10},
		{0.40, 0.9, 0.40},
	} {
		got := of(c.value, c.passive)
		if math.Abs(got.value()-c.want) > 1e-9 {
			t.Errorf("%.2f, passive by %.1f: %.4f, not %.4f", c.value, c.passive, got.value(), c.want)
		}
		slope := 1.0
		if c.want != c.value {
			slope = 1 - c.passive
		}
		if plain := of(c.value, 0); math.Abs(got.err()-slope*plain.err()) > 1e-9 {
			t.Errorf("%.2f, passive by %.1f: error %.4f, without %.4f", c.value, c.passive, got.err(), plain.err())
		}
	}
	for _, c := range []struct {
		value, passive float64
		waits          bool
	}{{-0.35, mostPassive, true}, {-0.35, 0.89, false}, {-0.10, mostPassive, false}, {0.40, mostPassive, false}} {
		if got := of(c.value, c.passive).waits(); got != c.waits {
			t.Errorf("%.2f, passive by %.2f: waits %v", c.value, c.passive, got)
		}
	}
	forced := of(-0.98, 0.9)
	if forced.mates = []int8{-1, -1}; forced.value() > -0.97 || forced.waits() {
		t.Errorf("a forced end is worth %.2f, waits %v", forced.value(), forced.waits())
	}
}

// stayHome is the move of an enemy that never leaves its half: it takes who comes, goes home, or moves about.
func stayHome(view game.View, r *rand.Rand) game.Move {
	v := view.(*luzhanqi.View)
	home := luzhanqi.HalfOf(v.Side())
	var takes, returns, stays, all []game.Move
	for _, m := range v.Moves(nil) {
		all = append(all, m)
		switch {
		case !home.Has(m.From):
			if !v.Enemy().Has(m.To) && (m.To > m.From) == (v.Side() == game.Second) {
				returns = append(returns, m)
			}
		case !home.Has(m.To):
		case v.Enemy().Has(m.To):
			takes = append(takes, m)
		default:
			stays = append(stays, m)
		}
	}
	for _, some := range [][]game.Move{takes, returns, stays, all} {
		if len(some) > 0 {
			return some[r.IntN(len(some))]
		}
	}
	panic("asked though it cannot move")
}

// Far behind against who never comes, strong keeps most of what it has; without passivity it loses piece after piece.
func TestWaitsWhereNothingNeedBeLost(t *testing.T) {
	t.Parallel()
	lost := func(s Style, seed uint64) int {
		at := farBehind(t, seed)
		before := movable(at, game.First)
		p := NewSearcher(s, player.Options{Nodes: 500, Threads: 1})
		r := newRand(seed)
		for range 250 {
			if _, over := at.Outcome(); over {
				break
			}
			var m game.Move
			if at.Mover() == game.First {
				m = p.Choose(at.View(game.First), time.Time{}, r)
			} else {
				m = stayHome(at.View(game.Second), r)
			}
			at = at.Play(m).(*luzhanqi.Position)
		}
		return before - movable(at, game.First)
	}
	impatient := Strong
	impatient.Passive = false
	var with, without int
	for seed := range uint64(10) {
		with += lost(Strong, seed)
		without += lost(impatient, seed)
	}
	if with*2 > without {
		t.Errorf("%d pieces are lost in ten games, %d by who expects nothing: must be at most half", with, without)
	}
}

// farBehind is a position in which the first side, to move, has four pieces that can move and fewer than half of the second's, which has not left its half for 30 moves.
func farBehind(t *testing.T, seed uint64) *luzhanqi.Position {
	t.Helper()
	for r := newRand(seed); ; {
		at := luzhanqi.NewPosition(luzhanqi.RandomSetUp(r), luzhanqi.RandomSetUp(r), false)
		strong, quiet := &greedy{}, 0
		for quiet < 30 || at.Mover() != game.First {
			if _, over := at.Outcome(); over {
				break
			}
			own, enemy := movable(at, game.First), movable(at, game.Second)
			view := at.View(at.Mover())
			moves := at.Moves(nil)
			m := moves[r.IntN(len(moves))]
			switch {
			case own <= 4 && enemy > 2*own:
				m = stayHome(view, r)
				quiet += int(at.Mover())
				if board := at.Board(); board.Of(game.Second)&luzhanqi.HalfOf(game.First)&^luzhanqi.Headquarters != 0 {
					quiet = 0
				}
			case at.Mover() == game.Second:
				m = strong.Choose(view, time.Time{}, r)
			}
			at = at.Play(m).(*luzhanqi.Position)
		}
		if _, over := at.Outcome(); !over {
			return at
		}
	}
}

// movable is how many pieces of a side can still move.
func movable(p *luzhanqi.Position, side game.Side) (n int) {
	b := p.Board()
	for sq := range (b.Of(side) &^ luzhanqi.Headquarters).All() {
		if _, rank, _ := b.At(sq); rank.Moves() {
			n++
		}
	}
	return n
}

// Only quiet moves in the own half are for waiting, and the likelier the enemy is to wait, the fewer of it storm, but half of them in any case, since who has waited may strike; levels that keep
// their moves expect nothing of the kind.
func TestPassiveEnemiesStormLess(t *testing.T) {
	kinds := map[string]int{}
	for seed := range uint64(20) {
		v := midgame(t, seed, 60)
		for _, style := range []Style{Strong, F665184, medium} {
			for moves, storms := range map[int]int{0: 8, 30: 4} {
				p := NewSearcher(style, player.Options{})
				p.update(v)
				p.passivity.atHome = moves
				s := p.search(v, 1, time.Second)
				if !style.Passive {
					storms = style.Storms
				}
				if s.storms != storms {
					t.Errorf("after %d moves at home %d of 16 enemies storm, not %d", moves, s.storms, storms)
				}
				for _, c := range s.candidates {
					want, kind := 0.0, "away"
					switch {
					case v.Enemy().Has(c.move.To):
						kind = "fight"
					case luzhanqi.HalfOf(v.Side()).Has(c.move.To):
						if kind = "home"; style.Passive {
							want = p.passivity.likely()
						}
					}
					if kinds[kind]++; c.passive != want {
						t.Errorf("%s, %s, after %d moves at home: passive by %v, not %v", luzhanqi.MoveName(c.move), kind, moves, c.passive, want)
					}
				}
			}
		}
	}
	if len(kinds) != 3 {
		t.Errorf("moves of these kinds only: %v", kinds)
	}
}

// Who only waits takes a tenth of the time, until the enemy comes; with a number of positions it looks at as many as ever.
func TestWaitingTakesLittleTime(t *testing.T) {
	at := farBehind(t, 4)
	p := NewSearcher(Strong, player.Options{Threads: 1})
	r := newRand(1)
	const limit = 2 * time.Second
	ask := func(v game.View, within time.Duration) game.Move { return p.Choose(v, time.Now().Add(within), r) }
	if got := p.thinks(limit); got != limit {
		t.Errorf("before its first move %v", got)
	}
	m := ask(at.View(game.First), 50*time.Millisecond)
	if !p.waits || p.thinks(limit) != limit/10 {
		t.Errorf("far behind an enemy that does not come: waits %v, takes %v of %v", p.waits, p.thinks(limit), limit)
	}
	counted := *p
	if counted.options.Nodes = 3000; counted.thinks(limit) != limit {
		t.Errorf("with a number of positions it takes %v of %v", counted.thinks(limit), limit)
	}
	moved := at.Play(m).(*luzhanqi.Position)
	again := moved.Play(stayHome(moved.View(game.Second), r)).(*luzhanqi.Position)
	began := time.Now()
	ask(again.View(game.First), limit)
	if took := time.Since(began); took > limit*2/3 {
		t.Errorf("waiting took %v of %v", took, limit)
	}
	if !p.waits {
		t.Error("it does not wait any more")
	}
	for _, came := range moved.Moves(nil) {
		v := moved.View(game.Second).(*luzhanqi.View)
		if luzhanqi.HalfOf(game.Second).Has(came.To) || v.Enemy().Has(came.To) {
			continue
		}
		v = moved.Play(came).View(game.First).(*luzhanqi.View)
		p = NewSearcher(Strong, player.Options{Nodes: 3000, Threads: 1})
		p.waits = true
		if p.update(v); p.thinks(limit) != limit {
			t.Errorf("when the enemy has come it takes %v of %v", p.thinks(limit), limit)
		}
		p.waits = true
		if p.Choose(v, time.Time{}, r); p.waits {
			t.Error("it waits for an enemy that has come")
		}
		return
	}
	t.Fatal("the enemy cannot come")
}
