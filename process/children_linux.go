package process

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// children are those of this process.
var children = &childSet{own: map[int]bool{}}

type childSet struct {
	mu     sync.Mutex
	own    map[int]bool // by process id: it started them itself
	adopts bool         // the others are adopted
}

// AdoptOrphans declares that this process starts children by this package only. It then takes over the
// orphans of a supervisor that was killed, and kills them. Without it, a program that kills its
// own supervisor dies of it, but what it had started may live on.
func AdoptOrphans() {
	children.mu.Lock()
	defer children.mu.Unlock()
	children.adopts = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == nil
}

func (c *childSet) start(cmd *exec.Cmd) error {
	c.mu.Lock() // a sweep must not meet a child that is not yet known
	defer c.mu.Unlock()
	if err := starter.run(cmd.Start); err != nil {
		return err
	}
	c.own[cmd.Process.Pid] = true
	return nil
}

// starter is one thread that lives as long as this process: a death signal is sent when the thread
// ends that started the child, not when the process does.
var starter thread

type thread struct {
	once sync.Once
	work chan func()
}

func (t *thread) run(f func() error) (err error) {
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

// end ends the thread.
func (t *thread) end() {
	t.once.Do(func() { t.work = make(chan func()) })
	if t.work != nil {
		close(t.work)
		t.work = nil
	}
}

func (c *childSet) wait(cmd *exec.Cmd) {
	cmd.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.own, cmd.Process.Pid)
}

// sweep kills and reaps the children that this process has not started itself, until there is none, or for as long as
// killing may take: a program without namespaces can make new ones faster than they are found. Each round kills all that
// it sees before it waits for any, and holds up nobody who starts another program for longer than that.
func (c *childSet) sweep() {
	for end := time.Now().Add(killTimeout); time.Now().Before(end); {
		if c.sweepOnce() == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// sweepOnce returns how many were there.
func (c *childSet) sweepOnce() (adopted int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.adopts {
		return 0
	}
	table := childrenByParent()
	var mine []int
	for _, pid := range table[os.Getpid()] {
		if !c.own[pid] {
			mine = append(mine, pid)
			killTree(pid, table, nil)
		}
	}
	for _, pid := range mine {
		syscall.Wait4(pid, nil, syscall.WNOHANG, nil) // the next round meets those that are not dead yet
	}
	return len(mine)
}

// childrenOf finds the children of processes below root, of whom the threads are known: by the kernel's own lists, if it keeps
// them, and else by a table of all processes.
func childrenOf(root int) func(pid int, tasks []string) []int {
	if _, err := os.Stat(fmt.Sprintf("/proc/%d/task/%[1]d/children", root)); err == nil {
		return listedChildren
	}
	table := childrenByParent()
	return func(pid int, _ []string) []int { return table[pid] }
}

func threadsOf(pid int) []string {
	dir, err := os.Open(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return nil // gone meanwhile
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	return names
}

// listedChildren reads the kernel's own lists of the children of each thread, which are not
// configured everywhere.
func listedChildren(pid int, tasks []string) (children []int) {
	for _, task := range tasks {
		list, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task))
		for _, word := range bytes.Fields(list) {
			if child, err := strconv.Atoi(string(word)); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}
