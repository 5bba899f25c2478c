//go:build unix && !linux

package interruption

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// stopNews is how long this process can take to be stopped after it has told itself to.
const stopNews = 200 * time.Millisecond

// stopSelf stops this process until it is continued.
func stopSelf() {
	continues := make(chan os.Signal, 1)
	signal.Notify(continues, syscall.SIGCONT)
	defer signal.Stop(continues)
	syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	select {
	case <-continues:
	case <-time.After(stopNews):
	}
}
