package cgroup

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// sweepPatience bounds the wait for what a killed process has left in each group.
const sweepPatience = 2 * time.Second

// Sweep removes the groups of processes like this one that are dead, and kills what is left in them. Those of live ones
// are locked.
func (t *Tree) Sweep() error {
	all, err := os.ReadDir(t.path)
	if err != nil {
		return err
	}
	for _, e := range all {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), groupPrefix) {
			continue
		}
		path := filepath.Join(t.path, e.Name())
		dir, lockErr := lock(path)
		if lockErr != nil {
			continue // somebody's, or gone meanwhile
		}
		err = errors.Join(err, t.remove(path, sweepPatience))
		dir.Close()
	}
	return err
}

// outlivePatience bounds the wait of [Outlive] for other processes.
const outlivePatience = 3 * time.Second

// Outlive waits for the end of this process's parent, removes its groups, and gives back what [Open] has taken over: a group
// that limits others cannot be entered by anybody. It stays as it is while others are in the group of the referee, of whom the
// last gives it back.
func Outlive(parent int) error {
	t, err := own()
	if err != nil {
		return err
	}
	if pidfd, err := unix.PidfdOpen(parent, 0); err == nil {
		if os.Getppid() == parent { // else it is dead, and its number somebody else's
			awaitExit(pidfd, -1)
		}
		unix.Close(pidfd)
	}
	err = t.Sweep()
	if !t.moved {
		return err
	}
	home, lockErr := lock(t.home)
	if lockErr != nil {
		return err // somebody else is just doing it
	}
	defer home.Close()
	self := strconv.Itoa(os.Getpid())
	for end := time.Now().Add(outlivePatience); ; {
		procs, readErr := os.ReadFile(filepath.Join(t.home, "cgroup.procs"))
		others := slices.DeleteFunc(strings.Fields(string(procs)), func(pid string) bool { return pid == self })
		if readErr != nil || len(others) == 0 {
			break
		}
		left := time.Until(end)
		if left <= 0 {
			return err
		}
		pid, _ := strconv.Atoi(others[0])
		if pidfd, openErr := unix.PidfdOpen(pid, 0); openErr == nil {
			awaitExit(pidfd, int(left.Milliseconds())+1)
			unix.Close(pidfd)
		} else if !errors.Is(openErr, unix.ESRCH) { // it is in another namespace
			return err
		}
	}
	err = t.Sweep()
	t.leave()
	return err
}

// awaitExit waits until a process has ended, or for some milliseconds. Its files are closed by then.
func awaitExit(pidfd, limit int) {
	for {
		if _, err := unix.Poll([]unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}, limit); err != unix.EINTR {
			return
		}
	}
}
