//go:build unix

package queue

import "syscall"

// waitForNobody keeps us from waiting if a file is a pipe.
const waitForNobody = syscall.O_NONBLOCK
