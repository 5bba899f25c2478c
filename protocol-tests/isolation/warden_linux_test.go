package isolation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"luzhanqi/check/attack"
)

// patience is how long after the command nothing may be left.
const patience = 3 * time.Second

// An order is what a warden does.
type order struct {
	Args      []string
	Dir       string
	Env       []string
	UID       int
	Mark      string        // names the keys and what else is made for the test
	Leak      string        // a file that the command inherits open, as it would from a careless shell
	Redirect  string        // the folder in which standard output and error are files, which begin with a secret; empty: the usual one
	Limit     time.Duration // then it is killed, which is a failure
	KillAfter time.Duration // then it is killed by SIGKILL, as by somebody outside; 0: not at all
	StopAfter time.Duration // it was stopped this long before the warden wakes it
}

// A finding is what the warden has seen.
type finding struct {
	Code, Signal int
	Stdout       string
	Stderr       string
	Stopped      int  // times
	Overdue      bool // had to be killed at the limit
	Took         time.Duration
	Left         []string // processes, after a while
	Terminal     []string // what has become of the referee's terminal
	Keys         []string // left in keyrings
	Err          string
}

func (o order) run(t *testing.T) finding {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var found finding
	c := exec.Command(self, "warden", string(text))
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err == nil {
		err = json.Unmarshal(out, &found)
	}
	if err != nil || found.Err != "" {
		t.Fatalf("the warden failed: %v, %s: %.300s", err, found.Err, out)
	}
	return found
}

// warden starts the command for a test, and is the reaper of whatever that leaves: all that is its descendant when the
// command has ended is left over, whatever session, name or environment it has. It is this binary in a role, since a
// test's own process has other children.
func warden(args []string) int {
	runtime.LockOSThread() // its keyring is a thread's
	var o order
	var f finding
	err := json.Unmarshal([]byte(args[0]), &o)
	if err == nil {
		err = o.guard(&f)
	}
	if err != nil {
		f.Err = err.Error()
	}
	json.NewEncoder(os.Stdout).Encode(f)
	return 0
}

func (o order) guard(f *finding) error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return err
	}
	ring := o.keys()
	terminal, line, err := pty.Open()
	if err != nil {
		return err
	}
	defer terminal.Close()
	defer line.Close()
	os.Chown(line.Name(), o.UID, -1)
	mode, err := unix.IoctlGetTermios(int(line.Fd()), unix.TCGETS)
	if err != nil {
		return err
	}
	c := exec.Command("/bin/sh", append([]string{"-c", `HOSTILE_REFEREE=$$ exec "$@"`, "sh"}, o.Args...)...)
	out, err := o.stream(outputFile)
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	complaint, err := o.stream(errorFile)
	if err != nil {
		return err
	}
	defer os.Remove(complaint.Name())
	c.Dir, c.Env, c.Stdin, c.Stdout, c.Stderr = o.Dir, o.Env, line, out, complaint
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if os.Getuid() == 0 {
		c.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(o.UID), Gid: uint32(o.UID)}
	}
	if o.Leak != "" {
		file, err := os.Open(o.Leak)
		if err != nil {
			return err
		}
		defer file.Close()
		for range 8 { // the command uses some of these numbers itself
			c.ExtraFiles = append(c.ExtraFiles, file)
		}
	}
	begun := time.Now()
	if err := c.Start(); err != nil {
		return err
	}
	o.watch(f, c.Process.Pid)
	f.Took = time.Since(begun)
	f.Left = outlived(os.Getpid())
	if now, err := unix.IoctlGetTermios(int(line.Fd()), unix.TCGETS); err != nil || *now != *mode {
		f.Terminal = append(f.Terminal, fmt.Sprintf("its modes are others: %+v, %v", now, err))
	}
	if n, err := unix.IoctlGetInt(int(line.Fd()), unix.TIOCINQ); err != nil || n > 0 {
		f.Terminal = append(f.Terminal, fmt.Sprintf("%d bytes were typed into it, %v", n, err))
	}
	o.findKeys(f, "session", ring)
	if err := as(o.UID, func() {
		o.findKeys(f, "user", unix.KEY_SPEC_USER_KEYRING)
		o.findKeys(f, "user session", unix.KEY_SPEC_USER_SESSION_KEYRING)
	}); err != nil {
		return err
	}
	said, _ := os.ReadFile(out.Name())
	complained, _ := os.ReadFile(complaint.Name())
	f.Stdout, f.Stderr = string(said), string(complained[:min(len(complained), 64<<10)])
	return nil
}

// What standard output and error are redirected to.
const outputFile, errorFile = "redirected-output", "redirected-error"

// stream makes a file for what the command writes, as a shell would.
func (o order) stream(name string) (*os.File, error) {
	if o.Redirect == "" {
		return os.CreateTemp("", "warden-")
	}
	path := filepath.Join(o.Redirect, name)
	err := os.WriteFile(path, []byte(attack.Secret(o.Mark)+"\n"), 0o644)
	if err == nil && os.Getuid() == 0 {
		err = os.Chown(path, o.UID, o.UID)
	}
	if err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
}

// keys gives the command a keyring of the session in which there is a key of the test.
func (o order) keys() (ring int) {
	ring, err := unix.KeyctlJoinSessionKeyring("luzhanqi-test-" + o.Mark)
	if err != nil {
		return 0
	}
	unix.KeyctlSetperm(ring, 0x3f3f3f3f)
	if id, err := unix.AddKey("user", "luzhanqi-"+o.Mark, []byte("secret"), ring); err == nil {
		unix.KeyctlSetperm(id, 0x3f3f3f3f)
	}
	return ring
}

// findKeys notes a key that was left in a keyring, and takes it out, since a user may have few. By its number only who possesses it could
// invalidate it, which by the keyring of a user is nobody whose session has another.
func (o order) findKeys(f *finding, name string, ring int) {
	if id, err := unix.KeyctlSearch(ring, "user", "left-"+o.Mark, 0); err == nil {
		f.Keys = append(f.Keys, "a key in the "+name+" keyring")
		unix.KeyctlInt(unix.KEYCTL_UNLINK, id, ring, 0, 0)
	}
}

// as does something as another user, whose keyrings are others. The thread is locked, and is root's again after it.
func as(uid int, do func()) error {
	if os.Getuid() != 0 || uid == 0 {
		do()
		return nil
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, uintptr(uid), uintptr(uid), 0); errno != 0 {
		return os.NewSyscallError("setresuid", errno)
	}
	do()
	if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, 0, 0, 0); errno != 0 {
		return os.NewSyscallError("setresuid", errno)
	}
	return nil
}

// watch waits for the referee, wakes it when it was stopped, kills it when it is time, and buries its orphans meanwhile.
func (o order) watch(f *finding, referee int) {
	limit := time.AfterFunc(o.Limit, func() {
		f.Overdue = true
		syscall.Kill(referee, syscall.SIGCONT)
		syscall.Kill(referee, syscall.SIGKILL)
	})
	defer limit.Stop()
	if o.KillAfter > 0 {
		kill := time.AfterFunc(o.KillAfter, func() { syscall.Kill(referee, syscall.SIGKILL) })
		defer kill.Stop()
	}
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WUNTRACED, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return
		case pid != referee:
		case status.Stopped():
			f.Stopped++
			time.AfterFunc(o.StopAfter, func() { syscall.Kill(referee, syscall.SIGCONT) })
		default:
			f.Code = status.ExitStatus()
			if status.Signaled() {
				f.Signal = int(status.Signal())
			}
			return
		}
	}
}

// outlived are the descendants that are still there after a while. They are killed then. Who has ended and only waits to be
// buried by the warden, with all of its threads, is not there any more, and process 1 of a namespace waits for all of those:
// they are buried until none is found, since on a busy machine a look at all processes takes long.
func outlived(ancestor int) (left []string) {
	eventually(patience, func() bool {
		for buried := true; buried; {
			for pid, err := 1, error(nil); pid > 0 && err == nil; {
				pid, err = syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
			}
			left, buried = nil, false
			for _, pid := range descendants(ancestor) {
				stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
				if err != nil {
					continue
				}
				threads, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
				f := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
				if f[0] == "Z" && f[1] == strconv.Itoa(ancestor) && len(threads) <= 1 {
					buried = true
					continue
				}
				line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
				left = append(left, fmt.Sprintf("%.60s … %.200q", stat, bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
			}
		}
		return left == nil
	})
	if left != nil {
		eventually(patience, func() bool {
			all := descendants(ancestor)
			for _, pid := range all {
				syscall.Kill(pid, syscall.SIGKILL)
			}
			syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
			return all == nil
		})
	}
	return left
}

// descendants are the processes below one.
func descendants(ancestor int) (pids []int) {
	children := map[int][]int{}
	all, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range all {
		stat, err := os.ReadFile(path)
		at := bytes.LastIndexByte(stat, ')')
		if err != nil || at < 0 {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		ppid, _ := strconv.Atoi(strings.Fields(string(stat[at+1:]))[1])
		children[ppid] = append(children[ppid], pid)
	}
	for next := []int{ancestor}; len(next) > 0; next = next[1:] {
		pids = append(pids, children[next[0]]...)
		next = append(next, children[next[0]]...)
	}
	slices.Sort(pids)
	return pids
}
