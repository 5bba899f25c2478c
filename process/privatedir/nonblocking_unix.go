//go:build unix

package privatedir

import "syscall"

// nonBlocking lets a file be opened that may have become a named pipe meanwhile.
const nonBlocking = syscall.O_NONBLOCK
