//go:build linux

package process

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"luzhanqi/process/sandbox"
)

// become limits the memory of this process, if there is a limit, and becomes the program. It returns only if it fails. All
// that the calls need is there before the first of them, since this runtime, and the race detector's, may get no more memory
// after it.
func become(memory *syscall.Rlimit, path string, args, env []string) syscall.Errno {
	if memory == nil {
		return errnoOf(syscall.Exec(path, args, env))
	}
	name, err := syscall.BytePtrFromString(path)
	if err != nil {
		return errnoOf(err)
	}
	words, err := syscall.SlicePtrFromStrings(args)
	if err != nil {
		return errnoOf(err)
	}
	variables, err := syscall.SlicePtrFromStrings(env)
	if err != nil {
		return errnoOf(err)
	}
	// This runtime has raised its own limit of open files as far as it may. Exec gives the program the one that was there before,
	// also where it fails, as for a program without a name.
	syscall.Exec("", nil, nil)
	limit, program := uintptr(unsafe.Pointer(memory)), uintptr(unsafe.Pointer(name))
	argv, envp := uintptr(unsafe.Pointer(&words[0])), uintptr(unsafe.Pointer(&variables[0]))
	_, _, errno := syscall.RawSyscall6(unix.SYS_PRLIMIT64, 0, syscall.RLIMIT_DATA, limit, 0, 0, 0)
	if errno == 0 {
		_, _, errno = syscall.RawSyscall(syscall.SYS_EXECVE, program, argv, envp)
	}
	runtime.KeepAlive([]any{memory, name, words, variables})
	return errno
}

// The requests of ioctl for the settings of a terminal.
const (
	getTermios = unix.TCGETS
	setTermios = unix.TCSETS
)

// unsupported names a limit that this system cannot hold a program to.
func (c Confinement) unsupported() string { return "" }

// watched says whether there is a limit that someone else has to watch over.
func (c Confinement) watched() bool { return c.Processes != 0 || c.Threads != 0 || c.Total != 0 }

// checkCPUs refuses processors that this process may not use itself: the kernel would ignore them
// without a word.
func (c Confinement) checkCPUs() error {
	if len(c.CPUs) == 0 {
		return nil
	}
	cores := Cores()
	for _, cpu := range c.CPUs {
		if !slices.Contains(cores, cpu) {
			return fmt.Errorf("processor %d to run on: this process may not use it; allowed are %v", cpu, cores)
		}
	}
	return nil
}

// Cores are the processors that this process may use, in ascending order. Where a container's quota
// is less than that, runtime.GOMAXPROCS(0) is less than their number.
func Cores() []int { return slices.Clone(coresAtFirst()) }

// coresAtFirst are those of the process before any of its threads was pinned: one may be the first, for which the kernel
// answers.
var coresAtFirst = sync.OnceValue(func() []int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(unix.Getpid(), &set); err != nil {
		return allCores()
	}
	var cores []int
	for cpu := range len(set) * 64 {
		if set.IsSet(cpu) {
			cores = append(cores, cpu)
		}
	}
	return cores
})

// pin makes the calling thread, and what it forks, run on some processors only.
func pin(cpus []int) error {
	var set unix.CPUSet
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	return unix.SchedSetaffinity(0, &set)
}

// CanPin says whether [PinThread] does anything on this system.
const CanPin = true

// PinThread keeps the calling goroutine on a thread of its own, and that on one processor, until undo is called; whom it wakes
// there goes before it. What the kernel refuses changes nothing.
func PinThread(cpu int) (undo func()) {
	coresAtFirst()
	runtime.LockOSThread()
	var before unix.CPUSet
	if unix.SchedGetaffinity(0, &before) != nil || pin([]int{cpu}) != nil {
		return runtime.UnlockOSThread
	}
	goBack := giveWay()
	return func() {
		if goBack() && unix.SchedSetaffinity(0, &before) == nil { // else the thread ends with its goroutine
			runtime.UnlockOSThread()
		}
	}
}

// longSlice is by how much the slice of a thread that gives way is longer. With twice as long a one, nine of ten programs that are
// woken go first; with four times, hardly more, and the thread might wait as much longer for a processor that is busy.
const longSlice = 2

// giveWay has the calling thread go on after whom it wakes on its processor, until undo is called, which says whether it could. The
// kernel, from 6.12 on, lets who is woken run at once where its slice is shorter than that of who wakes it. A program that has been
// told something has answered then before the write returns: nobody waits for the answer, and nobody is woken by it. Neither
// the share of the processor nor the program's own slice changes.
func giveWay() (undo func() bool) {
	nothing := func() bool { return true }
	before, err := unix.SchedGetAttr(0, 0)
	if err != nil || before.Policy != unix.SCHED_NORMAL || before.Runtime == 0 { // of an ordinary thread: its slice, in ns
		return nothing
	}
	longer := *before
	longer.Runtime *= longSlice
	if unix.SchedSetAttr(0, &longer, 0) != nil {
		return nothing
	}
	return func() bool { return unix.SchedSetAttr(0, before, 0) == nil }
}

// Entry is a process in the table of the system's processes.
type Entry struct {
	Parent, Session int
	Started         uint64 // in ticks since the machine was started
	Command         string
	Zombie          bool
}

// Processes reads the table of processes once, and passes each on as soon as it is read.
func Processes() iter.Seq2[int, Entry] {
	return func(yield func(int, Entry) bool) {
		proc, err := os.Open("/proc")
		if err != nil {
			return
		}
		defer proc.Close()
		names, _ := proc.Readdirnames(-1)
		for _, name := range names {
			pid, err := strconv.Atoi(name)
			if err != nil {
				continue
			}
			stat, err := os.ReadFile("/proc/" + name + "/stat")
			if err != nil {
				continue // gone meanwhile
			}
			if e, ok := parseEntry(stat); ok && !yield(pid, e) {
				return
			}
		}
	}
}

// parseEntry reads /proc/PID/stat: pid (command) state ppid pgrp session … starttime …; the command may hold
// blanks and parentheses.
func parseEntry(stat []byte) (e Entry, ok bool) {
	open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return e, false
	}
	fields := bytes.Fields(stat[end+1:])
	if len(fields) < 20 {
		return e, false
	}
	e = Entry{Command: string(stat[open+1 : end]), Zombie: fields[0][0] == 'Z'}
	e.Parent, _ = strconv.Atoi(string(fields[1]))
	e.Session, _ = strconv.Atoi(string(fields[3]))
	e.Started, _ = strconv.ParseUint(string(fields[19]), 10, 64)
	return e, true
}

// Isolation is what this machine can enforce of a sandbox, tried once by starting something in it.
var Isolation = sync.OnceValue(func() sandbox.Report {
	for {
		way, why := sandbox.Current()
		r := sandbox.Report{Level: way.Level(), By: way, Why: why}
		if way == sandbox.Openly {
			return r
		}
		var err error
		if r.Landlock, err = probe(way); err == nil {
			return r
		}
		sandbox.Refused(way, err.Error())
	}
})

// probe tries a way, and returns the version of Landlock that it enforces.
func probe(way sandbox.Way) (landlock int, err error) {
	if roles == nil {
		return 0, ErrNoReexec
	}
	env := []string{"PATH=/usr/bin:/bin"}
	// One that is there: one made for this would be left if the referee is killed now. And what has file systems mounted
	// inside, as a directory for temporary files may have, cannot be covered by an ordinary user.
	dir := "/" // if nothing else is there
	places := []string{"/usr/bin", "/etc"}
	if own, err := os.Executable(); err == nil { // an image may hold little else
		places = append(places, filepath.Dir(own))
	}
	for _, place := range places {
		if info, err := os.Stat(place); err == nil && info.IsDir() {
			dir = place
			break
		}
	}
	view, err := sandbox.Policy{Profile: sandbox.Sealed, Disk: 1 << 24}.View(way, dir, "", []string{"probe"}, env)
	if err != nil {
		return 0, err
	}
	order := supervisorOrder{View: view, Probe: true}
	if order.canStay() {
		return probeStaying(env, order)
	}
	s, err := startSupervisor(Command{Args: []string{"probe"}}, env, order, [3]*os.File{})
	if err != nil {
		return 0, err
	}
	word, rest, err := s.within(killTimeout)
	s.kill()
	err = errors.Join(err, s.release())
	if word == "" {
		return 0, s.unstarted()
	}
	return probed(word, rest, err)
}

// probed is what the answer to a probe says.
func probed(word, rest string, err error) (landlock int, _ error) {
	if word == "reached" {
		landlock, _ = strconv.Atoi(rest)
		return landlock, nil
	}
	if word == "unavailable" {
		return 0, errors.Join(sandbox.Unavailable{Why: rest}, err)
	}
	return 0, errors.Join(errors.New(word+" "+rest), err)
}

// probeStaying tries a way as programs are started in it.
func probeStaying(env []string, order supervisorOrder) (landlock int, err error) {
	s, err := beforehand(Command{Args: []string{"probe"}}, env, order)
	if err != nil {
		return 0, err
	}
	s.control.SetReadDeadline(time.Now().Add(killTimeout))
	word, rest, err := s.line()
	s.kill()
	err = errors.Join(err, s.release())
	if landlock, err = probed(word, rest, err); err != nil { // it is of no use
		s.host.discard()
		s.host.socket.Close()
	}
	return landlock, err
}

// probeInside restricts the thread that would start a program, and tells the referee what is enforced.
func (s *supervisor) probeInside() {
	var r sandbox.Restriction
	if err := s.stays.thread.run(func() (err error) { r, err = s.order.View.Restrict(); return err }); err != nil {
		s.refuseView(err)
	}
	go r.Refusals(func(sandbox.Refusal) {}) // there are none
	fmt.Fprintln(s.control, "reached", r.Landlock)
	s.exit()
}

func closeFDs(fds []int) {
	for _, fd := range fds {
		unix.Close(fd)
	}
}
