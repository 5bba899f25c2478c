package starvation

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"luzhanqi/clock"
)

// maxThreads is how many one reading looks at, at most.
const maxThreads = 512

// tick is the unit of times in /proc (USER_HZ), on every architecture that Go runs on.
const tick = 10 * time.Millisecond

// fill reads all that descends from the program's root. If no thread of the machine has begun since before, those are the
// ones that there were before, and are not sought.
//
// Processor time is asked of the clock of each process: it is exact, holds what threads had used that have ended, and
// brings what the files say of each of its threads up to date.
func (r *reading) fill(p Program, before *reading) bool {
	if r.files = before.files; r.files == nil {
		r.files = &files{buf: make([]byte, 4096)}
	}
	f := r.files
	r.newest, r.stolen = f.newest(), f.stolen()
	if r.newest != 0 && r.newest == before.newest {
		r.tree, r.nice, r.reaped = before.tree, before.nice, before.reaped
	} else if !r.seek(p) {
		return false
	}
	if r.times(); r.torn > mostTorn { // others had the processor while it was read
		r.at, r.cpu, r.torn = clock.Now(), 0, 0
		r.times()
	}
	r.charge()
	return true
}

// times reads what the processes and threads of the tree have used.
func (r *reading) times() {
	clear(r.threads)
	for _, process := range r.tree {
		used, alive := processorTime(process.id)
		if !alive || process.started == 0 {
			continue // the number of processes tells
		}
		r.cpu += used
		r.processes[process.id] = process.started
		for _, id := range process.tasks {
			if t, ok := r.files.thread(process.id, id); ok {
				r.threads[id] = t
			}
		}
		if later, alive := processorTime(process.id); alive {
			r.torn += later - used
		}
	}
}

// seek finds the processes and threads below the program's root.
func (r *reading) seek(p Program) bool {
	f := r.files
	root, ok := f.process(p.Root)
	if !ok {
		return false
	}
	r.nice, r.reaped = root.nice, root.reaped
	pending, ok := f.children(nil, p.Root, f.tasks(p.Root, root.threads))
	if p.First != 0 {
		pending = append(pending, p.First)
	}
	for threads := 0; len(pending) > 0 && ok; {
		pid := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		stat, alive := f.process(pid)
		if !alive {
			continue
		}
		if threads += stat.threads; len(r.tree) >= maxProcesses || threads > maxThreads {
			return false
		}
		tasks := f.tasks(pid, stat.threads)
		r.reaped += stat.reaped
		r.tree = append(r.tree, family{pid, stat.started, tasks})
		pending, ok = f.children(pending, pid, tasks)
	}
	return ok
}

// each passes on all that descends from the program's root, and what each process and those that it has waited for have used,
// as long as that says so.
func each(p Program, on func(pid int, used time.Duration) bool) {
	f := &files{buf: make([]byte, 16<<10)}
	for pending := p.tops(f); len(pending) > 0; {
		pid := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		stat, alive := f.process(pid)
		if !alive {
			continue
		}
		used, _ := processorTime(pid)
		if !on(pid, used+stat.children) {
			return
		}
		pending, _ = f.children(pending, pid, f.tasks(pid, stat.threads))
	}
}

// tops are the processes of which all of the program descends.
func (p Program) tops(f *files) (all []int) {
	if p.Root > 0 {
		root, _ := f.process(p.Root)
		all, _ = f.children(nil, p.Root, f.tasks(p.Root, root.threads))
	}
	if p.First != 0 {
		all = append(all, p.First)
	}
	return all
}

// Stopped says whether a signal has stopped a program's first process.
func Stopped(p Program) bool {
	f := &files{buf: make([]byte, 4096)}
	tops := p.tops(f)
	if len(tops) == 0 {
		return false
	}
	first, alive := f.process(tops[len(tops)-1])
	return alive && first.state == 'T'
}

// Ended says whether a program's first process has ended, also where whoever waits for that has got no processor yet to say so.
func Ended(p Program) bool {
	f := &files{buf: make([]byte, 4096)}
	tops := []int{p.First}
	if p.First == 0 {
		root, ok := f.process(p.Root)
		if ok {
			tops, ok = f.children(nil, p.Root, f.tasks(p.Root, root.threads))
		}
		if !ok {
			return false
		}
	}
	return !slices.ContainsFunc(tops, func(pid int) bool {
		_, alive := f.process(pid)
		return alive
	})
}

// newest is the number that this machine gave to its newest thread, the last field of /proc/loadavg; 0: not known.
func (f *files) newest() int {
	text := bytes.TrimSpace(f.read("/proc/loadavg"))
	n, _ := strconv.Atoi(string(text[bytes.LastIndexByte(text, ' ')+1:]))
	return n
}

// files reads files of /proc into one buffer.
type files struct {
	buf  []byte
	path []byte
}

// read returns the beginning of a file; nil: there is none.
func (f *files) read(format string, args ...int) []byte {
	f.path = f.path[:0]
	for part := range bytes.SplitSeq([]byte(format), []byte("%")) {
		if len(f.path) > 0 {
			f.path = strconv.AppendInt(f.path, int64(args[0]), 10)
			args = args[1:]
		}
		f.path = append(f.path, part...)
	}
	fd, err := unix.Open(string(f.path), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	n, err := unix.Read(fd, f.buf)
	if err != nil {
		return nil
	}
	return f.buf[:n]
}

// stat is what /proc/PID/stat and /proc/PID/task/TID/stat say.
type stat struct {
	state        byte
	threads      int
	reaped       uint64
	children     time.Duration // processor time of those that were waited for
	started      uint64
	nice, policy int
}

// process reads the stat of a process: pid (command) state ppid pgrp session tty tpgid flags minflt cminflt majflt
// cmajflt utime stime cutime cstime priority nice threads itrealvalue starttime …; the 41st is the policy. The command
// may hold blanks and parentheses.
func (f *files) process(pid int) (stat, bool) { return parseStat(f.read("/proc/%/stat", pid)) }

func parseStat(text []byte) (s stat, ok bool) {
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 39 {
		return s, false
	}
	number := func(nth int) uint64 { // as proc(5) counts them
		n, _ := strconv.ParseInt(string(fields[nth-3]), 10, 64)
		return uint64(n)
	}
	s = stat{
		state: fields[0][0], threads: int(number(20)), reaped: number(11), started: number(22),
		children: time.Duration(number(16)+number(17)) * tick, nice: int(int64(number(19))), policy: int(number(41)),
	}
	return s, s.state != 'Z' && s.state != 'X' || s.threads > 1
}

// thread reads /proc/PID/task/TID/schedstat: nanoseconds run and waited, and how often it got a processor. What it waits for
// just now is not in it, so of one that is ready it is read, too, whether it has slept.
func (f *files) thread(pid, id int) (t thread, ok bool) {
	fields := bytes.Fields(f.read("/proc/%/task/%/schedstat", pid, id))
	if len(fields) != 3 {
		return t, false
	}
	var numbers [3]uint64
	for i, field := range fields {
		numbers[i], _ = strconv.ParseUint(string(field), 10, 64)
	}
	s, ok := parseStat(f.read("/proc/%/task/%/stat", pid, id))
	t = thread{id: id, ran: time.Duration(numbers[0]), waited: time.Duration(numbers[1]), nice: s.nice, policy: s.policy}
	if s.state == 'R' {
		status := f.read("/proc/%/task/%/status", pid, id)
		t.slept = numberAfter(status, "\nvoluntary_ctxt_switches:")
		// Read between two looks at the state, the number cannot hide that the thread has slept since it was seen ready.
		s, ok = parseStat(f.read("/proc/%/task/%/stat", pid, id))
		t.ready = s.state == 'R' && status != nil
	}
	return t, ok
}

// reading says whether a thread waits in the kernel for what it reads from a pipe or a terminal. The name of the place is not
// to be had everywhere.
func (r *reading) reading() bool {
	for _, process := range r.tree {
		for _, id := range process.tasks {
			place := r.files.read("/proc/%/task/%/wchan", process.id, id)
			if bytes.HasSuffix(place, []byte("pipe_read")) || string(place) == "wait_woken" {
				return true
			}
		}
	}
	return false
}

// numberAfter is the number that stands after a word in a file of lines; 0: none does.
func numberAfter(text []byte, word string) uint64 {
	_, rest, _ := bytes.Cut(text, []byte(word))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	n, _ := strconv.ParseUint(string(bytes.TrimSpace(line)), 10, 64)
	return n
}

// ordinary says whether a thread has the standing that the program began with, and may run where that may.
func (t *thread) ordinary(r *reading, cpus int) bool {
	if t.nice > r.nice || t.policy != unix.SCHED_NORMAL {
		return false
	}
	if cpus == 0 {
		cpus = runtime.NumCPU()
	}
	var set unix.CPUSet
	return unix.SchedGetaffinity(t.id, &set) == nil && set.Count() >= cpus
}

// tasks are the threads of a process of which there should be so many.
func (f *files) tasks(pid, count int) []int {
	if count == 1 {
		return []int{pid}
	}
	fd, err := unix.Open(fmt.Sprintf("/proc/%d/task", pid), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	var names []string
	for {
		n, err := unix.ReadDirent(fd, f.buf)
		if n <= 0 || err != nil {
			break
		}
		_, _, names = unix.ParseDirent(f.buf[:n], -1, names)
	}
	var ids []int
	for _, name := range names {
		if id, err := strconv.Atoi(name); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// children adds the children of a process. Each thread has a list of those that it has made, where the kernel is
// configured to tell (CONFIG_PROC_CHILDREN).
func (f *files) children(all []int, pid int, tasks []int) ([]int, bool) {
	for i, id := range tasks {
		list := f.read("/proc/%/task/%/children", pid, id)
		if list == nil && i == 0 {
			return all, false
		}
		if len(list) == len(f.buf) { // some are missing
			return all, false
		}
		for _, word := range bytes.Fields(list) {
			if child, err := strconv.Atoi(string(word)); err == nil {
				all = append(all, child)
			}
		}
	}
	return all, true
}

// processorTime is what all threads of a process have used, also those that have ended.
func processorTime(pid int) (time.Duration, bool) {
	const ofProcess, scheduled = 0, 2 // CPUCLOCK_SCHED
	var used unix.Timespec
	err := unix.ClockGettime(int32(^pid<<3|ofProcess|scheduled), &used)
	return time.Duration(used.Nano()), err == nil
}

// stolen is how long the processors of this machine were not run by the one below it, on average.
func (f *files) stolen() time.Duration { return parseStolen(f.read("/proc/stat"), runtime.NumCPU()) }

// parseStolen reads the eighth number of the first line of /proc/stat, which is that of all processors.
func parseStolen(text []byte, processors int) time.Duration {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	fields := bytes.Fields(line)
	if len(fields) < 9 || string(fields[0]) != "cpu" {
		return 0
	}
	ticks, _ := strconv.ParseInt(string(fields[8]), 10, 64)
	return time.Duration(ticks) * tick / time.Duration(processors)
}
