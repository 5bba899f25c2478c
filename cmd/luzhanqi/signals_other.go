//go:build !unix

package main

import "syscall"

// named is a signal with its name.
type named struct {
	signal syscall.Signal
	name   string
}

// ending are the signals that end a command in good order: Ctrl-C, and the end of the console.
var ending = []named{
	{syscall.SIGINT, "SIGINT"},
	{syscall.SIGTERM, "SIGTERM"},
}

// pausable does nothing: this system does not stop processes.
func pausable(bool) (end func()) { return func() {} }
