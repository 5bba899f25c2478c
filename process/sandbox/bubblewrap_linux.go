package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// Some systems refuse namespaces to all but a few programs, of which bubblewrap is one: Ubuntu by AppArmor, others by
// giving it the right of set-uid. What it starts has no capabilities, so it is told all that is to be mounted. Layers
// need what it may not do, or not limit: the working directory is a copy, and a home is what it is, but read-only.
// It is told what its manual says that version 0.7 knows, and was tried with 0.8; what newer ones know is not used.

// bubblewrap is the path of its program; empty: there is none.
var bubblewrap = sync.OnceValue(func() string {
	path, err := exec.LookPath("bwrap")
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return ""
	}
	return path
})

// bubblewrapOptions are what it is told to make: namespaces, and all that the program sees.
func (v *View) bubblewrapOptions(w *Wrapping) (all []string, err error) {
	add := func(options ...string) { all = append(all, options...) }
	disk := func(mode fs.FileMode, size int64, path string) {
		add("--size", strconv.FormatInt(size, 10), "--perms", octal(mode), "--tmpfs", path)
	}
	const anybody = fs.ModeSticky | 0o777
	place := func(mode fs.FileMode, path string) { // a directory of its own
		if v.Profile == Sealed {
			add("--perms", octal(mode), "--dir", path)
		} else {
			disk(mode, v.Bytes()/guardedShares[path], path)
		}
	}
	// Not --die-with-parent, nor a death signal: a bubblewrap that dies before it has let its child go on leaves that waiting
	// for ever (5 of 460 kills of the referee). The supervisor ends when the referee does, and when bubblewrap does.
	add("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--as-pid-1", "--chdir", "/")
	pieces := v.pieces()
	covering := v.covering(pieces)
	if v.Profile == Sealed {
		add("--unshare-net")
		size := v.Bytes() - v.Bytes()/shmShare // for all places, into which Landlock lets it write
		if covering {
			size -= v.Bytes() / dirShare
		} else {
			size += v.Copied
		}
		disk(0o755, size, "/")
	} else {
		add("--ro-bind", "/", "/")
	}
	made := map[string]bool{}
	for i, p := range pieces {
		// Directories above a piece are made for nobody else, unless told.
		for _, above := range parents(p.path) {
			if !made[above] && !visible(pieces[:i], above, v.Profile) && p.kind != hidden {
				made[above] = true
				add("--perms", "0755", "--dir", above)
			}
		}
		switch p.kind {
		case processes:
			add("--proc", p.path)
			add("--remount-ro", p.path)
		case devices:
			add("--dev", p.path)
			disk(anybody, v.Bytes()/shmShare, filepath.Join(p.path, "shm"))
			add("--remount-ro", p.path)
		case empty:
			add("--dir", p.path)
		case linked:
			add("--symlink", p.to, p.path)
		case private:
			place(p.mode, p.path)
		case shown:
			option := "--ro-bind"
			if p.writable {
				option = "--bind"
			}
			if p.optional {
				option += "-try"
			}
			add(option, p.path, p.path)
		case layered:
			if p.name == workingLayer && v.Profile == Sealed && !covering {
				place(0o755, p.path)
			} else if p.name == workingLayer {
				disk(0o755, v.Bytes()/dirShare+v.Copied, p.path)
			} else if !visible(pieces[:i], p.path, v.Profile) {
				add("--ro-bind-try", p.path, p.path)
			}
		case hidden:
			info, err := os.Stat(p.path)
			switch {
			case err != nil || !visible(pieces[:i], p.path, v.Profile):
			case info.IsDir():
				disk(0o555, 4096, p.path)
				add("--remount-ro", p.path)
			default:
				number, err := w.cover()
				if err != nil {
					return nil, err
				}
				add("--perms", "0444", "--ro-bind-data", number, p.path)
			}
		}
	}
	return all, nil
}

// What a program may write is shared out: bubblewrap makes each place a disk of its own where it is not in a new root.
// All together hold what is allowed: 1/8 + 1/2 + 1/4 + 1/16 + 1/16.
const (
	shmShare = 8
	dirShare = 4
)

var guardedShares = map[string]int64{"/tmp": 2, "/var/tmp": 16, "/run": 16}

// covering says whether the copy of the working directory covers what a sealed program sees there of the system, as that
// of /usr/bin does: it is a disk of its own.
func (v *View) covering(pieces []piece) bool {
	for i, p := range pieces {
		if p.kind == layered && p.name == workingLayer {
			return v.Profile == Sealed && visible(pieces[:i], p.path, Sealed)
		}
	}
	return false
}

func octal(mode fs.FileMode) string {
	if mode&fs.ModeSticky != 0 {
		return fmt.Sprintf("1%03o", mode.Perm())
	}
	return fmt.Sprintf("%04o", mode.Perm())
}

// parents are the directories above a path, the highest first, but for the root.
func parents(path string) (all []string) {
	for dir := filepath.Dir(path); dir != "/"; dir = filepath.Dir(dir) {
		all = slices.Insert(all, 0, dir)
	}
	return all
}

// visible says whether something outside can be seen at its path on top of these pieces.
func visible(pieces []piece, path string, profile Profile) bool {
	seen := profile == Guarded
	for _, p := range pieces {
		if within(path, p.path) {
			seen = p.kind == shown || p.kind == layered && p.name != workingLayer
		}
	}
	return seen
}

// The bounds of a working directory that a guarded program gets a copy of. A larger one it can only read.
const (
	maxGuardedCopy      = 64 << 20
	maxGuardedCopyFiles = 10_000
)

// usable says whether a program of root's own user id can use what it shares with others: bubblewrap maps no owners.
func (v *View) usable() error {
	if v.By != ByBubblewrap || v.User == 0 {
		return nil
	}
	for _, p := range v.pieces() {
		if p.kind != shown || !p.owned || p.optional && !p.writable {
			continue
		}
		var stat unix.Stat_t
		if err := unix.Stat(p.path, &stat); err != nil || int(stat.Uid) == v.User {
			continue // bubblewrap will say so, or it is the program's
		}
		if err := (tree{path: p.path, dir: stat.Mode&unix.S_IFMT == unix.S_IFDIR, writable: p.writable}).foreign(stat, errBubblewrap); err != nil {
			return err
		}
	}
	return nil
}

var errBubblewrap = errors.New("isolated by bubblewrap")

// measure decides whether the program gets a copy of its working directory instead of a layer over it.
func (v *View) measure() error {
	if v.Profile == Guarded && (v.Own || v.Dir == "/") {
		return nil
	}
	bytes, files := int64(0), 0
	maxBytes, maxFiles := v.Bytes(), 100_000
	if v.Profile == Guarded {
		maxBytes, maxFiles = min(maxBytes, maxGuardedCopy), maxGuardedCopyFiles
	}
	err := filepath.WalkDir(v.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil { // what cannot be read is left out
			return nil
		}
		if v.Hides(path) {
			return skip(d)
		}
		const page = 4096
		if d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				bytes += (info.Size() + page - 1) / page * page
			}
		}
		if files++; files > maxFiles || bytes > maxBytes {
			return errTooMuch
		}
		return nil
	})
	switch {
	case err == nil:
		v.Copy, v.Copied = true, bytes
	case v.Profile == Sealed && v.By == ByBubblewrap:
		return fmt.Errorf("sandbox: %s: a sealed program gets a copy of it, since this machine gives namespaces to bubblewrap only: it holds more than %d files "+
			"or %d bytes; seal smaller directories, or allow user namespaces", v.Dir, maxFiles, maxBytes)
	}
	return nil
}

var errTooMuch = fmt.Errorf("too much")

func skip(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// Hides says whether a path is hidden from the program.
func (v *View) Hides(path string) bool {
	for _, hidden := range v.Hidden {
		if within(path, hidden) {
			return true
		}
	}
	return false
}

// unwrap takes over what bubblewrap has built.
func (v *View) unwrap() (*Inside, error) {
	for i := range 3 {
		if err := unix.Dup3(wrappedStreams+i, i, 0); err != nil {
			return nil, os.NewSyscallError("dup3", err)
		}
		unix.Close(wrappedStreams + i)
	}
	unix.Close(wrappedSelf)
	dir, keep := os.NewFile(wrappedDir, v.Dir), os.NewFile(wrappedKeep, v.Keep)
	inside := &Inside{}
	if v.Keep != "" {
		inside.Keep = keep
	} else {
		keep.Close()
	}
	for _, place := range append(slices.Clone(privatePlaces), SealedHome) {
		var system unix.Statfs_t
		if f, err := os.Open(place); err == nil && unix.Fstatfs(int(f.Fd()), &system) == nil && system.Type == unix.TMPFS_MAGIC {
			inside.Places = append(inside.Places, f)
		}
	}
	if !v.Copy {
		dir.Close()
		return inside, nil
	}
	inside.Original = dir
	err := inside.openCopy(v.Dir)
	inside.Places = append(inside.Places, inside.Whole)
	return inside, err
}
