//go:build unix

package process

import (
	"syscall"
)

// What all Unix systems have.
const (
	hasTerminals = true
	hasRlimits   = true
	// nonBlocking lets a file be opened that may have become a named pipe meanwhile.
	nonBlocking = syscall.O_NONBLOCK
)

func isCPUSignal(s syscall.Signal) bool      { return s == syscall.SIGXCPU }
func isFileSizeSignal(s syscall.Signal) bool { return s == syscall.SIGXFSZ }

func errnoOf(err error) syscall.Errno {
	errno, _ := err.(syscall.Errno)
	return errno
}
