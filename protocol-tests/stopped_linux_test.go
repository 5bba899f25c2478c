package protocoltests

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"luzhanqi/process/processtest"
	"luzhanqi/protocol-tests/protocoltest"
	"luzhanqi/referee"
)

// heldFor is how long the referee is stopped below: for longer than a program has for a move, grace included.
const heldFor = 1800 * time.Millisecond

// TestStoppedReferee stops the command during a turn, as a program could that wants to think longer, and lets it go on when
// the answer is in the pipe. The turn is void, whoever would have gained by it, and the game is played again.
func TestStoppedReferee(t *testing.T) {
	type stopped struct {
		players [2]string
		setUps  int // that were given when it is stopped: with two, the first turn has begun
		hold    func(t *testing.T, pid int)
		last    referee.Code // of the attempt that counts
	}
	for n, c := range []struct {
		name string
		stopped
	}{
		{"late answer", stopped{[2]string{hostile + " late 1500", hostile + " honest"}, 2, holdBySignal, referee.TimedOut}},
		{"answer in time", stopped{[2]string{hostile + " late 300", hostile + " honest"}, 2, holdBySignal, referee.Drawn}},
		{"built-in", stopped{[2]string{"builtin:strong", hostile + " honest"}, 2, holdBySignal, referee.Drawn}},
		{"by a debugger", stopped{[2]string{hostile + " late 1500", hostile + " honest"}, 2, holdByTrace, referee.TimedOut}},
		{"set-up", stopped{[2]string{hostile + " habit-slow-start", hostile + " honest"}, 1, holdBySignal, referee.Drawn}},
		{"garbage", stopped{[2]string{"sh -c 'sleep 0.9; echo \")\"; cat'", hostile + " honest"}, 1, holdBySignal, referee.Unreadable}},
	} {
		for _, s := range some(n) {
			t.Run(c.name+"/"+s.String(), func(t *testing.T) {
				t.Parallel()
				r := startMatch(t, s, c.players, "--time=1s")
				r.awaitSetUps(t, 1, c.setUps)
				begin := time.Now()
				c.hold(t, r.pid())
				held := time.Since(begin) // on a busy machine longer than was asked for
				games := r.finish(t, 0)
				if len(games) != 2 || games[0].Code != referee.Void || games[0].VoidBy != referee.ByStop || games[1].Code != c.last {
					t.Fatalf("want a void game and %s\n%s", c.last, r.out.String())
				}
				var said float64 // in seconds
				fmt.Sscanf(games[0].Reason, "the referee was stopped for %f s during this turn", &said)
				if said < 1 || said > held.Seconds()+0.2 {
					t.Errorf("it was held for %v, the reason is %q", held, games[0].Reason)
				}
			})
		}
	}
}

// TestStoppedAgainAndAgain stops a game more often than a machine may fail at it. That does not end the match.
func TestStoppedAgainAndAgain(t *testing.T) {
	times := 7
	if protocoltest.Nightly() {
		times = 41
	}
	r := startMatch(t, settings()[0], [2]string{hostile + " late 100", hostile + " late 100"}, "--time=1s")
	for attempt := range times {
		r.awaitTurn(t, attempt+1)
		holdFor(t, r.pid(), 300*time.Millisecond)
	}
	games := r.finish(t, 0)
	if len(games) != times+1 {
		t.Fatalf("%d games were begun, want %d", len(games), times+1)
	}
	for i, e := range games {
		if want := i < times; (e.Code == referee.Void) != want || want && e.VoidBy != referee.ByStop {
			t.Errorf("attempt %d ended as %s by %q: %s", i+1, e.Code, e.VoidBy, e.Reason)
		}
	}
}

func holdBySignal(t *testing.T, pid int) { holdFor(t, pid, heldFor) }

func holdFor(t *testing.T, pid int, d time.Duration) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	time.Sleep(d)
	syscall.Kill(pid, syscall.SIGCONT)
}

func holdByTrace(t *testing.T, pid int) { processtest.HoldByTrace(t, pid, heldFor) }

// runningMatch is the command in the middle of a match of one game, which is drawn after a few plies.
type runningMatch struct {
	command        *exec.Cmd
	dir, pids      string
	out, complaint strings.Builder
}

func startMatch(t *testing.T, s setting, players [2]string, flags ...string) *runningMatch {
	t.Helper()
	c, dir := s.command(t, append([]string{"match", players[0], players[1], "--json", "--record=records", "--seed=1", "--max-plies=4"}, flags...)...)
	r := &runningMatch{command: c, dir: filepath.Join(dir, "records"), pids: filepath.Join(dir, "pids")}
	c.Env = append(c.Env, withPIDs(r.pids)...)
	r.command.Stdout, r.command.Stderr = &r.out, &r.complaint
	if err := r.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.command.Process.Kill() })
	return r
}

func (r *runningMatch) pid() int { return r.command.Process.Pid }

// awaitTurn waits until the first turn of an attempt has begun, the others having come so far, too.
func (r *runningMatch) awaitTurn(t *testing.T, attempt int) {
	t.Helper()
	r.awaitSetUps(t, attempt, 2*attempt)
}

// awaitSetUps waits until so many set-ups were given in all attempts up to this one.
func (r *runningMatch) awaitSetUps(t *testing.T, attempt, setUps int) {
	t.Helper()
	if !eventually(time.Minute, func() bool {
		files, _ := filepath.Glob(filepath.Join(r.dir, "*"))
		return len(files) == attempt && strings.Count(contents(r.dir), `"event":"setup","`) == setUps
	}) {
		t.Fatalf("attempt %d did not begin: %s%s", attempt, r.out.String(), r.complaint.String())
	}
	time.Sleep(20 * time.Millisecond)
}

// finish waits for the end with an exit code, and returns how the attempts ended. All records replay, and nothing is left of the programs.
func (r *runningMatch) finish(t *testing.T, code int) (endings []*referee.Ending) {
	t.Helper()
	r.command.Wait()
	if found := r.command.ProcessState.ExitCode(); found != code {
		t.Errorf("luzhanqi match: %v, want exit code %d\n%s%s", r.command.ProcessState, code, r.out.String(), r.complaint.String())
	}
	for line := range strings.Lines(r.out.String()) {
		var event struct {
			Event  string
			Ending *referee.Ending
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatal(err)
		}
		if event.Event == "game" {
			endings = append(endings, event.Ending)
		}
	}
	files, _ := filepath.Glob(filepath.Join(r.dir, "*"))
	if out, err := exec.Command(command, append([]string{"replay"}, files...)...).CombinedOutput(); err != nil {
		t.Errorf("luzhanqi replay: %v\n%s", err, out)
	}
	if alive := survivors(r.pids); alive != nil {
		t.Errorf("outlive the match: %q", alive)
	}
	return endings
}
