package process

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

// Confinement is what a program and all that it starts may use. Zero fields: no limit. The limits
// hold from before the program's first instruction, and its descendants inherit them. Full
// confinement (files, network, system calls) will stand behind this same struct.
//
// Linux can do all of it; see [Confinement.Check] for the others.
type Confinement struct {
	// Memory is how many bytes of data each process may have: heap, private mappings and the stacks of
	// threads, whether touched or not (RLIMIT_DATA). Reserved address space does not count, which
	// Go, Java and node have plenty of; memory that is shared does not count either.
	Memory int64 `json:",omitempty"`
	// Total is how many bytes of memory the program and all that it starts may use together, what they share and what
	// they have written onto a private disk counted once. [TotalMemory] says who counts: the kernel, or else it is
	// looked at 100 times a second, so that they can have more for up to 10 ms.
	Total int64 `json:",omitempty"`
	// Processes is how many processes may be alive at once, the program included.
	Processes int `json:",omitempty"`
	// Threads is how many threads all of them may have together; each process has at least one.
	Threads int `json:",omitempty"`
	// CPU is the processor time of each process, of all its threads together, in whole seconds,
	// rounded up (RLIMIT_CPU).
	CPU time.Duration `json:",omitempty"`
	// FileSize is how many bytes a file may have that a process writes (RLIMIT_FSIZE).
	FileSize int64 `json:",omitempty"`
	// Files is how many files each process may have open (RLIMIT_NOFILE).
	Files int `json:",omitempty"`
	// CPUs are the processors that it may run on, as [Cores] numbers them.
	CPUs []int `json:",omitempty"`
	// Private runs it in a copy of Command.Dir, which is its HOME and its directory for temporary
	// files too, and which is gone after Stop, whatever is in it by then. At most 1 GiB is copied, in at
	// most 100,000 files and directories; symbolic links are copied, but not followed.
	Private bool `json:",omitempty"`
}

// SealedTotal is the memory in all of a sealed program of which nothing else is said.
const SealedTotal = 2 << 30

// No program can be started with less.
const (
	minMemory = 1 << 20
	minFiles  = 8
)

// Check says which limits make no sense, and which of them this system cannot hold a program to.
func (c Confinement) Check() error {
	for _, limit := range []struct {
		name       string
		value, min int64
		unit       string
	}{
		{"memory", c.Memory, minMemory, " bytes"},
		{"memory in all", c.Total, minMemory, " bytes"},
		{"processes", int64(c.Processes), 1, ""},
		{"threads", int64(c.Threads), 1, ""},
		{"processor time", int64(c.CPU), 1, " ns"},
		{"file size", c.FileSize, 1, " bytes"},
		{"open files", int64(c.Files), minFiles, ""},
	} {
		if limit.value != 0 && limit.value < limit.min {
			return fmt.Errorf("limit of %s: %d%s; allowed are 0 (none) and %d or more", limit.name, limit.value, limit.unit, limit.min)
		}
	}
	if cannot := c.unsupported(); cannot != "" {
		return fmt.Errorf("limit of %s: not supported on %s", cannot, runtime.GOOS)
	}
	return c.checkCPUs()
}

// checkConfinement adds what concerns the command as a whole.
func (c Command) checkConfinement() error {
	if err := c.Confine.Check(); err != nil {
		return err
	}
	if c.Confine.Private && c.Dir == "" {
		return fmt.Errorf("private directory for %q: its command names no directory to copy", c.Args[0])
	}
	return nil
}

// allCores numbers the processors where the system does not say which are ours.
func allCores() []int {
	cores := make([]int, runtime.NumCPU())
	for i := range cores {
		cores[i] = i
	}
	return cores
}

// Limit names a limit of a [Confinement] that a program can exceed.
type Limit int

const (
	NoLimit Limit = iota
	LimitProcesses
	LimitThreads
	LimitCPU
	LimitFileSize
	LimitDisk
	LimitTotal
)

var limitNames = [...]string{"none", "processes", "threads", "processor time", "file size", "disk", "memory in all"}

func (l Limit) String() string {
	if l < 0 || int(l) >= len(limitNames) {
		return fmt.Sprintf("limit %d", int(l))
	}
	return limitNames[l]
}

// privateVariables of the environment name the private directory.
var privateVariables = [...]string{"HOME", "TMPDIR", "TMP", "TEMP"}

// together is how many programs run at a time.
var together atomic.Int64

// AtATime says how many programs run at a time, if more than two: they share what processes and threads this machine leaves to
// them, so that neither another program nor what supervises them is refused one.
func AtATime(programs int) {
	for {
		if before := together.Load(); int64(programs) <= before || together.CompareAndSwap(before, int64(programs)) {
			return
		}
	}
}
