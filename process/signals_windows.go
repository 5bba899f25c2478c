package process

import "syscall"

// hasStage says that no program can be limited before it starts.
const hasStage = false

// There are no such signals here.
func isCPUSignal(syscall.Signal) bool      { return false }
func isFileSizeSignal(syscall.Signal) bool { return false }

// ownRole is nil: this binary is never started under another name.
func ownRole(string) func(limits, path string, args []string) { return nil }
