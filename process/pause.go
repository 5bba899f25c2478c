package process

import (
	"sync"

	"luzhanqi/clock"
)

// running are the programs that this process runs.
var running = struct {
	sync.Mutex // held during a pause
	all        map[*Process]bool
}{all: map[*Process]bool{}}

// Pause stops the program and all that it has started, which know nothing of it, until Resume. Where the system
// offers nothing for it, as on Windows, they run on. The clock is not concerned: see [PauseAll].
func (p *Process) Pause() { p.guard.pause(true) }

// Resume lets the program go on, and all that it has started.
func (p *Process) Resume() { p.guard.pause(false) }

// PauseAll stops every program and the clock by which all deadlines go, until [ResumeAll], which must follow. No program
// starts meanwhile, and none is ended.
func PauseAll() {
	clock.Pause()
	running.Lock()
	for p := range running.all {
		p.Pause()
	}
}

// ResumeAll lets every program and the clock go on.
func ResumeAll() {
	for p := range running.all {
		p.Resume()
	}
	running.Unlock()
	clock.Resume()
}

func (p *Process) runs(yes bool) {
	running.Lock()
	defer running.Unlock()
	if yes {
		running.all[p] = true
	} else {
		delete(running.all, p)
	}
}
