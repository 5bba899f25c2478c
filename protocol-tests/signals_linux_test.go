package protocoltests

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

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
		t.Run(fmt.Sprintf("%d_%s", number, unix.SignalName(number)), func(t *testing.T) {
			t.Parallel()
			r := startMatch(t, [2]string{hostile + " late 100", hostile + " late 100"}, "--time=1s")
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

// TestSecondQuit: the second SIGQUIT ends the command at once, with what it is doing, for whoever looks for a hang.
func TestSecondQuit(t *testing.T) {
	r := startMatch(t, [2]string{hostile + " ignore-term", hostile + " late 100"}, "--time=60s", "--grace=30s")
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
	r := startMatch(t, [2]string{hostile + " late 100", hostile + " late 100"}, "--time=1s")
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

// TestCtrlZ: at a terminal, Ctrl-Z stops the programs and the clocks with the command, and fg lets all go on. Nothing is void.
func TestCtrlZ(t *testing.T) {
	for _, interactive := range [][]string{{"sh", "-i"}, {"bash", "--norc", "-i"}} {
		t.Run(interactive[0], func(t *testing.T) {
			if _, err := exec.LookPath(interactive[0]); err != nil {
				t.Skip(err)
			}
			dir := t.TempDir()
			pids, records := filepath.Join(dir, "pids"), filepath.Join(dir, "records")
			shell := exec.Command(interactive[0], interactive[1:]...)
			shell.Env = append(os.Environ(), append(withPIDs(pids), "PS1=ready$ ", "TERM=dumb", "ENV=", "HOME="+dir)...)
			terminal, err := pty.Start(shell)
			if err != nil {
				t.Fatal(err)
			}
			defer terminal.Close()
			defer shell.Process.Kill()
			heard := &transcript{}
			copied := make(chan struct{})
			go func() {
				defer close(copied)
				io.Copy(heard, terminal)
			}()
			seen := 0
			say := func(text, answer string) {
				t.Helper()
				fmt.Fprint(terminal, text)
				if !eventually(20*time.Second, func() bool { return strings.Contains(heard.String()[seen:], answer) }) {
					t.Fatalf("no %q after %q:\n%s", answer, text, heard.String())
				}
				seen += strings.Index(heard.String()[seen:], answer) + len(answer)
			}
			say("", "ready$ ")
			say(fmt.Sprintf("%s match '%s late 300' '%[2]s late 300' --time=700ms --seed=1 --max-plies=8 --board=off --record=%s\n", command, hostile, records), "against")
			if !eventually(20*time.Second, func() bool { return strings.Contains(contents(records), `"event":"move"`) }) {
				t.Fatal(heard.String())
			}
			say("\x1a", "paused, with all programs and clocks")
			say("", "ready$ ")
			if !eventually(2*time.Second, func() bool { return allStopped(pids) }) {
				t.Errorf("the programs run in a pause: %q", survivors(pids))
			}
			before := contents(records)
			time.Sleep(1500 * time.Millisecond) // longer than a program has, grace included
			if contents(records) != before {
				t.Error("the record goes on in a pause")
			}
			say("fg\n", "goes on after ")
			say("", "ready$ ")
			if said := heard.String(); !strings.Contains(said, "; endings: drawn 1; ") {
				t.Error(said)
			}
			say("echo code $?.\n", "code 0.")
			fmt.Fprint(terminal, "exit\n")
			shell.Wait()
			terminal.Close()
			<-copied
			if alive := survivors(pids); alive != nil {
				t.Errorf("outlive the match: %q", alive)
			}
		})
	}
}

// allStopped says whether both programs of a match are stopped.
func allStopped(pids string) bool {
	stopped := 0
	for _, process := range survivors(pids) {
		if strings.Contains(process, " (hostile) T ") {
			stopped++
		}
	}
	return stopped == 2
}

// transcript is what a terminal has shown.
type transcript struct {
	mu  sync.Mutex
	all strings.Builder
}

func (s *transcript) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.Write(b)
}

func (s *transcript) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.String()
}
