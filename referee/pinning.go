package referee

import (
	"sync"
	"time"

	"luzhanqi/game"
	"luzhanqi/process"
)

// pinning decides which games of a match are played on one processor: the game's thread and both of its programs, which take
// turns anyway. Between programs that answer at once a ply then costs less, since nobody has to be woken on another processor:
// 8 % of our time on a busy machine, 14 % of a referee's in C on a quiet one. A program that thinks
// gains nothing, and would lose what others leave to it elsewhere, so it is never pinned.
type pinning struct {
	cores []int // one for each game at a time; nil: none is pinned
	mu    sync.Mutex
	seen  int  // games
	slow  bool // one of them showed a program that thinks, or uses more than one processor
}

// atOnce is the longest turn, on average, of a program that answers at once.
const atOnce = time.Millisecond

// newPinning pins only where games at a time fill the machine, and share it evenly.
func newPinning(m *Match) *pinning {
	p := &pinning{}
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
	if p.cores == nil || p.slow || p.seen == 0 {
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
	p.seen++
	for side, t := range r.turns {
		exit := r.Postmortems[side].Exit
		used := exit.User + exit.System
		if t.moves > 0 && t.moving > time.Duration(t.moves)*atOnce || used > t.settingUp+t.moving+time.Duration(t.moves)*atOnce/10 {
			p.slow = true
		}
	}
}

// turns are the times of a side's turns in one game.
type turns struct {
	moves             int
	settingUp, moving time.Duration
}
