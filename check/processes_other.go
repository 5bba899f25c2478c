//go:build !linux

package check

import "luzhanqi/process"

const seesProcesses = false

func detached(process.Family) []string { return nil }

func isProbe(int) bool { return false }
