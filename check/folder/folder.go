// Package folder makes the folders that a check needs for its probes, or others for what is not whole yet, and removes those of
// processes that were killed.
package folder

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// pattern begins the names of folders for probes.
const pattern = "luzhanqi-check-"

// New makes a folder for the probes of a check, which remove removes; when this process is killed, sweeper does, a command line to which
// the path is added and which calls [Sweep]. Those that are left all the same are removed by the next check: a folder is locked as long
// as its check runs, where the system has such locks.
func New(sweeper ...string) (path string, remove func(), err error) {
	sweepLeft(os.TempDir(), pattern)
	path, err = filepath.Abs(filepath.Join(os.TempDir(), pattern+rand.Text())) // the sweeper runs elsewhere
	if err != nil {
		return "", nil, fmt.Errorf("make a folder for the probes: %w", err)
	}
	end, dismiss := start(sweeper, path) // before there is anything to sweep: this process may be killed at any moment
	if err := os.Mkdir(path, 0o700); err != nil {
		dismiss()
		return "", nil, fmt.Errorf("make a folder for the probes: %w", err)
	}
	unlock := lock(path)
	return path, func() { os.RemoveAll(path); unlock(); end() }, nil
}

// sweepLeft removes folders whose names begin so, and that killed processes have left.
func sweepLeft(dir, begin string) {
	left, _ := os.ReadDir(dir)
	for _, entry := range left {
		if !strings.HasPrefix(entry.Name(), begin) {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		if unlock, ok := lockLeft(path); ok {
			os.RemoveAll(path)
			unlock()
		}
	}
}

// Unfinished makes a folder in dir, whose name begins so, for what will get another name when it is whole. The next to call it removes
// what is left when this process is killed; until unlock is called, nobody does.
func Unfinished(dir, begin string) (path string, unlock func(), err error) {
	sweepLeft(dir, begin)
	if path, err = os.MkdirTemp(dir, begin+"*"); err != nil {
		return "", nil, err
	}
	return path, lock(path), nil
}

// start starts a sweeper, which sweeps when this process ends or end is called, and ends without sweeping when it is dismissed.
func start(sweeper []string, path string) (end, dismiss func()) {
	none := func() {}
	if len(sweeper) == 0 {
		return none, none
	}
	theirs, ours, err := os.Pipe()
	if err != nil {
		return none, none
	}
	c := exec.Command(sweeper[0], append(sweeper[1:], path)...)
	c.Dir, c.Stdin = os.TempDir(), theirs
	apart(c)
	err = c.Start()
	theirs.Close()
	if err != nil { // then the next check does it
		ours.Close()
		return none, none
	}
	end = func() {
		ours.Close()
		late := time.AfterFunc(2*sweeping, func() { c.Process.Kill() }) // somebody may have stopped it
		defer late.Stop()
		c.Wait()
	}
	return end, func() {
		c.Process.Kill()
		end()
	}
}

// sweeping is how long a sweeper tries, at most.
const sweeping = 2 * time.Second

// Sweep removes a folder when standard input ends. Programs may write into it until they are dead, too.
func Sweep(path string) error {
	if !strings.HasPrefix(filepath.Base(path), pattern) {
		return fmt.Errorf("remove %s: allowed are names that begin with %s", path, pattern)
	}
	io.Copy(io.Discard, os.Stdin)
	var err error
	for end := time.Now().Add(sweeping); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if err = os.RemoveAll(path); err == nil {
			return nil
		}
	}
	return err
}
