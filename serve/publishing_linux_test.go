package serve

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/referee"
	"luzhanqi/serve/live"
)

// published is what one game has cost by ply: the thread of the game, all of a ply, and its publishing.
type published struct {
	referee.NoObserver
	t        *testing.T
	live     *live.Game
	watchers int // who must be there at each ply
	pace     *time.Ticker
	from     time.Duration
	ply      int
	thread   []time.Duration // its processor time from the end of one ply's pause to the beginning of the next
	publish  []time.Duration // by the clock
}

// threadTime is the processor time of this thread.
func threadTime() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// settled are the plies at the beginning that are not counted.
const settled = 5

func (p *published) Moved(before, after game.Position, played referee.Played) {
	if n := int(p.live.Watching()); n != p.watchers {
		p.t.Errorf("ply %d: %d watch, must be %d", p.ply+1, n, p.watchers)
	}
	began := time.Now()
	p.live.Moved(before, after, played)
	took := time.Since(began)
	if p.ply++; p.ply > settled {
		p.thread = append(p.thread, threadTime()-p.from)
		p.publish = append(p.publish, took)
	}
	<-p.pace.C
	p.from = threadTime()
}

func (p *published) Ended(pos game.Position, e *referee.Ending) { p.live.Ended(pos, e) }

// What the referee does for a game of two programs does not cost more when 1,000 watch it: the same games are played in turn with nobody and
// with all of them, who are in another process and read every five seconds, since they stand for clients elsewhere ([watchGame]). (Where they
// read all the time, a ply was seen to cost 4 % more.) What is counted is the thread on which the referee's loop runs, which does nothing
// else: streams are written by others, whose time is that of TestManyWatchers.
//
// It is judged by programs that think, at the pace of that test. Programs that answer at once, at six times the pace, are played besides, and
// told and not judged: in eight runs a ply took from 7 % less to 15 % more when it was watched. What is written to streams displaces
// what the thread has in caches, and keeps the processors awake between two plies.
func TestPublishing(t *testing.T) {
	watchers, rounds, plies, nodes, reads := 20, 1, 20, 300, 50*time.Millisecond
	nightly := os.Getenv("LUZHANQI_NIGHTLY") != "" && !raced
	if nightly {
		watchers, rounds, plies, nodes, reads = 1000, 8, 60, 30_000, 5*time.Second
	}
	s, address, _ := served(t, func(c *Config) { c.Rate = 100_000 })
	g := games.All[0]
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	play := func(seed uint64, level string, pace time.Duration, watchers int) *published {
		played := &referee.Game{Conditions: referee.Conditions{Game: g, Limits: g.Limits()}, Seed: seed, Number: 1, Attempt: 1, Concurrency: 1}
		played.Limits.MaxPlies = plies + settled
		if err := played.SetRules(""); err != nil {
			t.Fatal(err)
		}
		for side := range played.Entrants {
			if played.Entrants[side], err = referee.ParseEntrant(g, fmt.Sprintf("%s %s %s/%s/%d", self, playerWord, g.Name(), level, nodes), fmt.Sprint("program ", side+1)); err != nil {
				t.Fatal(err)
			}
		}
		h := &hosted{Game: live.New(fmt.Sprintf("%s-%d-%d", level, seed, watchers), played, false)}
		s.add(h)
		if watchers > 0 {
			c, said := apart(t, watchWord, fmt.Sprintf("%s %s %d %v", strings.TrimPrefix(address, "http://"), h.ID, watchers, reads))
			if said != "all watch" {
				t.Fatalf("who watches says %q", said)
			}
			defer func() {
				if err := c.Wait(); err != nil { // all streams have ended
					t.Error(err)
				}
			}()
		}
		p := &published{t: t, live: h.Game, watchers: watchers, pace: time.NewTicker(pace)}
		defer p.pace.Stop()
		done := make(chan struct{})
		go func() {
			defer close(done)
			runtime.LockOSThread() // and never unlocked: the thread ends with it
			p.from = threadTime()
			result, err := played.Play(t.Context(), p)
			if err != nil || result.Ending.Code != referee.Drawn || result.Ending.Plies != plies+settled {
				t.Errorf("with %d watchers: %v %+v", watchers, err, result.Ending)
			}
		}()
		<-done
		h.Close()
		if t.Failed() {
			t.FailNow()
		}
		return p
	}
	for _, programs := range []struct {
		level  string
		pace   time.Duration
		judged bool
	}{{"random", 50 * time.Millisecond, false}, {"strong", time.Second / 3, true}} {
		pace := programs.pace
		if !nightly {
			pace = time.Millisecond
		}
		var cost, publish [2][]time.Duration
		for round := range rounds {
			for i := range 2 {
				all := (i + round) % 2
				p := play(uint64(round+1), programs.level, pace, all*watchers)
				cost[all] = append(cost[all], p.thread...)
				publish[all] = append(publish[all], p.publish...)
			}
		}
		more := make([]time.Duration, len(cost[0])) // of the same ply of the same game
		for i := range more {
			more[i] = cost[1][i] - cost[0][i]
		}
		slices.Sort(more)
		for all, n := range []int{0, watchers} {
			text, _ := percentiles(cost[all])
			times, _ := percentiles(publish[all])
			t.Logf("%d watchers: the game's thread has %s a ply; publishing takes %s", n, text, times)
		}
		half, sure := len(more)/2, int(math.Sqrt(float64(len(more)))) // two standard errors of a median are the square root of n, in ranks
		slices.Sort(cost[0])
		ply := cost[0][half].Seconds()
		low, middle, high := more[max(0, half-sure)].Seconds()/ply, more[half].Seconds()/ply, more[min(len(more)-1, half+sure)].Seconds()/ply
		t.Logf("%s, a ply each %v: with %d watchers a ply costs the game's thread %+.1f %% (95 %% interval %+.1f to %+.1f %%)", programs.level, pace, watchers, 100*middle, 100*low, 100*high)
		if !nightly {
			continue
		}
		switch {
		case !programs.judged:
		case low > 0.02:
			t.Errorf("a ply costs %+.1f %% more at least: must be less than 2 %%", 100*low)
		case high-low > 0.08:
			t.Errorf("whether a ply costs 2 %% more cannot be told: the interval is %.1f %% wide", 100*(high-low))
		}
		if _, p99 := percentiles(publish[1]); p99 > time.Millisecond {
			t.Errorf("publishing takes %v (p99): not less than 1 ms", p99)
		}
	}
}
