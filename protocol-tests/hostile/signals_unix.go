//go:build unix && !linux

package main

import (
	"fmt"
	"os"
	"syscall"
)

// dieBy becomes a shell, whose signals have their default actions: Go's runtime would turn SIGSEGV and SIGABRT into
// exit status 2, and offers no way to give them back.
func dieBy(s syscall.Signal) {
	_ = syscall.Exec("/bin/sh", []string{"sh", "-c", fmt.Sprintf("ulimit -c 0; kill -%d $$", int(s))}, os.Environ())
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
}

func stopSelf() { _ = syscall.Kill(syscall.Getpid(), syscall.SIGSTOP) }
