package protocoltests

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/protocol-tests/protocoltest"
	"luzhanqi/referee"
)

// Programs that know their supervisor and turn on it. Each is a shell script that then becomes, or
// starts, a hostile program.
const (
	stopsSupervisor = "#!/bin/sh\necho $PPID >%[1]s\nkill -STOP $PPID\nexec %[2]s honest\n"
	killsAtOnce     = "#!/bin/sh\nkill -KILL $PPID\nexec %[2]s honest\n"
	// The families are orphans of the supervisor when it dies.
	killsAmongOrphans = "#!/bin/sh\n%[2]s orphan-tree </dev/null >/dev/null\n%[2]s respawn </dev/null >/dev/null\n" +
		"kill -KILL $PPID\nexec %[2]s honest\n"
	stopsAmongOrphans = "#!/bin/sh\necho $PPID >%[1]s\n%[2]s orphan-tree </dev/null >/dev/null\nkill -STOP $PPID\nexec %[2]s honest\n"
)

// races is how often a game is played whose two sides race: nightly, often enough for either to win.
func races() int {
	if protocoltest.Nightly() {
		return 10 * protocoltest.Repeats()
	}
	return 3 * protocoltest.Repeats()
}

// turnOn plays a script against an honest program; want is nil where only what is left matters.
func turnOn(t *testing.T, script string, seat game.Side, want *verdict) {
	t.Helper()
	dir := t.TempDir()
	pids, program, supervisor := filepath.Join(dir, "pids"), filepath.Join(dir, "program"), filepath.Join(dir, "supervisor")
	if err := os.WriteFile(program, fmt.Appendf(nil, script, supervisor, hostile), 0o755); err != nil {
		t.Fatal(err)
	}
	defer wake(supervisor, pids)
	tr := trial{mode: "script", seat: seat, want: byRule}
	if want != nil {
		tr.want = *want
	}
	s := tr.match(filepath.Join(dir, "records"), pids)
	s.Entrants[seat].Command = process.Command{Args: []string{program}, Env: withPIDs(pids)}
	var result referee.Result
	s.Ended = func(r referee.Result, _ referee.Score) { result = r }
	watchdog := time.AfterFunc(2*allowance, func() {
		t.Errorf("the referee still waits after %v", 2*allowance)
		wake(supervisor, pids)
	})
	score, err := s.Run(t.Context())
	watchdog.Stop()
	for _, process := range survivors(pids) {
		t.Errorf("outlives its game: %s", process)
	}
	if err != nil {
		t.Fatalf("the match was stopped by its program: %v", err)
	}
	if want != nil {
		tr.verify(t, &listener{}, result, score)
	} else if bound := tr.bound(result.Ending); result.Took > bound/2 {
		t.Errorf("took %v, want %v at most: %+v", result.Took, bound/2, result.Ending)
	}
	replays(t, result)
}

// wake lets a stopped supervisor do its work: a broken referee must not leave anything on the machine.
func wake(supervisor, pids string) {
	text, _ := os.ReadFile(supervisor)
	if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && survivors(pids) != nil {
		syscall.Kill(pid, syscall.SIGCONT)
	}
	eventually(5*time.Second, func() bool { return survivors(pids) == nil })
}

// TestSupervisorIsKilled: whoever kills it has lost, whenever it does, and its orphans die too.
func TestSupervisorIsKilled(t *testing.T) {
	want := diedBy(9).slowly()
	for name, script := range map[string]string{"at-once": killsAtOnce, "among-orphans": killsAmongOrphans} {
		t.Run(name, func(t *testing.T) {
			for range races() {
				for seat := range game.Side(2) {
					turnOn(t, script, seat, &want)
				}
			}
		})
	}
}

// TestSupervisorIsStopped: a supervisor that has been stopped still has to clean up behind its
// program, without the referee waiting until it believes that nobody can.
func TestSupervisorIsStopped(t *testing.T) {
	for name, script := range map[string]string{"alone": stopsSupervisor, "among-orphans": stopsAmongOrphans} {
		t.Run(name, func(t *testing.T) {
			for range races() { // it may be stopped before it has said that the program runs
				if turnOn(t, script, game.First, nil); t.Failed() {
					return
				}
			}
		})
	}
}

// TestStoppedSupervisorOutlivesNoReferee: nobody is left to wake it when the referee is killed, and
// yet it must clean up.
func TestStoppedSupervisorOutlivesNoReferee(t *testing.T) {
	dir := t.TempDir()
	pids, program, supervisor := filepath.Join(dir, "pids"), filepath.Join(dir, "program"), filepath.Join(dir, "supervisor")
	if err := os.WriteFile(program, fmt.Appendf(nil, stopsAmongOrphans, supervisor, hostile), 0o755); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(command, "match", program, hostile+" late 20", "--time=60s", "--sandbox=off")
	c.Env = append(os.Environ(), withPIDs(pids)...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	begun := eventually(time.Minute, func() bool { return len(listed(pids)) >= 23 })
	c.Process.Kill()
	c.Wait()
	if !begun {
		t.Error("the game did not begin")
	}
	if !eventually(promptly, func() bool { return survivors(pids) == nil }) {
		t.Errorf("outlive the referee: %q", survivors(pids))
	}
	wake(supervisor, pids)
}

// TestPipesHeldElsewhere: a process that is not the program's, such as its opponent, can open the
// program's pipes and keep them open. The referee must not wait for their end.
func TestPipesHeldElsewhere(t *testing.T) {
	for _, fd := range []int{0, 1, 2} {
		t.Run(fmt.Sprint("descriptor ", fd), func(t *testing.T) {
			dir := t.TempDir()
			pids := filepath.Join(dir, "pids")
			s := trial{mode: "late 50", want: byRule.capped(20)}.match(dir, pids)
			done := make(chan error, 1)
			go func() {
				_, err := s.Run(t.Context())
				done <- err
			}()
			var held []*os.File
			eventually(20*time.Second, func() bool { return len(listed(pids)) == 2 })
			for _, pid := range listed(pids) {
				flags := os.O_WRONLY
				if fd == 0 {
					flags = os.O_RDONLY
				}
				if f, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/%d", pid, fd), flags, 0); err == nil {
					held = append(held, f)
				}
			}
			if len(held) != 2 {
				t.Error("the pipes could not be opened")
			}
			ended := time.AfterFunc(allowance, func() {
				t.Errorf("the match has not ended %v after its programs", allowance)
				for _, f := range held {
					f.Close()
				}
			})
			if err := <-done; err != nil {
				t.Error(err)
			}
			if ended.Stop() {
				for _, f := range held {
					f.Close()
				}
			}
		})
	}
}
