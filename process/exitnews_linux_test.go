package process

import (
	"syscall"
	"testing"
	"time"

	"luzhanqi/process/sandbox"
)

// TestExitNews: a program that exits in time has done so, also where its supervisor says so later, as one does that waits for a
// processor.
func TestExitNews(t *testing.T) {
	for _, profile := range []sandbox.Profile{sandbox.Off, sandbox.Guarded} {
		t.Run(string(profile), func(t *testing.T) {
			p, err := Start(Command{Args: []string{"/bin/sh", "-c", "while read line; do :; done"}, Sandbox: sandbox.Policy{Profile: profile}})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Stop(0)
			f := p.guard.family()
			supervisor := f.Root
			for pid, p := range Processes() {
				if f.Program != 0 && pid == f.Program {
					supervisor = p.Parent
				}
			}
			if err := syscall.Kill(supervisor, syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			time.AfterFunc(500*time.Millisecond, func() { syscall.Kill(supervisor, syscall.SIGCONT) })
			if exit, err := p.StopOwn(100 * time.Millisecond); err != nil || exit.Code != 0 || exit.Killed {
				t.Errorf("it exited at the end of its input, and ended as %+v, %v", exit, err)
			}
		})
	}
}
