package process

import "syscall"

// hasStage says that no program can be limited before it starts.
const hasStage = false

// There are no such signals here.
func isCPUSignal(syscall.Signal) bool      { return false }
func isFileSizeSignal(syscall.Signal) bool { return false }
