//go:build linux

package process

import (
	"fmt"
	"slices"

	"golang.org/x/sys/unix"
)

// The requests of ioctl for the settings of a terminal.
const (
	getTermios = unix.TCGETS
	setTermios = unix.TCSETS
)

// unsupported names a limit that this system cannot hold a program to.
func (c Confinement) unsupported() string { return "" }

// watched says whether there is a limit that someone else has to watch over.
func (c Confinement) watched() bool { return c.Processes != 0 || c.Threads != 0 }

// checkCPUs refuses processors that this process may not use itself: the kernel would ignore them
// without a word.
func (c Confinement) checkCPUs() error {
	if len(c.CPUs) == 0 {
		return nil
	}
	cores := Cores()
	for _, cpu := range c.CPUs {
		if !slices.Contains(cores, cpu) {
			return fmt.Errorf("processor %d to run on: this process may not use it; allowed are %v", cpu, cores)
		}
	}
	return nil
}

// Cores are the processors that this process may use, in ascending order. Where a container's quota
// is less than that, runtime.GOMAXPROCS(0) is less than their number.
func Cores() []int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(unix.Getpid(), &set); err != nil {
		return allCores()
	}
	var cores []int
	for cpu := range len(set) * 64 {
		if set.IsSet(cpu) {
			cores = append(cores, cpu)
		}
	}
	return cores
}

// pin makes the calling thread, and what it forks, run on some processors only.
func pin(cpus []int) error {
	var set unix.CPUSet
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	return unix.SchedSetaffinity(0, &set)
}
