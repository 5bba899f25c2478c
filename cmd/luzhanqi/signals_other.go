//go:build !unix

package main

import "syscall"

// ending are the signals that end a command in good order: Ctrl-C, and the end of the console.
var ending = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}

func signalName(s syscall.Signal) string {
	if s == syscall.SIGINT {
		return "SIGINT"
	}
	return "SIGTERM"
}

// pausable does nothing: this system does not stop processes.
func pausable(bool) (end func()) { return func() {} }
