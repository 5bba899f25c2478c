//go:build unix

package store

import "syscall"

// notFollowed keeps a file from being opened through a link, and from keeping us waiting if it is a pipe.
const notFollowed = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
