package privatedir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"luzhanqi/text"
)

const (
	maxCopyBytes = 1 << 30
	maxCopyFiles = 100_000 // and directories and links
	maxCopyDepth = 256     // directories in one another
)

var (
	errCut      = errors.New("copying was interrupted")
	errTooLarge = errors.New("the directory holds more than " + text.Bytes(maxCopyBytes) + ", which is the most allowed")
)

// CopyFrom copies a directory into the private one, until cut is closed.
// owner, if it is not 0, is the user and the group to whom the copies belong.
func (p *Dir) CopyFrom(from string, owner int, cut <-chan struct{}) error {
	from, err := filepath.Abs(from)
	if err != nil {
		return fmt.Errorf("copy the working directory: %w", err)
	}
	source, err := os.OpenRoot(from)
	if err != nil {
		return fmt.Errorf("copy the working directory: %w", err)
	}
	defer source.Close()
	if err := (&Copying{From: from, Owner: owner, Cut: cut}).Copy(source, p); err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	return nil
}

// Copying is how a directory is copied.
type Copying struct {
	From    string // its path, absolute
	Owner   int    // of the copies; 0: whoever copies
	Cut     <-chan struct{}
	Skip    func(at string, info fs.FileInfo) bool // what is left out, by its path below the whole; nil: nothing
	Lenient bool                                   // what may not be read is left out

	bytes int64
	files int
}

// Copy copies what is in source, up to a gigabyte, into an empty directory.
func (c *Copying) Copy(source *os.Root, target *Dir) error {
	return c.directory(source, target.root, ".", 0)
}

// directory copies what is in source; at is its path below the whole.
func (c *Copying) directory(source, target *os.Root, at string, depth int) error {
	if depth > maxCopyDepth {
		return fmt.Errorf("%s: allowed are %d directories in one another", text.Shorten(at, 100), maxCopyDepth)
	}
	dir, err := source.Open(".")
	if c.Lenient && errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	for {
		entries, err := dir.ReadDir(256)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := c.entry(source, target, e.Name(), filepath.Join(at, e.Name()), depth); err != nil {
				return err
			}
		}
	}
}

func (c *Copying) entry(source, target *os.Root, name, at string, depth int) error {
	select {
	case <-c.Cut:
		return errCut
	default:
	}
	if c.files++; c.files > maxCopyFiles {
		return fmt.Errorf("it holds more than %d files and directories, which is the most allowed", maxCopyFiles)
	}
	info, err := source.Lstat(name)
	if err != nil {
		return err
	}
	switch mode := info.Mode(); {
	case c.Skip != nil && c.Skip(at, info):
		return nil
	case mode.IsRegular():
		err = c.file(source, target, name, info)
	case mode.IsDir():
		err = c.subdirectory(source, target, name, at, info, depth)
	case mode.Type() == fs.ModeSymlink:
		err = c.link(source, target, name, at)
	default:
		return fmt.Errorf("%s is %s; allowed are files, directories and links", at, text.FileKind(mode))
	}
	if err == nil && c.Owner != 0 {
		err = target.Lchown(name, c.Owner, c.Owner)
		if c.Lenient && errors.Is(err, fs.ErrNotExist) {
			err = nil // it was left out
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	return nil
}

func (c *Copying) subdirectory(source, target *os.Root, name, at string, info fs.FileInfo, depth int) error {
	if err := target.Mkdir(name, 0o700); err != nil {
		return err
	}
	below, err := source.OpenRoot(name)
	if c.Lenient && errors.Is(err, fs.ErrPermission) {
		return finish(target, name, info)
	}
	if err != nil {
		return err
	}
	defer below.Close()
	copied, err := target.OpenRoot(name)
	if err != nil {
		return err
	}
	defer copied.Close()
	if err := c.directory(below, copied, at, depth+1); err != nil {
		return err
	}
	return finish(target, name, info)
}

func (c *Copying) file(source, target *os.Root, name string, info fs.FileInfo) error {
	in, err := source.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
	if c.Lenient && errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	if now, err := in.Stat(); err != nil || !os.SameFile(now, info) {
		return errors.New("changed while it was copied")
	}
	room := int64(maxCopyBytes) - c.bytes
	if info.Size() > room {
		return errTooLarge
	}
	out, err := target.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(out, io.LimitReader(in, room+1))
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	if c.bytes += n; n > room { // it grows
		return errTooLarge
	}
	return finish(target, name, info)
}

// finish gives a copy the permissions and the time of its original.
func finish(target *os.Root, name string, info fs.FileInfo) error {
	if err := target.Chtimes(name, info.ModTime(), info.ModTime()); err != nil {
		return err
	}
	return target.Chmod(name, info.Mode().Perm())
}

// link copies a symbolic link. An absolute one into the directory that is copied becomes relative.
func (c *Copying) link(source, target *os.Root, name, at string) error {
	to, err := source.Readlink(name)
	if err != nil {
		return err
	}
	if below, ok := strings.CutPrefix(to, c.From); ok && (below == "" || os.IsPathSeparator(below[0])) {
		if to, err = filepath.Rel(filepath.Join(c.From, filepath.Dir(at)), to); err != nil {
			return err
		}
	}
	return target.Symlink(to, name)
}
