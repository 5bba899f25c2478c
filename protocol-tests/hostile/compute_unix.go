//go:build unix

package main

import (
	"runtime"
	"syscall"
	"time"
)

// compute uses so much processor time, however long that takes.
func compute(d time.Duration) {
	runtime.LockOSThread() // as a program of one thread does
	defer runtime.UnlockOSThread()
	for end := processorTime() + d; processorTime() < end; {
	}
}

// processorTime is what this process has used.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
