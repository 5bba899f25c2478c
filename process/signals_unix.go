//go:build unix

package process

import "syscall"

func isCPUSignal(s syscall.Signal) bool      { return s == syscall.SIGXCPU }
func isFileSizeSignal(s syscall.Signal) bool { return s == syscall.SIGXFSZ }
