package tablebase

import (
	"context"
	"math/rand/v2"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/chess1d"
)

// graph is every position that can arise from one, solved as slowly and as literally as the rules are
// written: boards as their movers see them, and rounds over all of them until nothing changes. It
// shares nothing with the tables but the rules of the game.
type graph struct {
	values map[chess1d.Board]Value
	plies  map[chess1d.Board]int // until the end of a won or lost game; having no move takes a ply
	next   map[chess1d.Board][]chess1d.Board
}

// newGraph returns nil if there are more than most positions.
func newGraph(from chess1d.Board, draws bool, most int) *graph {
	g := &graph{map[chess1d.Board]Value{from: Draw}, map[chess1d.Board]int{}, map[chess1d.Board][]chess1d.Board{}}
	for queue := []chess1d.Board{from}; len(queue) > 0; {
		b := queue[0]
		queue = queue[1:]
		if !b.HasRoyal(game.First) {
			g.values[b] = Loss
			continue
		}
		moves := b.Moves(game.First, nil)
		if len(moves) == 0 && !draws {
			g.values[b], g.plies[b] = Loss, 1
		}
		for _, m := range moves {
			after := b
			after.Play(m)
			after = after.Turn()
			g.next[b] = append(g.next[b], after)
			if _, known := g.values[after]; !known {
				g.values[after] = Draw
				queue = append(queue, after)
			}
		}
		if len(g.values) > most {
			return nil
		}
	}
	for plies := 1; g.round(plies) || plies == 1; plies++ {
	}
	return g
}

// round finds what is won or lost in so many plies, and says whether there is anything.
func (g *graph) round(plies int) bool {
	news := map[chess1d.Board]Value{}
	for b, next := range g.next {
		if g.values[b] != Draw {
			continue
		}
		best := Loss
		for _, after := range next {
			if v, ok := g.values[after]; ok && g.plies[after] < plies {
				best = max(best, -v)
			} else {
				best = max(best, Draw)
			}
		}
		if best != Draw {
			news[b] = best
		}
	}
	for b, v := range news {
		g.values[b], g.plies[b] = v, plies
	}
	return len(news) > 0
}

// randomBoard draws a position with so many pieces, both royals among them.
func randomBoard(r *rand.Rand, pieces int) chess1d.Board {
	text := []byte("               ")
	free := r.Perm(chess1d.Size)
	put := func(pair, side int) {
		letter := chess1d.Letters[2*pair+r.IntN(2)]
		if side == 1 {
			letter -= 'a' - 'A'
		}
		text[free[0]] = letter
		free = free[1:]
	}
	put(royal, 0)
	put(royal, 1)
	for _, n := range r.Perm(2 * royal)[:pieces-2] {
		put(n%royal, n/royal)
	}
	b, err := chess1d.ParseBoard(string(text))
	if err != nil {
		panic(err)
	}
	return b
}

// Every position that can arise from a random one has the value that the rules give it.
func TestTablesAgreeWithTheGraph(t *testing.T) {
	counts := map[Value]int{}
	boards := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		board, draws := randomBoard(r, 2+int(seed)%5), seed%2 == 0
		g := newGraph(board, draws, 30_000)
		if g == nil {
			continue
		}
		boards++
		m, at, err := place(board)
		if err != nil {
			t.Fatal(err)
		}
		table := newTable(m, at, draws)
		if err := table.solve(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		for b, want := range g.values {
			if !b.HasRoyal(game.First) {
				continue
			}
			// The table's frame is that of the first mover; after a turn the armies have changed places.
			for mover := range game.Side(2) {
				seen := b.InFrame(mover)
				m2, at2, _ := place(seen)
				if !sameArmies(m, at, m2, at2) {
					continue
				}
				if !table.holds(at2) {
					continue
				}
				if got := table.value(pack(at2), mover); got != want {
					t.Fatalf("%q from %q, draws %v: table %v, graph %v", b, board, draws, got, want)
				}
				counts[want]++
			}
		}
		table.free()
	}
	t.Logf("%d boards, %v", boards, counts)
	if counts[Win] < 10_000 || counts[Loss] < 10_000 || counts[Draw] < 10_000 {
		t.Errorf("%v: too few of a kind to mean anything", counts)
	}
}

// holds says whether a placement is one of the table's.
func (t *table) holds(at squares) bool {
	return t.layers[pack(at).layer()] != nil
}

// sameArmies says whether the pieces on the second board are a part of those on the first.
func sameArmies(m matchup, at squares, m2 matchup, at2 squares) bool {
	for piece := range at2 {
		if at2[piece] == off {
			continue
		}
		if at[piece] == off || m[piece/places].letter(piece%places) != m2[piece/places].letter(piece%places) {
			return false
		}
	}
	return true
}
