package referee_test

import (
	"errors"
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
	"luzhanqi/referee"
	"luzhanqi/referee/record"
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
// the kernel. It reports the referee's own processor time a ply and the plies a second. Both depend
// on the machine more than on us, so "floor" makes the same system calls and nothing else: the
// ratio is what we add.
func BenchmarkReferee(b *testing.B) {
	hostile := filepath.Join(b.TempDir(), "hostile")
	if out, err := exec.Command("go", "build", "-o", hostile, "luzhanqi/protocol-tests/hostile").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	files := scripts(b)
	g := luzhanqi.Game{}
	rules, _ := game.ParseRules("", g.Options())
	for _, concurrency := range []int{1, 2} {
		b.Run(fmt.Sprintf("concurrency=%d/floor", concurrency), func(b *testing.B) {
			measure(b, concurrency, func() int { return floor(b, hostile, files) })
		})
		for _, records := range []bool{false, true} {
			b.Run(fmt.Sprintf("concurrency=%d/records=%v", concurrency, records), func(b *testing.B) {
				limits := g.Limits()
				limits.MaxPlies = scriptedPlies
				played := &referee.Game{Conditions: referee.Conditions{Game: g, Rules: rules, Limits: limits}}
				for seat := range played.Entrants {
					command := process.Command{Args: []string{hostile, "instant", files[seat]}}
					played.Entrants[seat] = referee.Entrant{Command: command, Protocol: g.Protocols()[0]}
				}
				play := func() int {
					var watch referee.Observer
					if records {
						file, err := os.Create(filepath.Join(b.TempDir(), "record"))
						if err != nil {
							b.Fatal(err)
						}
						defer file.Close()
						watch = record.NewWriter(file, played)
					}
					r, err := played.Play(b.Context(), watch)
					if err != nil {
						b.Fatal(err)
					}
					return r.Ending.Plies
				}
				measure(b, concurrency, play)
			})
		}
	}
}

// measure plays b.N games in each of several goroutines.
func measure(b *testing.B, concurrency int, play func() (plies int)) {
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
}

// floor exchanges what a game exchanges with two programs by blocking system calls: four messages
// and one answer a ply. It parses nothing, judges nothing and has no deadlines.
func floor(b *testing.B, hostile string, files [2]string) int {
	var in, out [2]int
	for side := range files {
		var toward, back [2]int
		if err := errors.Join(syscall.Pipe2(toward[:], syscall.O_CLOEXEC), syscall.Pipe2(back[:], syscall.O_CLOEXEC)); err != nil {
			b.Fatal(err)
		}
		pid, err := syscall.ForkExec(hostile, []string{hostile, "instant", files[side]}, &syscall.ProcAttr{
			Files: []uintptr{uintptr(toward[0]), uintptr(back[1]), 2}, Env: os.Environ(),
		})
		if err != nil {
			b.Fatal(err)
		}
		defer syscall.Wait4(pid, nil, 0, nil)
		syscall.Close(toward[0])
		syscall.Close(back[1])
		in[side], out[side] = toward[1], back[0]
		defer syscall.Close(toward[1])
		defer syscall.Close(back[0])
	}
	buf := make([]byte, 4096)
	outcome := []byte("(outcome (A6 A7))\n")
	for side := range files {
		syscall.Write(in[side], fmt.Appendf(nil, "(init %d time/move 1.0)\n", side+1))
		syscall.Read(out[side], buf)
	}
	turns := [2][]byte{[]byte("(go 1)\n"), []byte("(go 2)\n")}
	for ply := range scriptedPlies {
		mover := ply % 2
		syscall.Write(in[0], turns[mover])
		syscall.Write(in[1], turns[mover])
		if n, err := syscall.Read(out[mover], buf); n <= 0 {
			b.Fatalf("no answer: %v", err)
		}
		syscall.Write(in[0], outcome)
		syscall.Write(in[1], outcome)
	}
	return scriptedPlies
}
