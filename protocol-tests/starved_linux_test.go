package protocoltests

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/process/processtest"
	"luzhanqi/protocol-tests/protocoltest"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
	"luzhanqi/text"
)

// starved plays games of a few plies on a crowded machine, with a limit of 100 ms and a grace of 5 ms.
func starved(t *testing.T, modes [2]string, games int, clock game.Clock) (referee.Score, time.Duration) {
	t.Helper()
	return starvedMoves(t, modes, games, clock, func(referee.Result, []record.Line) {})
}

func starvedMoves(t *testing.T, modes [2]string, games int, clock game.Clock, ended func(referee.Result, []record.Line)) (referee.Score, time.Duration) {
	t.Helper()
	protocoltest.Alone(t)
	dir := t.TempDir()
	s := trial{mode: "honest", want: byRule}.match(dir, filepath.Join(dir, "pids"))
	for i, mode := range modes {
		s.Entrants[i] = entrant(mode, mode, filepath.Join(dir, "pids"))
	}
	s.Limits = luzhanqi.Game{}.Limits()
	s.Limits.Move, s.Limits.Grace, s.Limits.MaxPlies = fairLimit, 5*time.Millisecond, 6
	s.Games, s.Limits.Clock = games, clock
	var given time.Duration
	held := heldUp(t)
	s.Ended = func(r referee.Result, _ referee.Score) {
		if r.Ending.Code != referee.Drawn {
			t.Logf("game %d, after %v: %s: %s", r.Number, r.Took, r.Ending.Code, r.Ending.Reason)
		}
		moves := replays(t, r).Moves
		ended(r, moves)
		for _, line := range moves {
			over := line.Took - float64(fairLimit+s.Limits.Grace)/1e6
			if clock == game.OwnClock && over > 10 && line.Starved < over-10 { // what came before this process looked counts
				t.Errorf("game %d, ply %d: %v ms over the limit, and %v ms given; this process was held up for %v at most", r.Number, line.Ply, over, line.Starved, held())
			}
			given += time.Duration(max(0, over) * 1e6)
		}
	}
	score, err := s.Run(t.Context())
	if score.Voids > 0 {
		processtest.NeedShare(t)
	}
	if err != nil {
		t.Errorf("%+v: %v", score, err)
	}
	return score, given
}

// heldUp says for how long this process has not been let run at a time, at most: by others on the machine, or by the machine it runs in.
func heldUp(t *testing.T) func() time.Duration {
	var longest atomic.Int64
	stop := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		const nap = time.Millisecond
		for {
			begun := time.Now()
			select {
			case <-time.After(nap):
				longest.Store(max(longest.Load(), int64(time.Since(begun)-nap)))
			case <-stop:
				return
			}
		}
	})
	t.Cleanup(func() {
		close(stop)
		watching.Wait()
	})
	return func() time.Duration { return time.Duration(longest.Load()) }
}

// TestStarvedIsNotLate: who computes for six tenths of its limit never loses by time, however much others compute. By the
// wall clock it does.
func TestStarvedIsNotLate(t *testing.T) {
	games := 2
	if protocoltest.Nightly() {
		games = 200
	}
	processtest.Crowd(t, 4)
	score, given := starved(t, [2]string{"compute 60", "compute 60"}, games, game.OwnClock)
	if score.Endings[referee.TimedOut] > 0 || score.Games() != games {
		t.Errorf("endings %v: no program was late", score.Endings)
	}
	t.Logf("beyond limit and grace in %d games: %v", games, given)
	told := func(r referee.Result, moves []record.Line) {
		if r.Ending.Code == referee.TimedOut && !strings.Contains(r.Ending.Reason, " for a processor, which the wall clock counts") {
			t.Errorf("%q does not say that it waited", r.Ending.Reason)
		}
		for _, line := range moves {
			if line.Starved > 0 {
				t.Errorf("ply %d was given %v ms by the wall clock", line.Ply, line.Starved)
			}
		}
	}
	const most = 10 // even a crowd has moments in which one game is over in time
	for played := 1; ; played++ {
		score, _ := starvedMoves(t, [2]string{"compute 60", "compute 60"}, 1, game.WallClock, told)
		if score.Endings[referee.TimedOut] > 0 {
			t.Logf("by the wall clock game %d was lost", played)
			return
		}
		if played == most {
			t.Fatalf("%d games by the wall clock, none lost by time: the machine was not crowded, and the test says nothing", most)
		}
	}
}

// TestNobodyTakesTime: a program that lets threads of its own wait for processors, while others of it compute or all sleep,
// is given nothing for it: it needs more than its limit, and loses by time. Its opponent, which needs six tenths of the limit,
// never does.
func TestNobodyTakesTime(t *testing.T) {
	for _, mode := range []string{
		"take-threads", "take-nice", "take-idle", "take-bound", "take-children", "take-sleep-nice", "take-sleep-idle",
	} {
		t.Run(mode, func(t *testing.T) {
			processtest.Crowd(t, 4)
			takes(t, mode)
		})
	}
	for _, mode := range []string{"take-sleep-crowd", "late 125"} {
		t.Run(mode+", quiet", func(t *testing.T) { takes(t, mode) })
	}
}

func takes(t *testing.T, mode string) {
	games := 1
	if protocoltest.Nightly() {
		games = 20
	}
	score, _ := starved(t, [2]string{mode, "compute 60"}, games, game.OwnClock)
	if score.Endings[referee.TimedOut] != games || score.Wins[1] != score.Games() {
		t.Errorf("%+v: want %d losses by time of %s", score, games, mode)
	}
}

// TestGains measures what is given to programs that try to be given time, in turns of which is known how much they computed:
// what was not given must be as much, but for a twentieth of their limit.
func TestGains(t *testing.T) {
	const need = 60 * time.Millisecond
	modes, games := []string{"take-nice"}, 1
	if protocoltest.Nightly() {
		modes, games = []string{"take-threads", "take-nice", "take-idle", "take-bound", "take-children", "ponder"}, 20
	}
	for _, mode := range modes {
		t.Run(mode, func(t *testing.T) {
			processtest.Crowd(t, 4)
			most, turns := -need, 0
			ended := func(r referee.Result, moves []record.Line) {
				for _, line := range moves {
					if r.Seats[line.Side-1] == 0 {
						starved := text.Duration(line.Starved)
						most = max(most, min(starved, need-(text.Duration(line.Took)-starved)))
						turns++
					}
				}
			}
			score, _ := starvedMoves(t, [2]string{fmt.Sprintf("%s %d", mode, need.Milliseconds()), "compute 60"}, games, game.OwnClock, ended)
			if score.Wins[0] > 0 || score.Games() != games || turns == 0 && score.Endings[referee.TimedOut] < games {
				t.Errorf("%+v in %d turns: want all games, and none lost by the innocent", score, turns)
			}
			if most > fairLimit/20 {
				t.Errorf("gained %v in one of %d turns", most, turns)
			}
			t.Logf("gained at most %v in %d turns", most, turns)
		})
	}
}

// TestPondering: who ponders on all processors in the opponent's turns takes nothing from it.
func TestPondering(t *testing.T) {
	games := 2
	if protocoltest.Nightly() {
		games = 20
	}
	score, given := starved(t, [2]string{"ponder", "compute 60"}, games, game.OwnClock)
	if score.Endings[referee.TimedOut] > 0 || score.Games() != games {
		t.Errorf("endings %v: no program was late", score.Endings)
	}
	t.Logf("beyond limit and grace in %d games: %v", games, given)
}

// TestPonderingStorm: who ponders by 150 processes, each in a session of its own, takes no game from an opponent that needs six
// tenths of its limit, and ends no match by void games: in the opponent's turns it is paused. So it is for root's programs and
// for an ordinary user's, at night on machines that offer less for isolation, and when Ctrl-Z comes in the midst of such a pause.
func TestPonderingStorm(t *testing.T) {
	protocoltest.Alone(t)
	users, games := []int{0, processtest.Ordinary}, 1
	machines := map[string][]string{"isolated": nil}
	if protocoltest.Nightly() {
		games = 10
		machines["filtered"], machines["isolated by bubblewrap"], machines["isolated by a user namespace"] = []string{}, []string{"-bubblewrap"}, []string{"-container"}
	}
	if os.Getuid() != 0 {
		users = []int{os.Getuid()}
	}
	for name, wrapper := range machines {
		for _, uid := range users {
			if name == "isolated by a user namespace" && uid != 0 {
				continue // it is the usual way
			}
			t.Run(fmt.Sprint(name, "/user ", uid), func(t *testing.T) { ponderedBy(t, uid, wrapper, games, false) })
		}
	}
	// In two games of a hundred nobody is paused: the storm loses before, or makes its own turn void. In three one is.
	t.Run("Ctrl-Z", func(t *testing.T) { ponderedBy(t, users[len(users)-1], nil, 3, true) })
}

// ponderedBy plays the games on a machine that a wrapper makes, and interrupts them by Ctrl-Z when the storm is paused.
func ponderedBy(t *testing.T, uid int, wrapper []string, games int, interrupted bool) {
	dir := processtest.Folder(t, uid)
	args := []string{
		command, "match", hostile + " ponder-storm", hostile + " compute 60",
		fmt.Sprint("--games=", games), "--time=100ms", "--grace=5ms", "--setup-time=60s", "--max-plies=4", "--seed=1", "--json",
	}
	if wrapper != nil {
		program := filepath.Join(dir, "nonamespaces")
		if out, err := exec.Command("go", "build", "-o", program, "luzhanqi/protocol-tests/nonamespaces").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		args = slices.Concat([]string{program}, wrapper, args)
	}
	c := exec.Command(args[0], args[1:]...)
	c.Dir, c.Env = dir, append(os.Environ(), "HOME="+dir, "TMPDIR="+dir)
	if uid != os.Getuid() {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	}
	var out, complaint strings.Builder
	c.Stdout, c.Stderr = &out, &complaint
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if interrupted {
		interruptPause(t, c.Process)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("%v: %s", err, &complaint)
	}
	if interrupted && !strings.Contains(complaint.String(), "goes on after ") {
		t.Errorf("it was not paused: %s", &complaint)
	}
	counted := 0
	for line := range strings.Lines(out.String()) {
		var e struct {
			Event  string
			Ending *referee.Ending
		}
		if json.Unmarshal([]byte(line), &e); e.Event != "game" {
			continue
		}
		t.Log(strings.TrimSpace(line))
		if e.Ending.Code != referee.Void {
			counted++
		} else if e.Ending.VoidBy != referee.ByOpponent {
			processtest.NeedShare(t)
			t.Errorf("void by %s: %s", e.Ending.VoidBy, e.Ending.Reason)
		}
		if e.Ending.Fault != nil && strings.Contains(e.Ending.Reason, "hostile (2)") {
			processtest.NeedShare(t)
			t.Errorf("the innocent has lost: %s", e.Ending.Reason)
		}
	}
	if counted != games {
		t.Errorf("%d games count, want %d", counted, games)
	}
}

// interruptPause waits until the referee has paused a storm, pauses all for longer than a turn takes, and guards that nobody runs then.
func interruptPause(t *testing.T, referee *os.Process) {
	t.Helper()
	// The storm has 150 processes, the other program one.
	state := func() (stopped int, run []string) {
		for _, p := range programsBelow(referee.Pid) {
			switch {
			case strings.HasSuffix(p, "(T)"):
				stopped++
			case !strings.HasSuffix(p, "(D)"): // who waits for a child that is stopped before it has become another program
				run = append(run, p)
			}
		}
		return stopped, run
	}
	if !eventually(time.Minute, func() bool { stopped, _ := state(); return stopped > 100 }) {
		t.Fatal("the storm is never paused")
	}
	referee.Signal(syscall.SIGTSTP)
	all := func() bool { stopped, run := state(); return stopped > 100 && run == nil }
	if !eventually(10*time.Second, all) {
		stopped, run := state()
		t.Errorf("%d of the programs are stopped, and not %q", stopped, run)
	}
	time.Sleep(500 * time.Millisecond)
	if !all() {
		stopped, run := state()
		t.Errorf("half a second later, %d of the programs are stopped, and not %q", stopped, run)
	}
	referee.Signal(syscall.SIGCONT)
}
