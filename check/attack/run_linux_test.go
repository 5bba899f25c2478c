package attack

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"luzhanqi/process/sandbox"
)

// nobody is an ordinary user's id.
const nobody = 65534

// notOpen are attacks that come to nothing on many machines even where nobody stops them, and those that nobody
// succeeds with.
var notOpen = map[int][]string{
	0: {
		"inherited", "outlive", forkBomb, "x32-calls", "own-environment", "core-dump", "affinity", "io-uring", "kernel-calls", "keys", "terminal", "devices", "message-queue", "network",
	},
	nobody: {
		"inherited", "outlive", forkBomb, "x32-calls", "own-environment", "core-dump", "affinity", "io-uring", "kernel-calls", "keys", "terminal", "message-queue", "network",
		"ptrace", "read-memory", "descriptors", // by Yama
		"supervisor", "handles", "machine", "raw-sockets", "shadow", "settings", "devices", "capabilities", "set-uid", "mount", "namespaces", "priority", // an ordinary user has no right to them
	},
}

// notHere are attacks that not every machine has what it takes for.
var notHere = []string{"foreign-calls"}

// TestRun runs all attacks, on this machine and on one without namespaces: what is promised is stopped, and each attack
// succeeds where nobody stops it, or its being stopped would mean nothing.
func TestRun(t *testing.T) {
	for _, level := range []sandbox.Level{sandbox.Isolated, sandbox.Filtered} {
		for _, uid := range []int{0, nobody} {
			t.Run(fmt.Sprintf("%v/user %d", level, uid), func(t *testing.T) {
				if uid != os.Getuid() && os.Getuid() != 0 {
					t.Skipf("only root can be user %d", uid)
				}
				r := runAs(t, uid, level == sandbox.Filtered)
				if r.Isolation.Level != level {
					t.Logf("this machine: %v", r.Isolation)
					if os.Getenv("LUZHANQI_NO_SKIP") != "" {
						t.Fail()
					}
				}
				for _, c := range r.Columns {
					judge(t, c, level, uid)
				}
			})
		}
	}
}

func judge(t *testing.T, c Column, level sandbox.Level, uid int) {
	if c.Unavailable != "" {
		t.Logf("%s: %s", c.Profile, c.Unavailable)
		return
	}
	if len(c.Cells) != len(table) {
		t.Errorf("%s: %d attacks, want %d", c.Profile, len(c.Cells), len(table))
	}
	for _, cell := range c.Cells {
		switch {
		case cell.Failed():
			t.Errorf("%s: %s is open: %s", c.Profile, cell.Attack, cell.Why)
		case cell.Outcome == Untried && slices.Contains(notHere, cell.Attack):
			t.Logf("%s: %s", cell.Attack, cell.Why)
		case c.Profile == sandbox.Off && level == sandbox.Isolated && cell.Outcome != Open && !slices.Contains(notOpen[uid], cell.Attack):
			t.Errorf("%s succeeds nowhere: %s, %s", cell.Attack, cell.Outcome, cell.Why)
		}
	}
	if c.Profile == sandbox.Sealed && c.Reported == 0 {
		t.Error("sealed: no refused system call was reported")
	}
}

// runAs runs them in a process of the user, in a directory that is not one of those that programs get places of their own for.
func runAs(t *testing.T, uid int, withoutNamespaces bool) (r Report) {
	t.Helper()
	parent := "."
	if os.Getuid() == 0 {
		parent = "/var/lib" // a place where another user can be, too
	}
	dir, err := os.MkdirTemp(parent, "luzhanqi-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	binary, err := filepath.Abs(filepath.Join(dir, "attack.test"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(copyFile(binary, "/proc/self/exe"), os.Chmod(dir, 0o755), os.Chown(dir, uid, -1)); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(binary)
	if withoutNamespaces {
		wrapper := binary + "-nonamespaces"
		if out, err := exec.Command("go", "build", "-o", wrapper, "luzhanqi/protocol-tests/nonamespaces").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		c = exec.Command(wrapper, binary)
	}
	c.Dir = dir
	c.Env = append(os.Environ(), childVariable+"="+dir)
	var stderr strings.Builder
	c.Stderr = &stderr
	if uid != os.Getuid() {
		c.Env = append(c.Env, "HOME="+dir)
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	}
	out, err := c.Output()
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, stderr.String())
	}
	if left, err := filepath.Glob(filepath.Join(dir, "luzhanqi-attacks-*")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	return r
}

// TestKilled: whoever kills a run finds nothing of it soon after: no folder, with its set-uid program, no files elsewhere, no sockets,
// nothing in the kernel.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	for range 6 {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), childVariable+"="+dir)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		within(t, func() bool { return len(topsIn(dir)) > 0 }, "it makes nothing")
		time.Sleep(time.Duration(rand.Int64N(int64(100 * time.Millisecond))))
		tops := topsIn(dir)
		c.Process.Kill()
		c.Wait()
		for _, top := range tops {
			mark := strings.TrimPrefix(top, topOf(dir, ""))
			within(t, func() bool { return len(topsIn(dir)) == 0 && len(made(mark)) == 0 }, "left: %v, %v", topsIn(dir), made(mark))
		}
	}
}

func topsIn(dir string) []string {
	all, _ := filepath.Glob(topOf(dir, "*"))
	return all
}

// made is what there is outside of a run's folder.
func made(mark string) (all []string) {
	names := []string{sharedLeft(mark), "/dev/mqueue/" + queueOf(mark)}
	for _, place := range temporaryPlaces {
		names = append(names, temporaryOf(place, mark))
	}
	for _, place := range socketPlaces {
		names = append(names, socketOf(place, mark))
	}
	for _, name := range names {
		if _, err := os.Lstat(name); err == nil {
			all = append(all, name)
		}
	}
	if _, err := unix.SysvShmGet(keyOf(mark), 0, 0); err == nil {
		all = append(all, "shared memory")
	}
	return all
}

func within(t *testing.T, so func() bool, message string, a ...any) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf(message, a...)
		}
	}
}

// TestNames: names do not repeat, for nobody could tell the rows apart.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range table {
		if seen[a.name] {
			t.Errorf("two attacks are called %s", a.name)
		}
		seen[a.name] = true
		if (a.try == nil) != (a.name == forkBomb) {
			t.Errorf("%s is not tried", a.name)
		}
	}
}
