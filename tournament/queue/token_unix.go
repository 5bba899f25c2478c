//go:build unix

package queue

import (
	"io/fs"
	"syscall"
)

// waitForNobody keeps us from waiting if a file is a pipe.
const waitForNobody = syscall.O_NONBLOCK

// Linked says whether a file has another name: what is hidden from programs is hidden by its name.
func Linked(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Nlink > 1
}
