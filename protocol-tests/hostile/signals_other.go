//go:build !unix

package main

import (
	"os"
	"syscall"
)

// dieBy has no signals here. It leaves with the status that a shell would show.
func dieBy(s syscall.Signal) { os.Exit(128 + int(s)) }

func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }

// stopSelf comes nearest where nothing can be stopped: the process answers nothing any more.
func stopSelf() { stay() }
