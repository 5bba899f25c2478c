package cgroup

import (
	"errors"
	"fmt"
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
func (t *Tree) Sweep() error { return t.sweep(0) }

// sweep waits for the groups that a process has made that is known to be dead: what it was just starting has them locked
// until it is itself.
func (t *Tree) sweep(dead int) error {
	all, err := os.ReadDir(t.path)
	if err != nil {
		return err
	}
	for _, e := range all {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), groupPrefix) {
			continue
		}
		path := filepath.Join(t.path, e.Name())
		take := lock
		if dead != 0 && strings.HasPrefix(e.Name(), fmt.Sprintf("%s%d-", groupPrefix, dead)) {
			take = awaitLock
		}
		dir, lockErr := take(path)
		if lockErr != nil {
			continue // somebody's, or gone meanwhile
		}
		err = errors.Join(err, t.remove(path, sweepPatience))
		dir.Close()
	}
	return err
}

// awaitLock is lock, with some patience.
func awaitLock(path string) (*os.File, error) {
	dir, err := os.OpenFile(path, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	locked := make(chan error, 1)
	go func() { locked <- unix.Flock(int(dir.Fd()), unix.LOCK_EX) }()
	select {
	case err = <-locked:
	case <-time.After(sweepPatience):
		return nil, unix.EWOULDBLOCK // another's of this number, in another namespace; this process ends soon
	}
	if err != nil {
		dir.Close()
		return nil, err
	}
	return dir, nil
}

// outlivePatience bounds the wait of [Outlive] for other processes.
const outlivePatience = 3 * time.Second

// Outlive waits for the end of this process's parent, removes its groups, and gives back what [Open] has taken over: a group
// that limits others cannot be entered by anybody. It stays as it is while others are in the group of the referee, of whom the
// last gives it back. It calls ready when it waits; aside, it has moved into that group by then.
func Outlive(parent int, aside bool, ready func()) error {
	t, err := own()
	if err == nil && aside {
		err = t.enter()
	}
	if err != nil {
		return err
	}
	ready()
	if pidfd, err := unix.PidfdOpen(parent, 0); err == nil {
		if os.Getppid() == parent { // else it is dead, and its number somebody else's
			awaitExit(pidfd, -1)
		}
		unix.Close(pidfd)
	}
	err = t.sweep(parent)
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
	err = t.sweep(parent)
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
