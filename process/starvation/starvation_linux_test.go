package starvation

import (
	"bytes"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"luzhanqi/clock"
	"luzhanqi/process/processtest"
)

// start starts a shell that runs a script as its child, in one process of one thread, and returns its id: the root.
func start(t testing.TB, script string) int {
	t.Helper()
	processtest.Need(t, "sh")
	shell := exec.Command("sh", "-c", "ulimit -t 60; ("+script+") & wait")
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-shell.Process.Pid, syscall.SIGKILL)
		shell.Wait()
	})
	for end := time.Now().Add(10 * time.Second); ; {
		var r reading
		if r.read(Program{Root: shell.Process.Pid}, &reading{}) && len(r.processes) > 0 {
			return shell.Process.Pid
		}
		if time.Now().After(end) {
			t.Fatal("the shell has no child")
		}
		time.Sleep(time.Millisecond)
	}
}

// bind binds the descendants of a root, and the root, to one processor.
func bind(t *testing.T, root int) {
	t.Helper()
	var mine, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &mine); err != nil {
		t.Fatal(err)
	}
	for cpu := 0; one.Count() == 0; cpu++ {
		if mine.IsSet(cpu) {
			one.Set(cpu)
		}
	}
	var r reading
	r.read(Program{Root: root}, &reading{})
	for id := range r.threads {
		if err := unix.SchedSetaffinity(id, &one); err != nil {
			t.Fatal(err)
		}
	}
}

const loop = "while :; do :; done"

// watch looks at a program for half a second.
func watch(t *testing.T, p Program) (*Turn, Taken, time.Duration) {
	t.Helper()
	turn := Begin(p, false)
	if turn == nil {
		t.Fatal("nothing is known of the program")
	}
	var taken Taken
	for range 50 {
		time.Sleep(10 * time.Millisecond)
		taken = turn.Look()
	}
	return turn, taken, turn.measured
}

// TestCrowded: of what a program that never sleeps could have had, others took all that it did not have.
func TestCrowded(t *testing.T) {
	for range 3 {
		bind(t, start(t, loop))
	}
	root := start(t, loop)
	bind(t, root)
	_, taken, span := watch(t, Program{Root: root, CPUs: 1})
	if missing := span - taken.Time - taken.Ran; !taken.Known || !taken.Ready || missing < 0 || missing > span/10 {
		t.Errorf("%+v of %v: %v are missing", taken, span, missing)
	}
	if taken.Time < span/4 {
		t.Errorf("%+v of %v: three others ran on the same processor", taken, span)
	}
}

// TestBound: the waits of a thread that bound itself to a processor do not count.
func TestBound(t *testing.T) {
	bind(t, start(t, loop))
	root := start(t, loop)
	bind(t, root)
	if _, taken, _ := watch(t, Program{Root: root, CPUs: 2}); taken.Time != 0 || !taken.Known || taken.Ran == 0 {
		t.Errorf("%+v", taken)
	}
}

// asleep waits until the only child of a root is a program of that name, and sleeps: while it starts, it may be kept from
// a processor.
func asleep(t *testing.T, root int, name string) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		f := files{buf: make([]byte, 4096)}
		if children, _ := f.children(nil, root, []int{root}); len(children) == 1 &&
			bytes.Contains(f.read("/proc/%/stat", children[0]), []byte("("+name+") S ")) {
			return
		}
	}
	t.Fatalf("no %s sleeps below %d", name, root)
}

// TestSleeping: who sleeps is not kept from anything.
func TestSleeping(t *testing.T) {
	root := start(t, "exec sleep 1000")
	asleep(t, root, "sleep")
	_, taken, span := watch(t, Program{Root: root})
	if taken.Time > span/50 || taken.Ready || !taken.Known {
		t.Errorf("%+v of %v", taken, span)
	}
}

// TestChanged: when a process of the program has begun, nothing more is given.
func TestChanged(t *testing.T) {
	turn, taken, _ := watch(t, Program{Root: start(t, "sleep 0.6; sleep 1000 & "+loop)})
	time.Sleep(300 * time.Millisecond)
	if now := turn.Look(); !turn.changed || now.Time != taken.Time {
		t.Errorf("changed: %v; %+v after %+v", turn.changed, now, taken)
	}
}

// TestNothingKnown: what is not there, and what is too large, is not known, and nothing fails.
func TestNothingKnown(t *testing.T) {
	if Begin(Program{}, false) != nil || Begin(Program{Root: 1 << 22}, false) != nil {
		t.Error("something is known of nothing")
	}
	if (*Turn)(nil).Look() != (Taken{}) {
		t.Error("something was taken from nobody")
	}
	processtest.Need(t, "sh")
	many := start(t, "for i in $(seq 100); do sleep 1000 & done; wait")
	for end := time.Now().Add(10 * time.Second); Begin(Program{Root: many}, false) != nil; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a hundred processes are looked at")
		}
	}
}

// TestParseStat: a command may hold what it likes.
func TestParseStat(t *testing.T) {
	text := "12 (a) R (b c) S 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42"
	s, ok := parseStat([]byte(text))
	if !ok || s.state != 'S' || s.threads != 19 {
		t.Errorf("%+v %v", s, ok)
	}
	for _, text := range []string{"", "1", "1 (x", "1 (x) R 1 2"} {
		if _, ok := parseStat([]byte(text)); ok {
			t.Errorf("%q is read", text)
		}
	}
}

// TestTorn: what a program computed while its reader had no processor, after its processor time was read and before those of
// its threads were, is not given to it.
func TestTorn(t *testing.T) {
	self := unix.Getpid() // a thread that may run everywhere
	at := func(ms int) time.Duration { return time.Duration(ms) * time.Millisecond }
	for _, torn := range []int{0, 30} {
		began := clock.Now()
		turn := &Turn{latest: reading{at: began, threads: map[int]thread{self: {id: self}}}}
		now := reading{at: began.Add(at(100)), cpu: at(20), torn: at(torn), threads: map[int]thread{self: {id: self, ran: at(20 + torn), waited: at(5)}}}
		now.charge()
		turn.add(&now)
		if turn.taken.Time != at(5) {
			t.Errorf("%v ms torn: %v taken, of 5 ms waited", torn, turn.taken.Time)
		}
		// What was charged is not charged again.
		turn.latest = now
		next := reading{at: began.Add(at(200)), cpu: at(50 + torn), threads: map[int]thread{self: {id: self, ran: at(50 + torn), waited: at(15)}}}
		if turn.add(&next); turn.taken.Time != at(15) || turn.taken.Ran != at(50+torn) {
			t.Errorf("%v ms torn: %v taken, of 15 ms waited, and %v ran", torn, turn.taken.Time, turn.taken.Ran)
		}
	}
}

// TestStolen: the eighth number of the first line of /proc/stat is in units of 10 ms, for all processors together.
func TestStolen(t *testing.T) {
	const text = "cpu  1393280 32966 572056 13343292 6130 0 17875 600 0 0\ncpu0 696640 16483 286028 6671646 3065 0 8937 300 0 0\n"
	for text, want := range map[string]time.Duration{
		text: 3 * time.Second, "": 0, "cpu 1 2 3\n": 0, "intr 1 2 3 4 5 6 7 8 9\n": 0, "cpu  1 2 3 4 5 6 7 8\n": 40 * time.Millisecond,
	} {
		if got := parseStolen([]byte(text), 2); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestAddStolen: of what the host took, a program is given back the part of the span in which it was ready, and no more than
// what it has not computed.
func TestAddStolen(t *testing.T) {
	const span = 100 * time.Millisecond
	bound, started := start(t, "exec sleep 1000"), time.Now()
	asleep(t, bound, "sleep")
	var r reading
	r.read(Program{Root: bound}, &reading{}) // any thread with the standing of a program
	for _, c := range []struct{ ran, waited, stolen, want time.Duration }{
		{ran: 60, waited: 0, stolen: 0, want: 0},
		{ran: 60, waited: 0, stolen: 40, want: 24}, // ready in six tenths of it
		{ran: 60, waited: 40, stolen: 40, want: 40},
		{ran: 50, waited: 30, stolen: 10, want: 38},
		{ran: 0, waited: 0, stolen: 40, want: 0}, // it slept
	} {
		before := reading{at: started, threads: map[int]thread{}, processes: map[int]uint64{}}
		now := reading{
			at: started.Add(span), cpu: c.ran * time.Millisecond, stolen: c.stolen * time.Millisecond,
			threads: map[int]thread{}, processes: map[int]uint64{}, nice: r.nice,
		}
		for id, th := range r.threads {
			th.ran, th.waited = 0, 0
			before.threads[id] = th
			th.ran, th.waited = c.ran*time.Millisecond, c.waited*time.Millisecond
			now.threads[id] = th
		}
		turn := &Turn{latest: before}
		if turn.add(&now); turn.taken.Time != c.want*time.Millisecond {
			t.Errorf("%+v: taken %v", c, turn.taken.Time)
		}
	}
}

// TestBeginAt: what a program waited before it was looked at is given, back to the time at which the span began.
func TestBeginAt(t *testing.T) {
	for range 3 {
		bind(t, start(t, loop))
	}
	root := start(t, loop)
	bind(t, root)
	p := Program{Root: root, CPUs: 1}
	last := Begin(p, false)
	begun := clock.Now()
	time.Sleep(300 * time.Millisecond)
	taken := last.BeginAt(begun, p, false).taken
	if span := clock.Since(begun); taken.Time < span/4 || taken.Time+taken.Ran > span {
		t.Errorf("%+v of %v: three others ran on the same processor", taken, span)
	}
	if taken := (*Turn)(nil).BeginAt(begun, p, false).taken; taken != (Taken{}) {
		t.Errorf("%+v of a program that nobody had looked at", taken)
	}
}

// TestUsed: a program that computes uses a processor, as far as it gets one, one that sleeps none, and what begins later counts.
func TestUsed(t *testing.T) {
	busy, idle := Program{Root: start(t, loop)}, Program{Root: start(t, "sleep 0.1; for i in 1 2; do ("+loop+") & done; wait")}
	uses := Used(busy)
	usesNot := Used(idle)
	for end := time.Now().Add(20 * time.Second); uses.Since(busy) < 100*time.Millisecond || usesNot.Since(idle) < 100*time.Millisecond; {
		if time.Now().After(end) {
			t.Fatalf("%v and %v were used", uses.Since(busy), usesNot.Since(idle))
		}
		time.Sleep(10 * time.Millisecond)
	}
	asleep := Program{Root: start(t, "exec sleep 1000")}
	none := Used(asleep)
	time.Sleep(100 * time.Millisecond)
	if used := none.Since(asleep); used > 50*time.Millisecond {
		t.Errorf("who sleeps has used %v", used)
	}
}
