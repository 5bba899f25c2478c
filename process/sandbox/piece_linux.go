package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// piece is a part of the file system that a program sees. What comes later covers what comes before.
type piece struct {
	kind pieceKind
	path string
	name string      // in the scratch space, of what has a place there
	mode fs.FileMode // of what is private
	to   string      // where a link leads

	writable bool // what is shown
	owned    bool // what belongs to the owner of this belongs to the program
	optional bool // it need not be there, nor belong to the program
}

type pieceKind int

const (
	absent    pieceKind = iota
	shown               // it is as it is outside, but read-only unless it is writable
	layered             // it is as it is outside, and takes what is written, which is thrown away
	private             // the program has an empty directory of its own there
	linked              // a symbolic link
	processes           // the list of them
	devices
	empty  // directory
	hidden // it looks empty if it is there
)

// systemPlaces are what a sealed program sees of the system.
var systemPlaces = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/gnu", "/snap"}

// privatePlaces are covered by empty places of the program's own.
var privatePlaces = []string{"/tmp", "/var/tmp", "/run", "/dev/shm"}

// deviceNames are what it gets of /dev.
var deviceNames = []string{"null", "zero", "full", "random", "urandom", "tty"}

// SealedHome is HOME of a sealed program.
const SealedHome = "/home/player"

// pieces are what the program sees, on top of everything that is there for a guarded one, and of nothing for a sealed one.
func (v *View) pieces() (all []piece) {
	const anybody = fs.ModeSticky | 0o777
	add := func(p ...piece) { all = append(all, p...) }
	show := func(paths []string, writable bool) {
		for _, path := range paths {
			add(piece{kind: shown, path: path, writable: writable, owned: true, optional: true})
		}
	}
	add(piece{kind: processes, path: "/proc"}, piece{kind: devices, path: "/dev"})
	dir := piece{kind: layered, path: v.Dir, name: workingLayer, owned: true}
	if v.Profile == Sealed {
		for _, place := range systemPlaces {
			if to, err := os.Readlink(place); err == nil { // /bin is usr/bin
				add(piece{kind: linked, path: place, to: to})
				continue
			}
			add(piece{kind: shown, path: place, optional: true})
		}
		for _, path := range []string{"/var", "/sys", "/run"} {
			add(piece{kind: empty, path: path})
		}
		add(piece{kind: private, path: "/tmp", name: "tmp", mode: anybody},
			piece{kind: private, path: "/var/tmp", name: "var-tmp", mode: anybody},
			piece{kind: private, path: SealedHome, name: "home", mode: anybody})
		show(slices.Concat(v.Read, v.Shown), false)
		add(dir)
	} else {
		for _, p := range []piece{
			{kind: private, path: "/run", name: "run", mode: 0o755},
			{kind: private, path: "/var/tmp", name: "var-tmp", mode: anybody},
			{kind: private, path: "/tmp", name: "tmp", mode: anybody},
		} {
			if _, err := os.Stat(p.path); err == nil {
				add(p)
			}
		}
		if v.Home != "" {
			add(piece{kind: layered, path: v.Home, name: "home"})
			if v.User != 0 {
				add(piece{kind: layered, path: filepath.Join(v.Home, ".cache"), name: "cache", owned: true, optional: true})
			}
		}
		for i, path := range v.closed() {
			add(piece{kind: private, path: path, name: fmt.Sprint("closed-", i), mode: 0o755})
		}
		show(v.Shown, false)
		switch {
		case v.Dir == "/":
		case v.Own, v.By == ByBubblewrap && !v.Copy:
			add(piece{kind: shown, path: v.Dir, writable: v.Own, owned: true})
		default:
			add(dir)
		}
	}
	show(v.Write, true)
	for _, path := range v.Hidden {
		add(piece{kind: hidden, path: path})
	}
	return all
}
