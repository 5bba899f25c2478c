// Package privatedir makes directories for one program alone, and removes them when all is dead that ran in them,
// whatever that has made of them.
//
// [New] makes one, [Dir.CopyFrom] makes it a copy of another directory, [Dir.Remove] removes it. [Copying] copies between
// any two. Files, directories and symbolic links are copied with their permissions and times, but never what would give
// the copy the rights of somebody else (set-user-id and the like). A link into the copied directory leads into the copy;
// one that leads elsewhere is copied as it is, and never followed. Nothing of a copy comes back.
package privatedir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Dir is a directory that may be removed with all that is in it.
type Dir struct {
	Path string
	// Held from the beginning: a program may put something else in the place of its directory.
	dir  *os.File
	root *os.Root
}

// New makes an empty private directory.
func New() (*Dir, error) {
	path, err := os.MkdirTemp("", "luzhanqi-private-")
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return nil, fmt.Errorf("make a private directory: %w", err)
	}
	return Open(path)
}

// Open must be called before the program starts.
func Open(path string) (*Dir, error) {
	dir, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("private directory: %w", err)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		dir.Close()
		return nil, fmt.Errorf("private directory: %w", err)
	}
	return &Dir{Path: path, dir: dir, root: root}, nil
}

// Close lets go of it.
func (p *Dir) Close() {
	p.root.Close()
	p.dir.Close()
}

// Chown gives the directory itself to somebody.
func (p *Dir) Chown(user int) error { return p.dir.Chown(user, user) }

// Remove removes the directory when nobody uses it any more, whatever is in it: directories that may
// not be read or are too deep for any path, links to anywhere. It follows no link and does nothing
// outside. Directories are moved up before they are emptied, so that depth costs neither open
// files nor stack. Removing what is gone already is no error.
func (p *Dir) Remove() error {
	if err := p.Empty(); err != nil {
		return fmt.Errorf("remove private directory %s: %w", p.Path, err)
	}
	here, err := os.Lstat(p.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !p.is(here) {
		return fmt.Errorf("remove private directory %s: it is another file by now, which is left alone", p.Path)
	}
	if err := os.Remove(p.Path); err != nil {
		return fmt.Errorf("remove private directory: %w", err)
	}
	return nil
}

func (p *Dir) is(info fs.FileInfo) bool {
	own, err := p.dir.Stat()
	return err == nil && os.SameFile(own, info)
}

// Empty removes all that is in it.
func (p *Dir) Empty() error {
	if err := p.dir.Chmod(0o700); err != nil {
		return err
	}
	moved := fmt.Sprintf("removing-%016x-", rand.Uint64()) // no name that is there
	count := 0
	return sift(p.root, func(name string) error {
		if err := p.root.Chmod(name, 0o700); err != nil {
			return err
		}
		below, err := p.root.OpenRoot(name)
		if err != nil {
			return err
		}
		defer below.Close()
		if err := sift(below, func(child string) error {
			if err := below.Chmod(child, 0o700); err != nil { // or it could not be moved
				return err
			}
			count++
			return p.root.Rename(filepath.Join(name, child), fmt.Sprint(moved, count))
		}); err != nil {
			return err
		}
		return p.root.Remove(name)
	})
}

// sift removes all that is no directory, and leaves directories to directory, until there is nothing.
func sift(root *os.Root, directory func(name string) error) error {
	for {
		dir, err := root.Open(".")
		if err != nil {
			return err
		}
		entries, err := dir.ReadDir(1024)
		dir.Close()
		if err == io.EOF || errors.Is(err, fs.ErrNotExist) { // or it has been removed itself
			return nil
		}
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.IsDir() {
				err = directory(e.Name())
			} else {
				err = root.Remove(e.Name())
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
}
