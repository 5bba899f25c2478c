//go:build unix

package folder

import (
	"os"
	"os/exec"
	"syscall"
	"time"
)

// tooYoung is the age of a folder whose check may not have locked it yet.
const tooYoung = time.Minute

// lock locks a folder until unlock is called, or this process ends. The lock is not inherited by programs.
func lock(path string) (unlock func()) {
	f, ok := flock(path)
	if !ok {
		return func() {}
	}
	return func() { f.Close() }
}

// lockLeft locks a folder of this user that no check has locked.
func lockLeft(path string) (unlock func(), ok bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() || time.Since(info.ModTime()) < tooYoung || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
		return nil, false
	}
	f, ok := flock(path)
	if !ok {
		return nil, false
	}
	return func() { f.Close() }, true
}

func flock(path string) (*os.File, bool) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_DIRECTORY, 0)
	if err != nil {
		return nil, false
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		f.Close()
		return nil, false
	}
	return f, true
}

// apart keeps a process from the signals of this one's terminal.
func apart(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
