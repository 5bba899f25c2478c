package referee

import (
	"fmt"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/process"
)

// TestPinning: games are played on one processor each where games at a time fill the machine and both programs have
// shown that they answer at once, on one processor; after one has not, only when more games in a row show that.
func TestPinning(t *testing.T) {
	if !process.CanPin {
		t.Skip("no processors are chosen on this system")
	}
	cores := len(process.Cores())
	program := Entrant{Name: "a", Command: process.Command{Args: []string{"a"}}, Protocol: luzhanqi.Game{}.Protocols()[0]}
	match := func(change func(*Match)) *Match {
		m := &Match{Entrants: [2]Entrant{program, program}, Games: 10 * cores, Concurrency: cores, Pin: true}
		change(m)
		return m
	}
	// A game of 100 moves a side, of which each took so long, and in which the first program used so much processor time.
	played := func(move, used time.Duration) Result {
		r := Result{Ending: &Ending{Plies: 200}}
		for side := range r.turns {
			r.turns[side] = turns{moves: 100, settingUp: 10 * time.Millisecond, moving: 100 * move}
		}
		r.Postmortems[game.First].Exit.User = used
		return r
	}
	const quick = 50 * time.Microsecond
	times := func(n int, r Result) (all []Result) {
		for range n {
			all = append(all, r)
		}
		return all
	}
	atOnce, thinks := played(quick, 5*time.Millisecond), played(5*time.Millisecond, 5*time.Millisecond)
	for i, test := range []struct {
		match  *Match
		games  []Result
		pinned bool
	}{
		{match(func(*Match) {}), nil, false}, // nothing is known yet
		{match(func(*Match) {}), []Result{played(quick, 5*time.Millisecond)}, true},
		{match(func(*Match) {}), []Result{thinks}, false},                                                                // it thinks
		{match(func(*Match) {}), []Result{played(quick, 60*time.Millisecond)}, false},                                    // it thinks while its opponent does
		{match(func(*Match) {}), []Result{played(quick, 60*time.Millisecond), played(quick, 5*time.Millisecond)}, false}, // it did
		{match(func(*Match) {}), append([]Result{thinks}, times(needMore-1, atOnce)...), false},
		{match(func(*Match) {}), append([]Result{thinks}, times(needMore, atOnce)...), true},
		{match(func(*Match) {}), append([]Result{thinks, atOnce, thinks}, times(needMore*needMore-1, atOnce)...), false},
		{match(func(*Match) {}), append([]Result{thinks, atOnce, thinks}, times(needMore*needMore, atOnce)...), true},
		{match(func(*Match) {}), append(times(100, thinks), times(mostNeeded, atOnce)...), true},                                      // such as a machine that was busy
		{match(func(m *Match) { m.Pin = false }), []Result{played(quick, 5*time.Millisecond)}, false},                                 // not asked for
		{match(func(m *Match) { m.Concurrency = 2*cores + 1 }), []Result{played(quick, 5*time.Millisecond)}, cores == 1},              // uneven
		{match(func(m *Match) { m.Concurrency = cores - 1 }), []Result{played(quick, 5*time.Millisecond)}, false},                     // room is left
		{match(func(m *Match) { m.Entrants[1].Level = brokenLevel }), []Result{played(quick, 5*time.Millisecond)}, false},             // a player of ours
		{match(func(m *Match) { m.Entrants[1].Command.Confine.CPUs = []int{0} }), []Result{played(quick, 5*time.Millisecond)}, false}, // bound already
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			p := newPinning(test.match)
			for _, r := range test.games {
				p.saw(r)
			}
			used := map[int]bool{}
			for worker := range cores {
				if cpu := p.processor(worker); (cpu != nil) != test.pinned {
					t.Fatalf("worker %d is pinned: %v", worker, cpu != nil)
				} else if cpu != nil {
					used[*cpu] = true
				}
			}
			if test.pinned && len(used) != cores {
				t.Errorf("games share %d of %d processors", len(used), cores)
			}
		})
	}
}
