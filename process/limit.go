package process

import (
	"fmt"
	"time"
)

// Limit names a limit of a [Confinement] that a program can exceed.
type Limit int

const (
	NoLimit Limit = iota
	LimitProcesses
	LimitThreads
	LimitCPU
	LimitFileSize
)

var limitNames = [...]string{"none", "processes", "threads", "processor time", "file size"}

func (l Limit) String() string {
	if l < 0 || int(l) >= len(limitNames) {
		return fmt.Sprintf("limit %d", int(l))
	}
	return limitNames[l]
}

// exceeded says what was more than allowed, in words.
func (c Confinement) exceeded(l Limit) string {
	switch l {
	case LimitProcesses:
		return fmt.Sprintf("more than %s at once", count(c.Processes, "process", "processes"))
	case LimitThreads:
		return fmt.Sprintf("more than %s at once", count(c.Threads, "thread", "threads"))
	case LimitCPU:
		return fmt.Sprintf("more than %s of processor time", c.time())
	case LimitFileSize:
		return fmt.Sprintf("a file of more than %s", Bytes(c.FileSize))
	}
	return ""
}

// seconds is the limit of processor time as the system knows it.
func (c Confinement) seconds() int64 { return int64((c.CPU + time.Second - 1) / time.Second) }

func (c Confinement) time() string { return (time.Duration(c.seconds()) * time.Second).String() }

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Bytes prints a number of bytes exactly, in the largest binary unit that does so.
type Bytes int64

func (b Bytes) String() string {
	for _, unit := range []struct {
		name string
		size Bytes
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if b >= unit.size && b%unit.size == 0 {
			return fmt.Sprintf("%d %s", int64(b/unit.size), unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", int64(b))
}
