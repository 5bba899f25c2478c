package protocoltests

import (
	"fmt"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"luzhanqi/protocol-tests/protocoltest"
	"luzhanqi/referee"
)

// TestSignals: no signal makes the command end with code 2, which means that nothing was played; and whatever ends it,
// its programs end with it.
func TestSignals(t *testing.T) {
	for number := syscall.Signal(1); number < 32; number++ {
		want := 128 + int(number) // in good order: the game is void
		switch number {
		case syscall.SIGKILL, syscall.SIGSTOP, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU:
			continue // elsewhere
		case syscall.SIGPIPE, syscall.SIGALRM, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGCHLD, syscall.SIGCONT, syscall.SIGURG,
			syscall.SIGXCPU, syscall.SIGXFSZ, syscall.SIGVTALRM, syscall.SIGPROF, syscall.SIGWINCH, syscall.SIGIO, syscall.SIGPWR:
			want = 0 // the match goes on
		}
		if signal.Ignored(number) { // as under nohup, which is respected
			want = 0
		}
		for i, u := range settings() {
			if !protocoltest.Nightly() && i > 0 && (int(number)+i)%8 != 0 { // of each confined user some
				continue
			}
			t.Run(fmt.Sprintf("%d_%s/%v", number, unix.SignalName(number), u), func(t *testing.T) {
				t.Parallel()
				r := startMatch(t, u, [2]string{hostile + " late 100", hostile + " late 100"}, "--time=1s")
				r.awaitTurn(t, 1)
				if err := syscall.Kill(r.pid(), number); err != nil {
					t.Fatal(err)
				}
				code := referee.Drawn
				if want != 0 {
					code = referee.Void
				}
				games := r.finish(t, want)
				if len(games) != 1 || games[0].Code != code || want != 0 && games[0].VoidBy != referee.ByInterruption {
					t.Errorf("want one game, %s\n%s", code, r.out.String())
				}
				if said := r.complaint.String(); strings.Contains(said, "goroutine ") || want != 0 && !strings.Contains(said, "error: stopped by SIG") {
					t.Errorf("standard error: %s", said)
				}
			})
		}
	}
}

// TestSecondQuit: the second SIGQUIT ends the command at once, with what it is doing, for whoever looks for a hang.
func TestSecondQuit(t *testing.T) {
	r := startMatch(t, settings()[0], [2]string{hostile + " ignore-term", hostile + " late 100"}, "--time=60s", "--grace=30s")
	r.awaitTurn(t, 1)
	for range 2 {
		if err := syscall.Kill(r.pid(), syscall.SIGQUIT); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond) // a signal that is sent twice before it is taken is one
	}
	r.command.Wait()
	if code := r.command.ProcessState.ExitCode(); code != 131 || !strings.Contains(r.complaint.String(), "goroutine ") {
		t.Errorf("exit code %d, and on standard error %s", code, r.complaint.String())
	}
	if !eventually(promptly, func() bool { return survivors(r.pids) == nil }) {
		t.Errorf("outlive the referee: %q", survivors(r.pids))
	}
}

// TestCrash: when the command itself crashes it says where, and ends by SIGABRT.
func TestCrash(t *testing.T) {
	r := startMatch(t, settings()[0], [2]string{hostile + " late 100", hostile + " late 100"}, "--time=1s")
	r.awaitTurn(t, 1)
	// A SIGSEGV that says it is not from another process is taken for an access to memory that failed.
	info := struct {
		number, errno, code int32
		_                   [29]int32
	}{number: int32(syscall.SIGSEGV), code: -1}
	if _, _, err := unix.Syscall(unix.SYS_RT_SIGQUEUEINFO, uintptr(r.pid()), uintptr(syscall.SIGSEGV), uintptr(unsafe.Pointer(&info))); err != 0 {
		t.Fatal(err)
	}
	r.command.Wait()
	state := r.command.ProcessState.Sys().(syscall.WaitStatus)
	if !state.Signaled() || state.Signal() != syscall.SIGABRT || !strings.Contains(r.complaint.String(), "goroutine ") {
		t.Errorf("%v, and on standard error %s", r.command.ProcessState, r.complaint.String())
	}
	if !eventually(promptly, func() bool { return survivors(r.pids) == nil }) {
		t.Errorf("outlive the referee: %q", survivors(r.pids))
	}
}
