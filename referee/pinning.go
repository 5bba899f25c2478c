package referee

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/process"
)

// pinning decides which games of a match are played on one processor: the game's thread and both of its programs, which take
// turns anyway. Between programs that answer at once a ply then costs less, since nobody has to be woken on another processor:
// a quarter of our time is saved (10.25 for 13.5 µs). A program that thinks
// gains nothing, and would lose what others leave to it elsewhere, so it is never pinned.
type pinning struct {
	cores []int // one for each game at a time; nil: none is pinned
	mu    sync.Mutex
	quick int // games in a row in which both programs answered at once, each on one processor
	need  int // of those, before games are pinned
}

// Who thinks now and then must not be bound for it, and a machine that was busy for a moment must not end pinning for the rest of a
// long match: each game that was not quick makes those that are needed needMore times as many, at most mostNeeded.
const (
	needMore   = 4
	mostNeeded = 64
)

// atOnce is the longest turn, on average, of a program that answers at once.
const atOnce = time.Millisecond

// newPinning pins only where games at a time fill the machine, and share it evenly.
func newPinning(m *Match) *pinning {
	p := &pinning{need: 1}
	if !m.Pin || !process.CanPin {
		return p
	}
	for i := range m.Entrants {
		e := &m.Entrants[i]
		if !e.IsProgram() || e.Protocol.Kind() != game.Dialogue || len(e.Command.Confine.CPUs) > 0 {
			return p
		}
	}
	if cores := process.Cores(); m.Concurrency >= len(cores) && m.Concurrency%len(cores) == 0 && m.Games > m.Concurrency {
		p.cores = cores
	}
	return p
}

// processor is where the next game of a worker is played; nil: anywhere. It is decided by the games that have ended.
func (p *pinning) processor(worker int) *int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cores == nil || p.quick < p.need {
		return nil
	}
	cpu := p.cores[worker%len(p.cores)]
	return &cpu
}

// saw takes a game into account.
func (p *pinning) saw(r Result) {
	if p.cores == nil || r.Ending.Plies == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.quick++
	for side, t := range r.turns {
		exit := r.Postmortems[side].Exit
		used := exit.User + exit.System
		if t.moves > 0 && t.moving > time.Duration(t.moves)*atOnce || used > t.settingUp+t.moving+time.Duration(t.moves)*atOnce/10 {
			p.quick, p.need = 0, min(needMore*p.need, mostNeeded)
			return
		}
	}
}

// turns are the times of a side's turns in one game.
type turns struct {
	moves             int
	settingUp, moving time.Duration
}

// SuitRuntime suits Go's runtime, that of the whole process, to a match of two programs, in which nobody thinks here and much is
// waited for. While processors of Go's are idle, its monitor leaves those of games that are in a system call alone; and what
// games leave behind, a kilobyte a ply, is collected more seldom, for some 15 MB more, unless the environment says how often. A
// command that plays one match calls it, once. With yielding it takes 18 % off our own time. Who adjudicates thinks here, too.
func (m *Match) SuitRuntime() {
	if !m.Entrants[0].IsProgram() || !m.Entrants[1].IsProgram() || m.Adjudication != nil {
		return
	}
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 2)
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// yieldAfter is shorter than the 10 ms after which Go's monitor thinks that a goroutine keeps others from its processor. A game
// between programs that answer at once never passes through Go's scheduler by itself, and the monitor would look each 20 µs.
const yieldAfter = 5 * time.Millisecond

// yield lets Go's scheduler have its way now and then, at a time when no clock runs.
func (l *loop) yield() {
	if now := clock.Now(); now.Sub(l.yielded) > yieldAfter {
		runtime.Gosched()
		l.yielded = now
	}
}
