package process

import (
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// family knows which children this process started itself.
var family = &kin{own: map[int]bool{}}

type kin struct {
	mu     sync.Mutex
	own    map[int]bool
	adopts bool
}

// Adopt declares that this process starts children by this package only. It then takes over the
// orphans of a supervisor that was killed, and kills them. Without it, a program that kills its
// own supervisor dies of it, but what it had started may live on.
func Adopt() {
	family.mu.Lock()
	defer family.mu.Unlock()
	family.adopts = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == nil
}

func (k *kin) start(cmd *exec.Cmd) error {
	k.mu.Lock() // a sweep must not meet a child that is not yet known
	defer k.mu.Unlock()
	if err := starter.do(cmd.Start); err != nil {
		return err
	}
	k.own[cmd.Process.Pid] = true
	return nil
}

// starter is one thread that lives as long as this process: a death signal is sent when the thread
// ends that started the child, not when the process does.
var starter thread

type thread struct {
	once sync.Once
	work chan func()
}

func (t *thread) do(f func() error) (err error) {
	t.once.Do(func() {
		t.work = make(chan func())
		go func() {
			runtime.LockOSThread()
			for f := range t.work {
				f()
			}
		}()
	})
	done := make(chan struct{})
	t.work <- func() { err = f(); close(done) }
	<-done
	return err
}

func (k *kin) wait(cmd *exec.Cmd) {
	cmd.Wait()
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.own, cmd.Process.Pid)
}

// sweep kills and reaps every child that this process has not started itself, until there is none.
func (k *kin) sweep() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for k.adopts {
		adopted := 0
		children := childTable()
		for _, pid := range children[os.Getpid()] {
			if !k.own[pid] {
				adopted++
				kill(pid, children, nil)
				syscall.Wait4(pid, nil, 0, nil)
			}
		}
		if adopted == 0 {
			return
		}
	}
}

// killDescendants kills every process below root as found in one reading of the process table, each
// as soon as it is known to be one: whoever is killed makes no others while the reading goes on.
func killDescendants(root int) {
	doomed := map[int]bool{root: true}
	children := readTable(func(pid, parent int) {
		if doomed[parent] {
			doomed[pid] = true
			syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	for _, pid := range children[root] {
		kill(pid, children, doomed)
	}
}

// kill kills pid and all below it, parents first, so that they cannot replace their children. Those
// that are dead already are not killed again: their numbers may be somebody else's by now.
func kill(pid int, children map[int][]int, dead map[int]bool) {
	if !dead[pid] {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	below := children[pid]
	delete(children, pid) // numbers that were given away again may have made a circle
	for _, child := range below {
		kill(child, children, dead)
	}
}

// childTable maps the id of every process that can be seen to its children's. The kernel's own list
// of children (/proc/PID/task/TID/children) is not configured everywhere.
func childTable() map[int][]int { return readTable(func(int, int) {}) }

// readTable tells each process that it finds, too.
func readTable(found func(pid, parent int)) map[int][]int {
	children := map[int][]int{}
	for pid, e := range Table() {
		children[e.Parent] = append(children[e.Parent], pid)
		found(pid, e.Parent)
	}
	return children
}
