package tablebase

import (
	"context"
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/chess1d"
)

var (
	drawnGames = flag.Int("drawn-games", 0, "play so many games from drawn set-ups of each enemy army that has any")
	everyArmy  = flag.Bool("every-army", false, "check the book against every enemy army's table")
)

// drawnStart is a placement in which the perfect set-up draws, and who begins.
type drawnStart struct {
	at    state
	mover game.Side
}

// against returns the table of the perfect set-up against an army, and its drawn starts. It keeps the latest
// table, which takes seconds to solve.
func against(t *testing.T, enemy army) (m matchup, exact *table, drawn []drawnStart) {
	t.Helper()
	if kept.exact == nil || kept.m[1] != enemy {
		if kept.exact != nil {
			kept.exact.free()
		}
		kept.m, kept.exact, kept.drawn = solvedAgainst(t, enemy)
	}
	return kept.m, kept.exact, kept.drawn
}

var kept struct {
	m     matchup
	exact *table
	drawn []drawnStart
}

func solvedAgainst(t *testing.T, enemy army) (m matchup, exact *table, drawn []drawnStart) {
	t.Helper()
	o, err := FindOpening(false, Either)
	if err != nil {
		t.Fatal(err)
	}
	own := o.Rows[0].SetUp
	m = matchup{army(own / perArmy), enemy}
	exact = newTable(m, starting(m), false)
	if err := exact.solve(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	for n := range perArmy {
		for mover := range game.Side(2) {
			at := deployed(own, int(enemy)*perArmy+n)
			if exact.value(pack(at), mover) == Draw {
				drawn = append(drawn, drawnStart{pack(at), mover})
			}
		}
	}
	return m, exact, drawn
}

func stepOf(t *testing.T, p state, m game.Move) step {
	t.Helper()
	for piece := range uint8(2 * places) {
		if p.at(int(piece)) == uint8(m.From) {
			return step{piece, uint8(m.To)}
		}
	}
	t.Fatalf("nothing stands on %v", m.From)
	return step{}
}

// Who plays the perfect set-up by the book from the first move finds a move for every drawn position that
// any replies can lead to, and it keeps the draw.
func TestBookHoldsEveryDraw(t *testing.T) {
	chaq, _ := parseArmy("chaq") // has draws, and a small table
	for enemy := range army(armies) {
		if enemy != chaq && !*everyArmy {
			continue
		}
		m, exact, drawn := against(t, enemy)
		s := newSearch(m, false, 1)
		seen, forced := map[state]bool{}, 0
		var visit func(p state)
		replies := func(p state) {
			moves, wins := s.moves(p, int(game.Second), nil)
			if wins {
				t.Fatalf("%q is lost", m.board(p))
			}
			for _, reply := range moves {
				visit(p.play(reply, int(game.Second)))
			}
		}
		visit = func(p state) {
			switch v := exact.value(p, game.First); {
			case v == Loss:
				t.Fatalf("%q is lost, after moves of the book", m.board(p))
			case v == Win || seen[p]:
				return
			}
			seen[p] = true
			moves, _ := s.moves(p, int(game.First), nil)
			best := moves[0]
			if len(moves) == 1 {
				forced++
			} else {
				k, ok := BookMove(m.board(p), game.First)
				if !ok || k.Value != Draw {
					t.Fatalf("%q is drawn; the book has %+v, %v", m.board(p), k, ok)
				}
				best = stepOf(t, p, k.Move)
			}
			replies(p.play(best, int(game.First)))
		}
		for _, start := range drawn {
			if start.mover == game.First {
				visit(start.at)
			} else {
				replies(start.at)
			}
		}
		t.Logf("%v: %d drawn starts, %d drawn positions, %d of them with one move only", m, len(drawn), len(seen), forced)
		if enemy == chaq && len(seen) == 0 {
			t.Error("nothing was checked")
		}
	}
}

// How often a new solver for each move, as in a program that is started anew, gives a draw away: games from
// drawn set-ups against random moves, against 3,000 positions a move, and against random ones of the moves
// that keep the draw. A game counts until it is won or lost, or 30 moves were made in drawn positions.
//
//	go test ./player/chess1d/tablebase -run DrawsAreKept -drawn-games 12 -v -timeout 0
func TestDrawsAreKept(t *testing.T) {
	if *drawnGames == 0 {
		t.Skip("a measurement: give -drawn-games")
	}
	const maxMoves = 30
	moves, wrong, games, won := 0, 0, 0, 0
	for enemy := range army(armies) {
		m, exact, drawn := against(t, enemy)
		r := rand.New(rand.NewPCG(uint64(enemy), 7))
		for n := 0; n < *drawnGames && len(drawn) > 0; n++ {
			start := drawn[r.IntN(len(drawn))]
			p, mover := start.at, start.mover
			games++
			for made := 0; made < maxMoves; mover = mover.Other() {
				if v := exact.value(p, game.First); mover == game.First && v != Draw {
					won++
					break
				} else if mover == game.Second {
					p = p.play(rivalStep(t, m, exact, p, n%3, r), int(mover))
					continue
				}
				res, err := new(Solver).Choose(m.board(p), game.First, false, Budget{Deadline: time.Now().Add(*limit)})
				if err != nil {
					t.Fatal(err)
				}
				made, moves = made+1, moves+1
				next := p.play(stepOf(t, p, res.Move), int(mover))
				if exact.value(next, game.Second) == Win {
					wrong++
					t.Logf("%q: %s loses; it has looked %d plies ahead", m.board(p), chess1d.MoveName(res.Move), res.Depth)
					break
				}
				p = next
			}
		}
	}
	t.Logf("%d of %d moves in drawn positions lose, in %d games, of which %d were won", wrong, moves, games, won)
	if wrong > 0 {
		t.Errorf("%d draws were given away", wrong)
	}
}

// rivalStep is a move of the second side.
func rivalStep(t *testing.T, m matchup, exact *table, p state, kind int, r *rand.Rand) step {
	t.Helper()
	moves, _ := newSearch(m, false, 1).moves(p, int(game.Second), nil)
	switch kind {
	case 1:
		res, err := new(Solver).Solve(m.board(p), game.Second, false, Budget{Nodes: 3_000})
		if err != nil {
			t.Fatal(err)
		}
		return stepOf(t, p, res.Move)
	case 2:
		var keep []step
		for _, x := range moves {
			if exact.value(p.play(x, int(game.Second)), game.First) == Draw {
				keep = append(keep, x)
			}
		}
		moves = keep
	}
	return moves[r.IntN(len(moves))]
}
