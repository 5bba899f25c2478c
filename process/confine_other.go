//go:build !linux

package process

// unsupported names a limit that this system cannot hold a program to. Elsewhere than on Linux
// nobody watches over descendants, and data that is mapped does not count as data.
func (c Confinement) unsupported() string {
	switch {
	case c.Memory != 0:
		return "memory"
	case c.Processes != 0:
		return "processes"
	case c.Threads != 0:
		return "threads"
	case len(c.CPUs) != 0:
		return "processors to run on"
	case hasStage:
		return ""
	case c.CPU != 0:
		return "processor time"
	case c.FileSize != 0:
		return "file size"
	case c.Files != 0:
		return "open files"
	}
	return ""
}

func (c Confinement) checkCPUs() error { return nil }

// Cores are the processors of this machine.
func Cores() []int { return allCores() }
