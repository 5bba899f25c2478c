package process

import (
	"sync"
	"time"

	"luzhanqi/clock"
	"luzhanqi/process/starvation"
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

// Hold stops the program and all that it has started until [Process.LetGo], also beyond the end of a pause of all. It does not
// wait until they have stopped. Where the system offers nothing for it, as on Windows, they run on.
func (p *Process) Hold() { p.holds(true) }

// LetGo ends what Hold began.
func (p *Process) LetGo() { p.holds(false) }

func (p *Process) holds(yes bool) {
	running.Lock()
	defer running.Unlock()
	p.held = yes
	if running.all[p] { // else it is being killed
		p.guard.pause(yes)
	}
}

// PauseAll stops every program and the clock by which all deadlines go, until [ResumeAll], which must follow. No program
// starts meanwhile, and none is ended.
func PauseAll() {
	clock.Pause()
	running.Lock()
	for p := range running.all {
		p.Pause()
	}
}

// goesOn bounds the wait for programs to go on after a pause, which takes their supervisors a moment, on a machine that is busy. One
// that has stopped itself does not.
const goesOn = time.Second / 4

// ResumeAll lets every program go on that nobody holds, and when they do, the clock.
func ResumeAll() {
	for p := range running.all {
		if !p.held {
			p.Resume()
		}
	}
	end := time.Now().Add(goesOn)
	for p := range running.all {
		for !p.held && starvation.Stopped(p.Starving()) && time.Now().Before(end) {
			time.Sleep(time.Millisecond)
		}
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
