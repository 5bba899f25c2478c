//go:build unix

package main

import (
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// compute uses so much processor time, however long that takes.
func compute(d time.Duration) {
	runtime.LockOSThread() // as a program of one thread does
	defer runtime.UnlockOSThread()
	for end := threadTime() + d; threadTime() < end; {
	}
}

// threadTime is what this thread has used: exactly, while what the kernel says of others that run is as old as its last tick.
func threadTime() time.Duration {
	var used unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &used); err != nil {
		panic(err)
	}
	return time.Duration(used.Nano())
}

// processorTime is what this process has used.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
