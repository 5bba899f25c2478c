package tasks

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// machine is where its files are, and what this process may.
type machine struct {
	proc, groups string
	user         int
	limit        uint64 // of the user's processes and threads
}

// system is the one that this process runs on.
func system() machine {
	m := machine{proc: "/proc", groups: "/sys/fs/cgroup", user: os.Getuid(), limit: math.MaxUint64}
	var user unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NPROC, &user) == nil {
		m.limit = user.Cur
	}
	return m
}

// room is how many processes and threads can be made yet, if that is less than enough.
func room(m machine, enough int) int {
	left := enough
	less := func(limit uint64, used func() int) {
		if limit < math.MaxInt32 && int(limit)-enough < used() {
			left = min(left, int(limit)-used())
		}
	}
	less(m.limit, m.ofUser)
	for _, name := range []string{"pid_max", "threads-max"} {
		less(number(filepath.Join(m.proc, "sys/kernel", name)), m.ofAll)
	}
	for _, group := range m.ownGroups() {
		less(number(filepath.Join(group, "pids.max")), func() int { return int(number(filepath.Join(group, "pids.current"))) })
	}
	return left
}

// ofUser counts the threads of this user.
func (m machine) ofUser() (threads int) {
	dir, err := os.Open(m.proc)
	if err != nil {
		return 0
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' {
			continue
		}
		// The directory has a link from each thread's.
		if info, err := os.Stat(filepath.Join(m.proc, name, "task")); err == nil {
			if s := info.Sys().(*syscall.Stat_t); int(s.Uid) == m.user {
				threads += max(1, int(s.Nlink)-2)
			}
		}
	}
	return threads
}

// ofAll is how many threads the machine has: the fourth field of loadavg is running/all.
func (m machine) ofAll() int {
	text, _ := os.ReadFile(filepath.Join(m.proc, "loadavg"))
	_, all, _ := bytes.Cut(text, []byte("/"))
	word, _, _ := bytes.Cut(all, []byte(" "))
	n, _ := strconv.Atoi(string(word))
	return n
}

// ownGroups are the control groups that this process is in and that may count processes, with those above them.
func (m machine) ownGroups() (dirs []string) {
	text, _ := os.ReadFile(filepath.Join(m.proc, "self/cgroup"))
	for line := range strings.Lines(string(text)) { // NUMBER:CONTROLLERS:PATH
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) < 3 {
			continue
		}
		var tops []string
		switch {
		case fields[1] == "":
			tops = []string{m.groups, filepath.Join(m.groups, "unified")}
		case strings.Contains(","+fields[1]+",", ",pids,"):
			tops = []string{filepath.Join(m.groups, "pids"), filepath.Join(m.groups, fields[1])}
		}
		for _, top := range tops {
			for path := filepath.Clean("/" + fields[2]); ; path = filepath.Dir(path) {
				dirs = append(dirs, filepath.Join(top, path))
				if path == "/" {
					break
				}
			}
		}
	}
	return dirs
}

// number reads a file of one; what is no number, as "max", or is not there, is no limit.
func number(path string) uint64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return math.MaxUint64
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return math.MaxUint64
	}
	return n
}
