//go:build !unix

package interruption

import "syscall"

// ending are the signals that end a command in good order: Ctrl-C, and the end of the console.
var ending = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}

func signalName(s syscall.Signal) string {
	if s == syscall.SIGINT {
		return "SIGINT"
	}
	return "SIGTERM"
}

// Pausable does nothing: this system does not stop processes.
func Pausable(bool) (end func()) { return func() {} }
