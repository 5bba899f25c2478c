//go:build !linux

package process

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"luzhanqi/process/privatedir"
	"luzhanqi/process/sandbox"
)

// start starts a program, in a private directory if it has one. There is no supervisor here that
// could remove that when the referee is killed.
func start(c Command, path string, streams [3]*os.File) (guard, error) {
	if c.Sandbox.Profile == sandbox.Sealed {
		return nil, Isolation().Sealed()
	}
	if !c.Confine.Private {
		return startHere(c, path, streams)
	}
	private, err := privatedir.New()
	if err != nil {
		return nil, err
	}
	if err := private.CopyFrom(c.Dir, 0, nil); err != nil {
		return nil, errors.Join(err, removed(private))
	}
	if inside := c.inside(); inside != "" {
		path = filepath.Join(private.Path, inside)
	}
	c.Dir = private.Path
	c.Env = append([]string{}, c.Env...)
	for _, variable := range privateVariables {
		c.Env = append(c.Env, variable+"="+private.Path) // the last one counts
	}
	g, err := startHere(c, path, streams)
	if err != nil {
		return nil, errors.Join(err, removed(private))
	}
	return guardWithDirectory{g, private}, nil
}

// Conclude has what supervises programs end; here nothing does.
func Conclude() {}

// guardWithDirectory also removes the program's private directory.
type guardWithDirectory struct {
	guard
	private *privatedir.Dir
}

func (g guardWithDirectory) release() error {
	return errors.Join(g.guard.release(), removed(g.private))
}

func removed(p *privatedir.Dir) error {
	defer p.Close()
	return p.Remove()
}

func newSink() (sink, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	return &streamSink{writeEnd(w)}, r, nil
}

func newSource() (source, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	return &streamSource{stream: readEnd(r)}, w, nil
}

// unsupported names a limit that this system cannot hold a program to. Elsewhere than on Linux
// nobody watches over descendants, and data that is mapped does not count as data.
func (c Confinement) unsupported() string {
	switch {
	case c.Total != 0:
		return "memory in all"
	case c.Memory != 0:
		return "memory"
	case c.Processes != 0:
		return "processes"
	case c.Threads != 0:
		return "threads"
	case len(c.CPUs) != 0:
		return "processors to run on"
	case hasRlimits:
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

// CanPin says whether [PinThread] does anything on this system.
const CanPin = false

// PinThread does nothing here: see [Confinement].
func PinThread(int) (undo func()) { return func() {} }

// Isolation is what this machine can enforce of a sandbox.
func Isolation() sandbox.Report {
	way, why := sandbox.Current()
	return sandbox.Report{Level: way.Level(), By: way, Why: why}
}

// TotalMemory says how [Confinement.Total] is held on this system: not at all.
func TotalMemory(Confinement) (how, why string) {
	return "not limited", runtime.GOOS + " offers nothing that this program uses"
}

// Reserve has everything made ready for programs that will be started again, where they are isolated: here nothing.
type Reserve struct{}

// NewReserve makes one.
func NewReserve(func() bool) *Reserve { return &Reserve{} }

// Close does nothing here.
func (*Reserve) Close() error { return nil }
