package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"

	"luzhanqi/process/privatedir"
)

// maxChanged bounds the names of changed files.
const maxChanged = 50

// mark tells whether a file of a copy was touched: its number and the time of its last change, which nobody can set.
type mark struct {
	inode uint64
	at    syscall.Timespec
}

func markOf(info fs.FileInfo) (m mark) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		m = mark{stat.Ino, stat.Ctim}
	}
	return m
}

// CopyOriginal copies the working directory where there is no layer over it, until cut is closed. What cannot be read
// or is hidden is left out, and so are pipes and sockets.
func (i *Inside) CopyOriginal(v *View, cut <-chan struct{}) error {
	if i.Original == nil {
		return nil
	}
	defer i.Original.Close()
	source, err := os.OpenRoot(pathOf(i.Original))
	if err != nil {
		return fmt.Errorf("copy the working directory: %w", err)
	}
	defer source.Close()
	target, err := privatedir.Open(pathOf(i.Whole))
	if err != nil {
		return err
	}
	defer target.Close()
	c := &privatedir.Copying{From: v.Dir, Owner: v.User, Cut: cut, Lenient: true, Skip: func(at string, info fs.FileInfo) bool {
		ordinary := info.Mode().IsRegular() || info.IsDir() || info.Mode().Type() == fs.ModeSymlink
		return !ordinary || v.Hides(filepath.Join(v.Dir, at))
	}}
	if err := c.Copy(source, target); err != nil {
		return fmt.Errorf("copy %s: %w", v.Dir, err)
	}
	if v.User != 0 {
		if err := target.Chown(v.User); err != nil {
			return err
		}
	}
	i.copied = map[string]mark{}
	return i.walk(func(name string, info fs.FileInfo) error {
		i.copied[name] = markOf(info)
		return nil
	})
}

// walk visits the layer, as far as it can be entered: what cannot holds nothing that matters.
func (i *Inside) walk(visit func(name string, info fs.FileInfo) error) error {
	root := pathOf(i.Layer)
	return filepath.WalkDir(root+"/.", func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		if err != nil || name == "." {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		return visit(name, info)
	})
}

// Changes are the files that were written into the working directory, and those that were removed: the first of them.
func (i *Inside) Changes() (names []string, err error) {
	there := map[string]bool{}
	err = i.walk(func(name string, info fs.FileInfo) error {
		there[name] = true
		if info.IsDir() || i.unchanged(name, info) {
			return nil
		}
		if removed(info) {
			name += " (removed)"
		}
		if names = append(names, name); len(names) > maxChanged && i.copied == nil {
			return fs.SkipAll
		}
		return nil
	})
	for name := range i.copied {
		if !there[name] {
			names = append(names, name+" (removed)")
		}
	}
	slices.Sort(names)
	if len(names) > maxChanged {
		names = append(names[:maxChanged], "…")
	}
	return names, err
}

// unchanged says whether a file of a copy is as it was.
func (i *Inside) unchanged(name string, info fs.FileInfo) bool {
	was, copied := i.copied[name]
	return copied && (was == markOf(info))
}

// removed says whether a file of a layer says that the one below is gone: a character device of number zero.
func removed(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode()&fs.ModeCharDevice != 0 && stat.Rdev == 0
}

// Kept copies what the program has written, or its whole directory, to where it is kept.
func (i *Inside) Kept(v *View) error {
	target, err := privatedir.Open(pathOf(i.Keep))
	if err != nil {
		return err
	}
	defer target.Close()
	if err := target.Empty(); err != nil { // of a process that was started before, for another question
		return err
	}
	from, skip := i.Layer, func(_ string, info fs.FileInfo) bool { return removed(info) }
	if v.Whole {
		from = i.Whole
	}
	if i.copied != nil {
		written, err := i.openUp()
		if err != nil {
			return err
		}
		skip = func(at string, _ fs.FileInfo) bool { return !v.Whole && !written[at] }
	}
	source, err := os.OpenRoot(pathOf(from))
	if err != nil {
		return err
	}
	defer source.Close()
	c := &privatedir.Copying{From: v.Dir, Skip: skip}
	if err := c.Copy(source, target); err != nil {
		return fmt.Errorf("keep what was written into %s: %w", v.Dir, err)
	}
	return nil
}

// openUp finds what was written into a copy, with the directories above, and makes readable what its owner may not read:
// this process has no more rights.
func (i *Inside) openUp() (written map[string]bool, err error) {
	written = map[string]bool{}
	for opened := true; opened; { // a directory that has just been opened is entered the next time
		opened = false
		err := i.walk(func(name string, info fs.FileInfo) error {
			if _, was := i.copied[name]; !was || !info.IsDir() && !i.unchanged(name, info) {
				for at := name; at != "." && !written[at]; at = filepath.Dir(at) {
					written[at] = true
				}
			}
			mode, need := info.Mode(), fs.FileMode(0o400)
			if info.IsDir() {
				need = 0o700
			}
			if mode&fs.ModeSymlink != 0 || mode&need == need {
				return nil
			}
			opened = opened || info.IsDir()
			return os.Chmod(filepath.Join(pathOf(i.Layer), name), mode.Perm()|need)
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return written, nil
}

// pathOf is the path of an open directory that has no other, or that another one covers.
func pathOf(dir *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", dir.Fd()) }

// Written is how much the program has put on its private disk or disks, in how many files, and whether one is full.
func (i *Inside) Written(v *View) (bytes, files int64, full bool) {
	places := i.Places
	if places == nil && i.Layer != nil {
		places = []*os.File{i.Layer}
	}
	var disks []uint64
	for _, place := range places {
		var disk unix.Statfs_t
		var stat unix.Stat_t
		fd := int(place.Fd())
		if unix.Fstatfs(fd, &disk) != nil || unix.Fstat(fd, &stat) != nil || slices.Contains(disks, stat.Dev) {
			continue
		}
		disks = append(disks, stat.Dev)
		bytes += int64(disk.Blocks-disk.Bfree) * int64(disk.Bsize)
		files += int64(disk.Files - disk.Ffree)
		full = full || disk.Bfree == 0 || disk.Ffree == 0
	}
	return bytes - v.Copied, files, full
}

// Overfull says whether there are more files on disks of bubblewrap's making than a private disk may hold: their bytes are
// all that the kernel limits.
func (i *Inside) Overfull(v *View) bool {
	_, files, _ := i.Written(v)
	return files > maxInodes(v.Bytes())+int64(len(i.copied))
}
