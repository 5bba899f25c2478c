package referee

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/process"
)

// scriptedPlies is the length of the games below: quiet moves only, so that they end at the cap.
const scriptedPlies = 2000

// scripts writes, for each seat, a set-up and the moves of one long game without captures.
func scripts(b *testing.B) (files [2]string) {
	b.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	g := luzhanqi.Game{}
	setUps := [2]game.SetUp{g.RandomSetUp(r), g.RandomSetUp(r)}
	pos, err := g.New(game.Rules{}, setUps)
	if err != nil {
		b.Fatal(err)
	}
	var text [2]strings.Builder
	for side, s := range setUps {
		text[side].WriteString("(")
		for item := range strings.FieldsSeq(string(s)) {
			square, piece, _ := strings.Cut(item, ":")
			fmt.Fprintf(&text[side], "(%s %s) ", square, piece)
		}
		text[side].WriteString(")\n")
	}
	for range scriptedPlies {
		side := pos.Mover()
		view := pos.View(side).(*luzhanqi.View)
		moves := pos.Moves(nil)
		m := moves[r.IntN(len(moves))]
		for view.Enemy().Has(m.To) || luzhanqi.Headquarters.Has(m.To) {
			m = moves[r.IntN(len(moves))]
		}
		own := m
		if side == game.Second {
			own = luzhanqi.TurnMove(m)
		}
		fmt.Fprintf(&text[side], "(%s)\n", luzhanqi.MoveName(own))
		pos = pos.Play(m)
		if o, over := pos.Outcome(); over {
			b.Fatalf("the scripted game is over: %s", o.Reason)
		}
	}
	for side := range files {
		files[side] = filepath.Join(b.TempDir(), "script")
		if err := os.WriteFile(files[side], []byte(text[side].String()), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	return files
}

func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkReferee plays long games between two instant programs: what is left is the referee and
// the kernel. It reports the referee's own processor time a ply and the plies a second.
func BenchmarkReferee(b *testing.B) {
	troupe := filepath.Join(b.TempDir(), "troupe")
	if out, err := exec.Command("go", "build", "-o", troupe, "luzhanqi/protocol-tests/troupe").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	files := scripts(b)
	g := luzhanqi.Game{}
	rules, _ := game.ParseRules("", g.Options())
	for _, concurrency := range []int{1, 2} {
		for _, records := range []bool{false, true} {
			b.Run(fmt.Sprintf("concurrency=%d/records=%v", concurrency, records), func(b *testing.B) {
				limits := g.Limits()
				limits.MaxPlies = scriptedPlies
				play := func() int {
					m := &Match{Game: g, Rules: rules, Limits: limits}
					var watch func(Message)
					if records {
						file, err := os.Create(filepath.Join(b.TempDir(), "record"))
						if err != nil {
							b.Fatal(err)
						}
						defer file.Close()
						m.Observer = newRecorder(file, g, Header{})
						watch = m.Observer.Message
					}
					for side := range m.Seats {
						command := process.Command{Args: []string{cmp.Or(os.Getenv("INSTANT"), troupe), "instant", files[side]}}
						seat, err := newProgram(b.Context(), command, g.Protocols()[0], game.Side(side), limits, watch)
						if err != nil {
							b.Fatal(err)
						}
						m.Seats[side] = seat
					}
					return m.Play(b.Context()).Plies
				}
				before, start := cpu(b), time.Now()
				var plies atomic.Int64
				var players sync.WaitGroup
				for range concurrency {
					players.Go(func() {
						for range b.N {
							plies.Add(int64(play()))
						}
					})
				}
				players.Wait()
				b.ReportMetric(float64((cpu(b)-before).Nanoseconds())/1000/float64(plies.Load()), "µs-cpu/ply")
				b.ReportMetric(float64(plies.Load())/time.Since(start).Seconds(), "plies/s")
			})
		}
	}
}
