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

// ErrRunning is what Lock returns while another process holds the lock.
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
	for {
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
		if pid, err := Holder(dir); err != nil || pid != 0 {
			return nil, errors.Join(Running(pid, dir, doing), err)
		}
		time.Sleep(time.Millisecond) // who only asks holds the lock, for some microseconds
	}
}

// Running is the error that a process holds the lock on a directory.
func Running(pid int, dir, doing string) error {
	return fmt.Errorf("%w: process %d %s in %s", ErrRunning, pid, doing, dir)
}

// tryLock takes the lock; nil without an error: it is held, or was deleted at this moment.
func tryLock(dir string) (*Held, error) {
	name := filepath.Join(dir, lockFile)
	if err := regular(name); err != nil {
		return nil, err
	}
	lock := flock.New(name, flock.SetFlag(os.O_CREATE|os.O_RDWR|notFollowed), flock.SetPermissions(0o666))
	ok, err := lock.TryLock()
	if err != nil || !ok {
		return nil, err
	}
	if !current(lock) { // a reset has deleted the file between opening and locking
		return nil, lock.Unlock()
	}
	if err := writePID(dir); err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	return &Held{lock, dir}, nil
}

// current says whether the file that is locked is the one that others would lock.
func current(lock *flock.Flock) bool {
	mine, err := lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(lock.Path())
	return err == nil && os.SameFile(mine, named)
}

// regular refuses a file that is there and could keep whoever opens it waiting, or lead elsewhere.
func regular(name string) error {
	info, err := os.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", name)
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// openRegular opens a regular file; it neither waits for anybody nor follows a link.
func openRegular(name string, flag int) (*os.File, error) {
	if err := regular(name); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(name, flag|notFollowed, 0o666)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(fmt.Errorf("%s is no regular file", name), err, file.Close())
	}
	return file, nil
}

func writePID(dir string) error {
	file, err := openRegular(filepath.Join(dir, pidFile), os.O_CREATE|os.O_WRONLY|os.O_TRUNC)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(file, os.Getpid())
	return errors.Join(err, file.Close())
}

// readPID reads who holds the lock; 0: it cannot be read.
func readPID(dir string) (int, error) {
	file, err := openRegular(filepath.Join(dir, pidFile), os.O_RDONLY)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 32))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(text)))
}

// Holder is the process of this machine that holds the lock on a directory; 0: none does. It writes
// nothing, and keeps nobody from taking the lock.
func Holder(dir string) (pid int, err error) {
	name := filepath.Join(dir, lockFile)
	if _, err := os.Lstat(name); errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err := regular(name); err != nil {
		return 0, err
	}
	lock := flock.New(name, flock.SetFlag(os.O_RDONLY|notFollowed))
	free, err := lock.TryRLock()
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("look at the lock on %s: %w", dir, err)
	}
	if free {
		return 0, lock.Unlock()
	}
	for range 100 { // its number is written right after the lock is taken
		if pid, err = readPID(dir); pid > 0 {
			return pid, nil
		}
		time.Sleep(time.Millisecond)
	}
	return 0, fmt.Errorf("a process holds the lock on %s, and does not say which: %w", dir, err)
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
