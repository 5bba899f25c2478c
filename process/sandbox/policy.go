package sandbox

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
)

// Profile is how far a program is shut in.
type Profile string

// The profiles.
const (
	// Off: the program has all powers of the user that started the referee.
	Off Profile = "off"
	// Guarded: it can read what its user can read, but for what is hidden from it, and use the network. It
	// changes nothing but its own directory, and reaches no process that it has not started.
	Guarded Profile = "guarded"
	// Sealed: it can read the system's directories, its own and what is declared, has no network, and what it
	// writes is limited and thrown away.
	Sealed Profile = "sealed"
)

// Profiles are all of them, the strictest last.
var Profiles = []Profile{Off, Guarded, Sealed}

// Policy is what one program may see and change. The zero value is [Off]. Paths are absolute.
type Policy struct {
	Profile Profile `json:"profile,omitempty"`
	// Hidden files and directories look empty: records, stores, plans, tokens, whatever else is in them. The files
	// that this process has as standard input, output and error are hidden besides.
	Hidden []string `json:"hidden,omitempty"`
	// Own lets the program write into its working directory. Without it, the directory is covered by a layer that
	// takes what is written, and is thrown away at the end. A sealed program always has a layer.
	Own bool `json:"own,omitempty"`
	// Give lets the program write into its own directory also where that is root's and owners cannot be mapped: it belongs to the
	// program then, until [TakeBack].
	Give bool `json:"give,omitempty"`
	// Read are further directories that a sealed program may read, such as a tool chain.
	Read []string `json:"read,omitempty"`
	// Write are further directories that it may write into.
	Write []string `json:"write,omitempty"`
	// Disk is how many bytes it may write in all where its writes are thrown away; 0: [UsualDisk].
	Disk int64 `json:"disk,omitempty"`
	// Keep is an existing empty directory that gets, at the end, a copy of what the program has written into its
	// layer; empty: it is thrown away.
	Keep string `json:"keep,omitempty"`
	// Whole makes Keep a copy of the whole working directory as the program leaves it.
	Whole bool `json:"whole,omitempty"`
}

// UsualDisk is how much a program may write where its writes are thrown away. They are in memory.
const UsualDisk = 1 << 30

// minDisk is what a program needs for its view of the file system.
const minDisk = 1 << 20

// Bytes is how much it may write where its writes are thrown away.
func (p Policy) Bytes() int64 { return cmp.Or(p.Disk, UsualDisk) }

// On says whether there is anything to enforce.
func (p Policy) On() bool { return p.Profile == Guarded || p.Profile == Sealed }

// Check says what of the policy makes no sense for a program that runs in dir.
func (p Policy) Check(dir string) error {
	if !p.On() {
		return nil
	}
	for _, list := range [][]string{p.Hidden, p.Read, p.Write, {p.Keep}} {
		for _, path := range list {
			if path != "" && !filepath.IsAbs(path) {
				return fmt.Errorf("sandbox: path %q: allowed are absolute paths", path)
			}
		}
	}
	if p.Disk != 0 && p.Disk < minDisk {
		return fmt.Errorf("sandbox: %d bytes of disk: allowed are 0 (%d) and %d or more", p.Disk, UsualDisk, minDisk)
	}
	for _, hidden := range p.Hidden {
		if within(dir, hidden) {
			return fmt.Errorf("sandbox: programs run in %s, which would be hidden from them with %s, where records, stores or plans are: "+
				"keep these in a directory of their own, or run with --sandbox off", dir, hidden)
		}
	}
	return nil
}

// Overlap says whether one of two directories is the other, or lies in it.
func Overlap(a, b string) bool { return within(a, b) || within(b, a) }

// within says whether path is dir or below it.
func within(path, dir string) bool {
	if path == dir {
		return true
	}
	return strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}
