package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	lockFile = "lock"
	pidFile  = "pid" // of who holds the lock; its content means something only while the lock is held
)

// ErrRunning is the error of [Lock] while another process holds the lock.
var ErrRunning = errors.New("it is running")

// Held is the lock on a directory.
type Held struct {
	*flock.Flock
	dir string
}

// Lock makes sure that one process at a time changes what is in a directory, which it makes if need be. The
// lock ends with the process, however that ends. The error ErrRunning says which process holds it; doing is what
// such a process does, such as "runs the tournament".
func Lock(dir, doing string) (*Held, error) {
	for begun := time.Now(); ; {
		err := os.MkdirAll(dir, 0o777)
		if err != nil && !errors.Is(err, os.ErrExist) {
			return nil, fmt.Errorf("make the store: %w", err)
		}
		held, err := tryLock(dir)
		if errors.Is(err, os.ErrNotExist) {
			continue // a reset has deleted the directory at this moment
		}
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", dir, err)
		}
		if held != nil {
			return held, nil
		}
		pid, err := Holder(dir)
		if err == nil && pid != 0 && gone(pid) && time.Since(begun) < inheritedLock {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		if err != nil || pid != 0 {
			return nil, errors.Join(Running(pid, dir, doing), err)
		}
		time.Sleep(time.Millisecond) // Holder takes a shared lock for some microseconds; try again
	}
}

// inheritedLock is how long the lock of a process that is dead may be held: a child that it forked when it was killed has all
// of its files open until it has become its program, which takes a moment on a busy machine.
const inheritedLock = 5 * time.Second

// Running is the error that a process holds the lock on a directory.
func Running(pid int, dir, doing string) error {
	return fmt.Errorf("%w: process %d %s in %s", ErrRunning, pid, doing, dir)
}

// tryLock takes the lock; nil without an error: it is held, or was deleted at this moment.
func tryLock(dir string) (*Held, error) {
	lock := flock.New(filepath.Join(dir, lockFile), flock.SetFlag(os.O_CREATE|os.O_RDWR|notFollowed), flock.SetPermissions(0o666))
	ok, err := lock.TryLock()
	if err != nil || !ok {
		return nil, err
	}
	mine, err := lock.Stat()
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	if named, err := os.Lstat(lock.Path()); err != nil || !os.SameFile(mine, named) {
		return nil, lock.Unlock() // a reset has deleted it between opening and locking
	}
	if err := errors.Join(regular(mine), writePID(dir)); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return &Held{lock, dir}, nil
}

// regular refuses what is no regular file: such as a pipe, at which everybody would wait.
func regular(info os.FileInfo) error {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file", info.Name())
	}
	return nil
}

// openPID opens the file that names the holder; it neither waits for anybody nor follows a link.
func openPID(dir string, flag int) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(dir, pidFile), flag|notFollowed, 0o666)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = regular(info)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func writePID(dir string) error {
	file, err := openPID(dir, os.O_CREATE|os.O_WRONLY|os.O_TRUNC)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(file, os.Getpid())
	return errors.Join(err, file.Close())
}

// readPID reads which process holds the lock; 0: it cannot be read.
func readPID(dir string) (int, error) {
	file, err := openPID(dir, os.O_RDONLY)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 32))
	if err != nil {
		return 0, err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err == nil && pid <= 0 {
		err = fmt.Errorf("found the number %d, allowed are 1 and more", pid)
	}
	return pid, err
}

// Holder returns the process of this machine that holds the lock on a directory; 0: none does. It writes nothing. To
// ask, it takes a shared lock for some microseconds (flock has no question without a lock), by which it delays a
// [Lock] at the same moment, but never makes it fail.
func Holder(dir string) (pid int, err error) {
	// Its number is written right after the lock is taken; on a busy machine that can be a while.
	for begun := time.Now(); time.Since(begun) < 3*time.Second; time.Sleep(time.Millisecond) {
		lock := flock.New(filepath.Join(dir, lockFile), flock.SetFlag(os.O_RDONLY|notFollowed))
		free, lockErr := lock.TryRLock()
		switch {
		case errors.Is(lockErr, os.ErrNotExist):
			return 0, nil
		case lockErr != nil:
			return 0, fmt.Errorf("look at the lock on %s: %w", dir, lockErr)
		case free:
			return 0, lock.Unlock()
		}
		if pid, err = readPID(dir); err == nil {
			return pid, nil
		}
	}
	return 0, fmt.Errorf("a process holds the lock on %s, and in 3 s has not said which in %s: %w", dir, pidFile, err)
}

// Owner says why the process that holds the lock on a directory must not be sent a signal: who wrote its number is not who
// asks, and may have written any.
func Owner(dir string) error {
	info, err := os.Lstat(filepath.Join(dir, pidFile))
	if err != nil {
		return err
	}
	if !mine(info) {
		return fmt.Errorf("%s was written by another user, who alone can stop what runs there", filepath.Join(dir, pidFile))
	}
	return nil
}

// Delete deletes the database, further files in the directory, and the directory, if nothing else is in it.
// The lock is deleted while it is held, so that nobody else holds another one on the same directory, and
// is then given up.
func (h *Held) Delete(further ...string) error {
	for _, name := range append(further, fileName, fileName+"-wal", fileName+"-shm") {
		if err := os.RemoveAll(filepath.Join(h.dir, name)); err != nil {
			return err
		}
	}
	os.Remove(filepath.Join(h.dir, pidFile))
	os.Remove(filepath.Join(h.dir, lockFile)) // not on Windows, where it then stays
	err := h.Unlock()
	os.Remove(h.dir)
	return err
}
