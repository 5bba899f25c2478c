//go:build unix

package process

import "syscall"

// What all Unix systems have.
const (
	hasTerminals = true
	hasRlimits   = true
	// nonBlocking lets a file be opened that may have become a named pipe meanwhile.
	nonBlocking = syscall.O_NONBLOCK
)

func errnoOf(err error) syscall.Errno {
	errno, _ := err.(syscall.Errno)
	return errno
}
