//go:build unix

package store

import (
	"os"
	"syscall"
)

// gone says whether there is no such process on this machine.
func gone(pid int) bool { return syscall.Kill(pid, 0) == syscall.ESRCH }

// notFollowed keeps a file from being opened through a link, and from keeping us waiting if it is a pipe.
const notFollowed = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// mine says whether a file is this user's.
func mine(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
