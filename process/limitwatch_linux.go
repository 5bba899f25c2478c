package process

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"luzhanqi/process/cgroup"
	"luzhanqi/process/sandbox"
	"luzhanqi/process/tasks"
)

// The kernel's own limit of processes (RLIMIT_NPROC) counts all that its user runs, other games
// included, unless there is a namespace of users, and does not hold for root. So the supervisor counts, and kills everything when there
// are too many. Counting is not free; therefore it asks at every look only for the id that the
// kernel has given to the newest thread of the machine, and counts when there may be too many,
// because so many have been made since it last counted.

// watchInterval is how long a program can go unwatched. A look costs some microseconds.
const watchInterval = 10 * time.Millisecond

// watchAnyway is how often it counts in any case: a list of children that changes while it is read
// may be read incompletely.
const watchAnyway = 500 * time.Millisecond

func (s *supervisor) watchLimits() {
	realtime()
	sleepInThread(watchInterval)
	c := s.order.Confine
	newest := openNewestID()
	defer unix.Close(newest.fd)
	var counted time.Time
	enough := math.MaxInt // to count
	if c.Processes != 0 && c.Threads == 0 {
		enough = c.Processes + 1
	}
	// There can be too many when room more have been made since.
	since, room := 0, 0
	if s.stays != nil && s.stays.before > 0 { // then there was nothing of it
		since, room, counted = s.stays.before, c.room(0, 0), time.Now()
	}
	for ; !s.killing.Load(); sleepInThread(watchInterval) {
		if c.Total != 0 && s.uses(c.Total) {
			s.end(LimitTotal)
		}
		if c.Processes == 0 && c.Threads == 0 {
			continue
		}
		id, known := newest.read()
		if known && id >= since && id-since < room && time.Since(counted) < watchAnyway {
			continue
		}
		processes, threads := descendants(s.roots(), enough)
		switch {
		case c.Processes != 0 && processes > c.Processes:
			s.end(LimitProcesses)
		case c.Threads != 0 && threads > c.Threads:
			s.end(LimitThreads)
		}
		counted, since, room = time.Now(), id, c.room(processes, threads)
	}
}

// room is how many more processes or threads than these are too many.
func (c Confinement) room(processes, threads int) int {
	room := math.MaxInt - 1
	if c.Processes != 0 {
		room = c.Processes - processes
	}
	if c.Threads != 0 {
		room = min(room, c.Threads-threads)
	}
	return room + 1 // as many as the limit are allowed
}

// share is how many processes and threads a program in a sandbox may have, with all that it starts, unless it has limits of its own;
// and how many all programs may have together. What the machine leaves is looked at once for a number of programs.
func share() (each, all int) {
	shares.Lock()
	defer shares.Unlock()
	if n := max(2, int(together.Load())); n != shares.programs {
		shares.programs = n
		shares.each, shares.all = tasks.Share(n)
	}
	return shares.each, shares.all
}

var shares struct {
	sync.Mutex
	programs, each, all int
}

// shareOut bounds what the kernel counts for each user, so that one program cannot take it from another of the same user, nor from
// the referee: threads, signals that wait, and bytes of message queues. No runtime of the five has more than a few of these signals
// or any of these queues. It bounds this process, and what that starts from now on, or the program that has just been started.
func shareOut(pid, tasks int) {
	for resource, most := range map[int]uint64{unix.RLIMIT_NPROC: uint64(tasks), unix.RLIMIT_SIGPENDING: 1024, unix.RLIMIT_MSGQUEUE: 256 << 10} {
		var limit unix.Rlimit
		if most > 0 && unix.Prlimit(pid, resource, nil, &limit) == nil {
			limit.Max, limit.Cur = min(limit.Max, most), min(limit.Cur, most)
			unix.Prlimit(pid, resource, &limit, nil) // no limit can be too low to be lowered
		}
	}
}

// sharesUser says whether the program counts together with its supervisor, and with the other programs of that: then what is
// bounded must be the program only.
func (s *supervisor) sharesUser() bool { return s.stays != nil && s.order.View.User == 0 }

// realtime lets the calling goroutine run before all ordinary threads of the machine, if this user may
// do that (root may): it has to be faster than a thousand processes that fork. Where it is not
// allowed, what helps is that the program has a session of its own, to which the scheduler gives no
// more than to this process.
func realtime() {
	runtime.LockOSThread()
	unix.SchedSetAttr(0, &unix.SchedAttr{
		Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1, Flags: unix.SCHED_FLAG_RESET_ON_FORK,
	}, 0)
}

// sleepInThread sleeps in the thread itself: after time.Sleep another thread would have to run first.
func sleepInThread(d time.Duration) {
	span := unix.NsecToTimespec(int64(d))
	unix.Nanosleep(&span, nil)
}

// newestID reads the id of the machine's newest thread, the last field of /proc/loadavg.
type newestID struct {
	fd  int
	buf [100]byte
}

func openNewestID() *newestID {
	fd, err := unix.Open("/proc/loadavg", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		fd = -1 // read will say that nothing is known
	}
	return &newestID{fd: fd}
}

// newestBefore reads it once; 0: it is not known.
func newestBefore() int {
	newest := openNewestID()
	defer unix.Close(newest.fd)
	if id, known := newest.read(); known {
		return id
	}
	return 0
}

// read says false where there is no such number, as in some sandboxes, and after the numbers have
// begun again from the lowest.
func (n *newestID) read() (id int, known bool) {
	got, err := unix.Pread(n.fd, n.buf[:], 0)
	if err != nil {
		return 0, false
	}
	fields := bytes.Fields(n.buf[:got])
	if len(fields) < 5 {
		return 0, false
	}
	id, err = strconv.Atoi(string(fields[4]))
	return id, err == nil && id >= os.Getpid()
}

// descendants counts the processes below the first of roots, and the others with those below them, and their threads, or only
// so many processes as are enough. Those that have ended and have not been waited for count as well: they hold their place
// in the process table.
func descendants(roots []int, enough int) (processes, threads int) {
	children := childrenOf(roots[0])
	for pending := slices.Clone(roots); len(pending) > 0 && processes < enough; {
		pid := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		tasks := threadsOf(pid)
		if pid != roots[0] && len(tasks) > 0 {
			processes++
			threads += len(tasks)
		}
		pending = append(pending, children(pid, tasks)...)
	}
	return processes, threads
}

// below are the processes that this one has to watch.
func (s *supervisor) below() (pids []int) {
	roots := s.roots()
	children := childrenOf(roots[0])
	known := map[int]bool{}
	pids = slices.Clone(roots[1:])
	for pending := slices.Clone(roots); len(pending) > 0; {
		pid := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for _, child := range children(pid, threadsOf(pid)) {
			if !known[child] { // numbers that were given away again may have made a circle
				known[child] = true
				pids, pending = append(pids, child), append(pending, child)
			}
		}
	}
	return pids
}

// memoryTree is the part of cgroup v2 in which programs get groups, where one is delegated to this process: there the
// kernel limits what a program and all that it starts use together. The error says why there is none. It was tried by
// starting something.
var memoryTree = sync.OnceValues(func() (*cgroup.Tree, error) {
	if roles == nil {
		return nil, ErrNoReexec
	}
	tree, err := cgroup.Open(cgroup.Starter{Sweeper: startSweeper, Trial: func(g *cgroup.Group) error {
		cmd := &exec.Cmd{Path: "/proc/self/exe", Args: []string{limiterName}, SysProcAttr: &syscall.SysProcAttr{}}
		g.Attributes(cmd.SysProcAttr)
		err := children.start(cmd)
		if err == nil {
			children.wait(cmd) // a limiter without limits ends at once
		}
		return err
	}})
	if err == nil {
		tree.Sweep() // what cannot be removed does not matter to this process
	}
	return tree, err
})

// sweeperName is argument zero of the process that removes the groups of a referee that has ended, however it ended. Its
// arguments are the referee's process id, and whether it is to make a group for both.
const sweeperName = "luzhanqi-sweeper"

// startSweeper starts one, and waits until it says that it is ready.
func startSweeper(aside bool) error {
	cmd := &exec.Cmd{
		Path: "/proc/self/exe", Args: []string{sweeperName, strconv.Itoa(os.Getpid()), strconv.FormatBool(aside)},
		Dir: "/", SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := children.start(cmd); err != nil {
		return err
	}
	said, _ := bufio.NewReader(out).ReadString('\n')
	if said == sweeperReady {
		return out.Close()
	}
	children.wait(cmd)
	return fmt.Errorf("start a process that removes groups at the end: %s", cmp.Or(strings.TrimSpace(said), cmd.ProcessState.String()))
}

const sweeperReady = "ready\n"

// sweeper is the whole life of such a process.
func sweeper(args []string) {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE)
	if len(args) != 2 {
		os.Exit(2)
	}
	parent, _ := strconv.Atoi(args[0])
	err := cgroup.Outlive(parent, args[1] == "true", func() { os.Stdout.WriteString(sweeperReady) })
	if err != nil {
		fmt.Println(err)
	}
	os.Exit(0)
}

// ungrouped is why no more groups are made, after one could not be.
var ungrouped atomic.Pointer[error]

// TotalMemory says how [Confinement.Total] of programs in a sandbox is held on this machine, and why it is not held better.
func TotalMemory(c Confinement) (how, why string) {
	_, err := memoryTree()
	if failed := ungrouped.Load(); failed != nil {
		err = *failed
	}
	if c.copies(Isolation().Level == sandbox.Isolated) {
		err = errors.New("the copy of a private directory would count, too")
	}
	if err == nil {
		return "limited by the kernel (cgroup v2)", ""
	}
	return fmt.Sprintf("looked at %d times a second; in between a program can have more", time.Second/watchInterval), fmt.Sprintf("no cgroup v2: %v", err)
}

// copies says whether a private directory is a copy of another, which may lie in memory and be charged to the program.
func (c Confinement) copies(isolated bool) bool { return c.Private && !isolated }

// What is added to the limits of a group for the supervisor, of whose memory 2.7 to 5.7 MB stay in it (8.5 with a limiter, at
// its peak), and which has some ten threads until it leaves.
const (
	supervisorMemory = 8 << 20
	supervisorTasks  = 64
)

// memoryGroup makes a group for a program, if it needs one and can have one.
func memoryGroup(c Confinement, view *sandbox.View) *cgroup.Group {
	if c.Total == 0 || c.copies(view != nil && view.Isolated()) || ungrouped.Load() != nil {
		return nil
	}
	tree, err := memoryTree()
	if err != nil {
		return nil
	}
	limits := cgroup.Limits{Memory: c.Total + supervisorMemory}
	if view != nil {
		limits.Memory += view.Copied
	}
	if c.Threads != 0 {
		limits.Tasks = c.Threads + supervisorTasks
	}
	g, err := tree.Make(limits)
	if err != nil {
		ungrouped.CompareAndSwap(nil, &err)
	}
	return g
}

// startGrouped starts a supervisor in a group of its own, or without one where that cannot be.
func startGrouped(c Command, env []string, order supervisorOrder, streams [3]*os.File) (*supervised, error) {
	group := memoryGroup(c.Confine, order.View)
	if group == nil {
		return startSupervisor(c, env, order, streams)
	}
	grouped := order
	grouped.group, grouped.Confine.Total = group, 0
	s, err := startSupervisor(c, env, grouped, streams)
	if err == nil {
		return s, nil
	}
	removed := group.Remove()
	s, again := startSupervisor(c, env, order, streams)
	if again == nil {
		err = errors.Join(fmt.Errorf("start a program in a group: %w", err), removed)
		ungrouped.CompareAndSwap(nil, &err)
	}
	return s, again
}

// leaveGroup moves the supervisor, and bubblewrap if that has started it, out of the group of a program that has started.
func (s *supervised) leaveGroup() {
	if s.group == nil {
		return
	}
	pid, first := s.supervisor.Process.Pid, s.first()
	if first != pid {
		s.group.Release(first)
	}
	s.group.Release(pid)
}

// exceeded is the limit that ended a program, of which the supervisor knows those that it watches.
func (s *supervised) exceeded(watched Limit) Limit {
	switch {
	case watched != NoLimit:
	case s.group.Exceeded():
		return LimitTotal
	case s.group.Full(): // which makes some programs end before anybody has looked
		return LimitThreads
	}
	return watched
}
