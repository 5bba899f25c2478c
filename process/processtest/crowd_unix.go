//go:build unix

package processtest

import (
	"os/exec"
	"syscall"
	"testing"
)

// Crowd keeps n processors busy until stop is called or the test is over: with busy loops, each in a session of its own, to which
// the scheduler gives as much as to a program. None outlives ten minutes of processor time. If one ended before, the test fails:
// what it measured was not measured in a crowd.
//
// The signal at a parent's death is no use here: it comes when the thread that started the loop ends, which may be any time.
func Crowd(t testing.TB, n int) (stop func()) {
	t.Helper()
	var loops []*exec.Cmd
	t.Cleanup(func() { stop() })
	stop = func() {
		for _, loop := range loops {
			loop.Process.Kill()
			loop.Wait()
			if status, ok := loop.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
				t.Errorf("a busy loop ended before the test: %v", loop.ProcessState)
			}
		}
		loops = nil
	}
	for range n {
		loop := exec.Command("/bin/sh", "-c", "ulimit -t 600; while :; do :; done")
		loop.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := loop.Start(); err != nil {
			t.Fatal(err)
		}
		loops = append(loops, loop)
	}
	return stop
}
