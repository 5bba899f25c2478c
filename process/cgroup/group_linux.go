package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Limits are those of a group. Zero fields: none.
type Limits struct {
	Memory int64 // bytes, the kernel's own for these processes included
	Tasks  int   // processes and threads together
}

// Group holds a program and all that it starts. It is locked as long as the process that has made it lives: by that
// others know that it is not to be removed. Nil is no group: nothing is limited, and nothing happens to it.
type Group struct {
	tree     *Tree
	path     string
	dir      *os.File
	released sync.WaitGroup

	exceeded, full bool // as they were when the group was removed
}

// maxNames bounds the search for a name that nobody else has, in another namespace of process ids.
const maxNames = 100

// Make makes a group.
func (t *Tree) Make(limits Limits) (*Group, error) {
	g, err := t.make()
	if err != nil {
		return nil, t.refused("make a group", err)
	}
	files := [][2]string{{"memory.max", strconv.FormatInt(limits.Memory, 10)}, {"memory.oom.group", "1"}, {"memory.swap.max", "0"}}
	if limits.Memory == 0 {
		files = nil
	}
	if limits.Tasks != 0 && t.pids {
		files = append(files, [2]string{"pids.max", strconv.Itoa(limits.Tasks)})
	}
	for _, file := range files {
		err := t.write(filepath.Join(g.path, file[0]), file[1])
		if err != nil && (file[0] != "memory.swap.max" || !errors.Is(err, os.ErrNotExist)) { // a kernel without swap has none
			return nil, errors.Join(t.refused("write "+file[0], err), g.Remove())
		}
	}
	return g, nil
}

func (t *Tree) make() (*Group, error) {
	for range maxNames {
		path := filepath.Join(t.path, fmt.Sprintf("%s%d-%d", groupPrefix, os.Getpid(), t.made.Add(1)))
		if err := t.mkdir(path); errors.Is(err, os.ErrExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		dir, err := lock(path)
		if err == nil {
			return &Group{tree: t, path: path, dir: dir}, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, os.ErrNotExist) { // else a sweep has met it
			t.rmdir(path)
			return nil, err
		}
	}
	return nil, errors.New("no name is free")
}

// lock opens the directory of a group and locks it, if nobody else has.
func lock(path string) (*os.File, error) {
	dir, err := os.OpenFile(path, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(dir.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		dir.Close()
		return nil, err
	}
	return dir, nil
}

// Attributes lets a process be started in the group.
func (g *Group) Attributes(attr *syscall.SysProcAttr) {
	if g != nil {
		attr.UseCgroupFD, attr.CgroupFD = true, int(g.dir.Fd())
	}
}

// Release moves a process out of the group, to where this one is, so that it does not die with the others; what it has
// used until then stays counted. The kernel takes some 20 ms for it, for which nobody waits but [Group.Await]. One that
// cannot leave stays.
func (g *Group) Release(pid int) {
	if g != nil {
		g.released.Go(func() { g.tree.write(filepath.Join(g.tree.home, "cgroup.procs"), strconv.Itoa(pid)) })
	}
}

// Await waits until processes are released: before that, their numbers must not become somebody else's.
func (g *Group) Await() {
	if g != nil {
		g.released.Wait()
	}
}

// Exceeded says whether the processes in it have wanted more memory than they may have together, and were killed for it.
// Where they were killed because others want it, or the machine has no more, it says no.
func (g *Group) Exceeded() bool {
	if g == nil {
		return false
	}
	events := g.events("memory.events")
	return g.exceeded || events["oom"] && events["oom_kill"] // one alone is for want of memory elsewhere, or hits who ends anyway
}

// Full says whether they were refused a further process or thread.
func (g *Group) Full() bool { return g != nil && (g.full || g.events("pids.events")["max"]) }

// events are those of a file that have happened.
func (g *Group) events(file string) map[string]bool {
	text, _ := os.ReadFile(filepath.Join(g.path, file))
	happened := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[1] != "0" {
			happened[fields[0]] = true
		}
	}
	return happened
}

// removeTimeout bounds the wait for killed processes to be gone.
const removeTimeout = 10 * time.Second

// Kill kills all in the group.
func (g *Group) Kill() {
	if g != nil {
		g.tree.kill(g.path)
	}
}

// Remove kills what is left in the group, and removes it.
func (g *Group) Remove() error {
	if g == nil {
		return nil
	}
	g.exceeded, g.full = g.Exceeded(), g.Full()
	defer g.dir.Close()
	if err := g.tree.remove(g.path, removeTimeout); err != nil {
		return g.tree.refused("remove the group "+filepath.Base(g.path), err)
	}
	return nil
}

// remove kills all in a group and removes it, with the groups below it.
func (t *Tree) remove(path string, patience time.Duration) error {
	err := t.rmdir(path)
	if err == nil || errors.Is(err, os.ErrNotExist) {
		return nil
	}
	t.kill(path)
	awaitEmpty(path, time.Now().Add(patience))
	below, _ := os.ReadDir(path)
	for _, e := range below {
		if e.IsDir() {
			err = errors.Join(err, t.remove(filepath.Join(path, e.Name()), patience))
		}
	}
	if last := t.rmdir(path); last != nil && !errors.Is(last, os.ErrNotExist) {
		return last
	}
	return nil
}

// kill kills all in a group, and in the groups below it.
func (t *Tree) kill(path string) {
	if t.write(filepath.Join(path, "cgroup.kill"), "1") == nil {
		return
	}
	// Linux before 5.14: one after the other, and what they have started meanwhile in further rounds.
	for range 100 {
		text, _ := os.ReadFile(filepath.Join(path, "cgroup.procs"))
		pids := strings.Fields(string(text))
		if len(pids) == 0 {
			return
		}
		for _, word := range pids {
			if pid, err := strconv.Atoi(word); err == nil && pid > 0 {
				unix.Kill(pid, unix.SIGKILL)
			}
		}
	}
}

// awaitEmpty waits until no process is left in a group.
func awaitEmpty(path string, until time.Time) {
	events, err := os.OpenFile(filepath.Join(path, "cgroup.events"), os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer events.Close()
	buf := make([]byte, 200)
	for {
		n, _ := events.ReadAt(buf, 0)
		left := time.Until(until)
		if !strings.Contains(string(buf[:n]), "populated 1") || left <= 0 {
			return
		}
		unix.Poll([]unix.PollFd{{Fd: int32(events.Fd()), Events: unix.POLLPRI}}, int(left.Milliseconds())+1)
	}
}
