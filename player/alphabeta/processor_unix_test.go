//go:build unix

package alphabeta

import (
	"syscall"
	"time"
)

// processorTime is what this process has used of all processors: unlike the wall's time, it means
// the same on a busy machine.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
