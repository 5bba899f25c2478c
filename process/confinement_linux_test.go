package process

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"luzhanqi/process/sandbox"
)

// TestProgramSeesItsLimits: before its first instruction, over pipes and on a terminal.
func TestProgramSeesItsLimits(t *testing.T) {
	t.Parallel()
	for _, terminal := range []bool{false, true} {
		p, err := Start(Command{
			Args:     []string{"/bin/sh", "-c", "ulimit -d; ulimit -t; ulimit -Ht; ulimit -f; ulimit -n; ulimit -Hn; ulimit -c; test -t 0 && echo terminal </dev/tty"},
			Terminal: terminal,
			Confine:  Confinement{Memory: 64 << 20, CPU: 2500 * time.Millisecond, FileSize: 1 << 20, Files: 50, Processes: 10, Threads: 10},
		})
		if err != nil {
			t.Fatal(err)
		}
		want := "65536\n3\n4\n2048\n50\n50\n0\n"
		if terminal {
			want += "terminal\n"
		}
		got := readAll(t, p, "")
		exit, err := p.Stop(time.Second)
		if got != want || err != nil {
			said, _ := p.Stderr()
			t.Errorf("terminal %v: limits %q, want %q; %v, %v; %s", terminal, got, want, exit, err, said)
		}
	}
}

// TestNoLimitsUnlessAsked: an unconfined program has the referee's, also of open files, which Go
// raises for itself.
func TestNoLimitsUnlessAsked(t *testing.T) {
	const print = "ulimit -d; ulimit -t; ulimit -f; ulimit -n"
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		t.Fatal(err)
	}
	fewer := files
	fewer.Cur = min(512, files.Max/2) // which Go raises for itself, and for nobody else
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &fewer); err != nil {
		t.Fatal(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_NOFILE, &files)
	var all []string
	for _, confine := range []Confinement{{}, {Processes: 50}, {CPUs: Cores()}} {
		p, err := Start(Command{Args: []string{"/bin/sh", "-c", print}, Confine: confine})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, readAll(t, p, ""))
		p.Stop(time.Second)
	}
	p, err := Start(Command{Args: []string{"/bin/sh", "-c", print}, Confine: Confinement{Memory: 1 << 30}})
	if err != nil {
		t.Fatal(err)
	}
	all = append(all, strings.Replace(readAll(t, p, ""), "1048576", "unlimited", 1))
	p.Stop(time.Second)
	for _, got := range all {
		if want := fmt.Sprintf("unlimited\nunlimited\nunlimited\n%d\n", fewer.Cur); got != want {
			t.Errorf("limits %q, instead of %q", all, want)
		}
	}
}

// ends starts a role, and wants it to end in one way, with nothing left.
func ends(t *testing.T, name string, confine Confinement, want Limit, words string) Exit {
	t.Helper()
	file := filepath.Join(t.TempDir(), "forked")
	if err := os.WriteFile(file, make([]byte, 8), 0o600); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	p := role(t, name, confine, "FORKED="+file)
	supervisor := p.guard.family().Root
	select {
	case <-p.Exited():
	case <-time.After(time.Minute):
		t.Errorf("%s: still there after %v", name, time.Since(begun))
	}
	exit, err := p.Stop(0)
	if err != nil {
		t.Error(err)
	}
	if exit.Exceeded != want || !strings.Contains(exit.String(), words) {
		t.Errorf("%s %s (%v), want %v: %q", name, exit, exit.Exceeded, want, words)
	}
	mustBeDead(t, []int{supervisor}, 0) // it exits when it has no child any more, and adopts all orphans
	text, _ := os.ReadFile(file)
	t.Logf("%s: %s after %v; it had made %d processes", name, exit, time.Since(begun), binary.NativeEndian.Uint64(text))
	return exit
}

func TestForkBomb(t *testing.T) {
	for _, name := range []string{"bomb", "bomb in sessions"} {
		ends(t, name, Confinement{Processes: 20}, LimitProcesses, "was killed for using more than 20 processes at once, its limit")
	}
}

func TestThreadBomb(t *testing.T) {
	ends(t, "threads", Confinement{Threads: 100}, LimitThreads, "more than 100 threads at once")
}

// TestShellForkBomb is the well-known one.
func TestShellForkBomb(t *testing.T) {
	p, err := Start(Command{
		Args:    []string{"/bin/sh", "-c", `b() { test $(date +%s) -gt "$END" || { b | b & }; }; b; sleep 30`},
		Env:     []string{fmt.Sprintf("END=%d", time.Now().Add(5*time.Second).Unix())},
		Confine: Confinement{Processes: 30},
	})
	if err != nil {
		t.Fatal(err)
	}
	<-p.Exited()
	if exit, err := p.Stop(0); err != nil || exit.Exceeded != LimitProcesses {
		t.Errorf("%s, %v", exit, err)
	}
}

// TestComet: a process that is never the same is killed in the end.
func TestComet(t *testing.T) {
	file := filepath.Join(t.TempDir(), "forked")
	if err := os.WriteFile(file, make([]byte, 8), 0o600); err != nil {
		t.Fatal(err)
	}
	p := role(t, "comet", Confinement{}, "FORKED="+file)
	readAll(t, p, "comet\n")
	hops := func() uint64 { text, _ := os.ReadFile(file); return binary.NativeEndian.Uint64(text) }
	for end := soon(); hops() < 100 && time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	begun, before := time.Now(), hops()
	if _, err := p.Stop(0); err != nil {
		t.Error(err)
	}
	t.Logf("gone after %v; it changed %d times before and %d times after", time.Since(begun), before, hops()-before)
	if time.Since(begun) > bombLife/2 {
		t.Error("it ended by itself")
	}
}

func TestMemoryHog(t *testing.T) {
	t.Parallel()
	exit := ends(t, "hog", Confinement{Memory: 256 << 20}, NoLimit, "; its limit of 256 MiB of memory may be why")
	if exit.Code <= 0 || exit.MaxRSS > 300<<20 {
		t.Errorf("%+v", exit)
	}
	ends(t, "hog", Confinement{Memory: 4 << 30}, NoLimit, "exited with code 0")
}

// TestLeastMemory: too little to start with is reported as an end, not as a hang or a fault of ours.
func TestLeastMemory(t *testing.T) {
	t.Parallel()
	for memory := int64(minMemory); memory <= 64<<20; memory *= 4 {
		p, err := Start(Command{Args: []string{"/bin/sh", "-c", "exit 3"}, Confine: Confinement{Memory: memory}})
		if err != nil {
			t.Errorf("%d: %v", memory, err)
			continue
		}
		exit, err := p.Stop(10 * time.Second)
		if err != nil || exit.Killed || exit.Code != 3 && !strings.Contains(exit.String(), "memory may be why") {
			t.Errorf("%d: %s, %v", memory, exit, err)
		}
	}
}

// TestMemoryIsTheProgramsOwn: what limits itself and becomes the program does not fail by the limit itself,
// however many threads and how much heap it has by then.
func TestMemoryIsTheProgramsOwn(t *testing.T) {
	t.Parallel()
	for range 40 {
		p, err := Start(Command{Args: []string{"/bin/sh", "-c", "exit 3"}, Confine: Confinement{Memory: 16 << 20}})
		if err != nil {
			t.Fatal(err)
		}
		exit, err := p.Stop(10 * time.Second)
		if said, _ := p.Stderr(); err != nil || exit.Code != 3 {
			t.Fatalf("%s, %v; %s", exit, err, said)
		}
	}
}

func TestProcessorTime(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"burn", "burn on"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			exit := ends(t, name, Confinement{CPU: time.Second}, LimitCPU, "more than 1s of processor time")
			if used := exit.User + exit.System; used < 900*time.Millisecond || used > 3*time.Second {
				t.Errorf("used %v", used)
			}
		})
	}
}

func TestFileSize(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p, err := Start(Command{
		Args: []string{"/bin/sh", "-c", "exec dd if=/dev/zero of=big bs=65536 count=100"},
		Dir:  dir, Confine: Confinement{FileSize: 1 << 20},
	})
	if err != nil {
		t.Fatal(err)
	}
	<-p.Exited()
	exit, err := p.Stop(0)
	if err != nil || exit.Signal != syscall.SIGXFSZ || exit.Exceeded != LimitFileSize || exit.String() != "was killed for using a file of more than 1 MiB, its limit" {
		t.Errorf("%s, %v", exit, err)
	}
	if info, err := os.Stat(filepath.Join(dir, "big")); err != nil || info.Size() != 1<<20 {
		t.Errorf("%v, %v", info.Size(), err)
	}
}

// TestProcessors: every thread has the same ones, whenever it was made.
func TestProcessors(t *testing.T) {
	t.Parallel()
	cores := Cores()
	if len(cores) < 2 {
		t.Skip("one processor")
	}
	in := func(s sandbox.Profile, c Confinement) *Process {
		command := roleCommand("processors", c)
		command.Sandbox.Profile = s
		p, err := Start(command)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Stop(0) })
		return p
	}
	pinned := Confinement{CPUs: cores[1:2]}
	limited := pinned
	limited.Memory = 1 << 30
	for _, p := range []*Process{in(sandbox.Off, pinned), in(sandbox.Off, limited), in(sandbox.Guarded, pinned), in(sandbox.Sealed, limited)} {
		lines := strings.Fields(readAll(t, p, ""))
		if len(lines) < 6 {
			t.Errorf("%d threads", len(lines))
		}
		for _, line := range lines {
			if line != fmt.Sprint(cores[1]) {
				t.Errorf("a thread may run on %s, want %d", line, cores[1])
			}
		}
	}
	p := role(t, "processors", Confinement{Memory: 1 << 30})
	if line := strings.Fields(readAll(t, p, ""))[0]; line == fmt.Sprint(cores[1]) {
		t.Errorf("unpinned, but may run on %s only", line)
	}
}

// TestConfinedStartErrors: the limiter's failure is the program's own, word for word.
func TestConfinedStartErrors(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"script": "#!/no/such/interpreter\n", "text": "hello"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, confine := range []Confinement{{}, {Memory: 1 << 30}} {
			_, err := Start(Command{Args: []string{path}, Confine: confine})
			found = append(found, fmt.Sprint(err))
		}
		if found[0] != found[1] || found[0] == "<nil>" {
			t.Errorf("%q", found)
		}
	}
}

// What a look of the watch costs, and what counting costs.
func BenchmarkWatch(b *testing.B) {
	b.Run("look", func(b *testing.B) {
		for newest := openNewestID(); b.Loop(); {
			if _, known := newest.read(); !known {
				b.Fatal("unknown")
			}
		}
	})
	b.Run("count", func(b *testing.B) {
		p := role(b, "processors", Confinement{})
		defer p.Stop(0)
		if _, err := p.Read(make([]byte, 100), soon()); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if n, _ := descendants([]int{p.guard.family().Root}, 100); n == 0 {
				b.Fatal("nobody there")
			}
		}
	})
}

// TestShares: of what the kernel counts for each user, a program in a sandbox can take a share and no more.
func TestShares(t *testing.T) {
	if r := Isolation(); r.Level == sandbox.None {
		t.Skip(r)
	}
	if os.Getuid() != 0 {
		t.Skip("with so few threads, an ordinary user who has others may not be able to start any")
	}
	var tasks unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NPROC, &tasks); err != nil {
		t.Fatal(err)
	}
	few := tasks
	few.Cur = min(tasks.Cur, 400)
	if err := unix.Setrlimit(unix.RLIMIT_NPROC, &few); err != nil {
		t.Fatal(err)
	}
	forget := func() { shares.Lock(); shares.programs = 0; shares.Unlock() }
	forget() // the limit was looked at before
	defer func() { unix.Setrlimit(unix.RLIMIT_NPROC, &tasks); forget() }()
	each, _ := share()
	if each > 200 {
		t.Fatalf("%d threads for each of two programs, of 400 in all", each)
	}
	r := Run(t.Context(), Command{
		Args: []string{"/bin/sh", "-c", "grep pending.signals /proc/self/limits; i=0; while [ $i -lt 300 ]; do sleep 20 & i=$((i+1)); done; wait"},
		Dir:  t.TempDir(), Sandbox: sandbox.Policy{Profile: sandbox.Guarded},
	}, RunLimits{Time: 20 * time.Second})
	if want := fmt.Sprintf("more than %d threads at once", each); r.Err != nil || r.Exit.Exceeded != LimitThreads || !strings.Contains(r.Exit.String(), want) {
		t.Errorf("%v, %v, want %q\n%s%s", r.Exit, r.Err, want, r.Stdout, r.Stderr)
	}
	if words := strings.Fields(r.Stdout.String()); Isolation().Level == sandbox.Isolated && (len(words) < 4 || words[3] != "1024") {
		t.Errorf("its signals that may wait: %q", words)
	}
}

// A program has its own /proc and devices: files there that its arguments name are those, and are not taken along.
func TestArgumentsOfKernelFiles(t *testing.T) {
	for _, profile := range []sandbox.Profile{sandbox.Guarded, sandbox.Sealed} {
		dir := t.TempDir()
		r := Run(t.Context(), Command{
			Args: []string{"grep", "-h", "Name", "/proc/self/status", "/dev/null"}, Dir: dir, Sandbox: sandbox.Policy{Profile: profile},
		}, RunLimits{Time: time.Minute})
		if r.Err != nil || r.Stdout.String() != "Name:\tgrep\n" {
			t.Errorf("%s: %v, %v\n%s%s", profile, r.Err, r.Exit, r.Stdout, r.Stderr)
		}
	}
}
