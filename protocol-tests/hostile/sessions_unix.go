//go:build unix

package main

import "syscall"

// ownSession takes a descendant out of the process group and away from the terminal of its parent.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
