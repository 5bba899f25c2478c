// Package tree looks at the folder in which a stranger's build has run, before anybody uses what is there.
//
// [Look] is the entry point. A [*Refusal] says what may not be there, in words for whoever wrote the build; any other
// error is about this machine. Refused are more bytes or files than are allowed, links that lead out, files that have a
// second name outside, pipes, sockets, devices and set-user-id programs. Nothing is followed and nothing is executed.
package tree

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"

	"luzhanqi/text"
)

// Limits bound what a folder may hold.
type Limits struct {
	Bytes int64 // of all files; of each its length, or the room that it takes on the disk if that is more
	Files int   // files, folders and links
}

// Rules say what is allowed.
type Rules struct {
	Limits
	Links Links
}

const maxDepth = 200 // folders in one another; what plays is a copy, in which 256 are allowed

// Found is what is there.
type Found struct {
	Digest string // SHA-256, hexadecimal, of paths, contents, links and executable bits, whatever the times
	Bytes  int64
	Files  int
}

// Refusal is why a folder is not used.
type Refusal struct {
	Path   string // in the folder; empty: it concerns the whole
	Reason string
}

// Error names the path, quoted, and the reason.
func (r *Refusal) Error() string {
	if r.Path == "" {
		return "its folder " + r.Reason
	}
	return fmt.Sprintf("%q %s", text.Shorten(r.Path, 100), r.Reason)
}

func refuse(path, format string, args ...any) error {
	return &Refusal{path, fmt.Sprintf(format, args...)}
}

// Look looks at all that is in a folder, by the rules, and reads it.
func Look(ctx context.Context, dir string, rules Rules) (Found, error) {
	w, err := walk(ctx, dir, &walker{rules: rules, sum: sha256.New()})
	if err != nil {
		return Found{}, err
	}
	return Found{hex.EncodeToString(w.sum.Sum(nil)), w.bytes, w.files}, nil
}

// Measure counts while somebody still builds, and reads nothing. What vanishes meanwhile or may not be read does not count.
func Measure(ctx context.Context, dir string, limits Limits) error {
	_, err := walk(ctx, dir, &walker{rules: Rules{Limits: limits}})
	return err
}

// walker is on its way through a folder.
type walker struct {
	ctx   context.Context
	top   *os.Root
	rules Rules
	sum   hash.Hash // nil: nothing is read, and only limits are looked at
	bytes int64
	files int
	names map[identity]*name // of files that have several
}

// identity is a file, whatever it is called.
type identity struct{ device, number uint64 }

// name is one of those of a file.
type name struct {
	path  string
	seen  uint64 // in this folder
	links uint64 // anywhere
}

func walk(ctx context.Context, dir string, w *walker) (*walker, error) {
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, refuse("", "is no folder any more, but %s", text.FileKind(info.Mode()))
	}
	if w.top, err = os.OpenRoot(dir); err != nil {
		return nil, err
	}
	defer w.top.Close()
	w.ctx, w.names = ctx, map[identity]*name{}
	if err := w.folder(w.top, ".", 0); err != nil {
		return nil, err
	}
	return w, w.outside()
}

func (w *walker) folder(here *os.Root, at string, depth int) error {
	if depth > maxDepth {
		return refuse(at, "is %d folders deep; allowed are %d", depth, maxDepth)
	}
	names, err := w.list(here, at)
	if err != nil {
		return err
	}
	for _, n := range names {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if err := w.entry(here, n, path.Join(at, n), depth); err != nil && !w.passing(err) {
			return err
		}
	}
	return nil
}

// passing says whether an error is due to somebody who still builds, and has removed or closed something.
func (w *walker) passing(err error) bool {
	return w.sum == nil && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission))
}

// list is the names in a folder, sorted.
func (w *walker) list(here *os.Root, at string) ([]string, error) {
	dir, err := here.Open(".")
	if errors.Is(err, fs.ErrPermission) && w.sum != nil {
		return nil, refuse(at, "is a folder that may not be read")
	}
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(w.rules.Files - w.files + 1)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if w.files += len(names); w.files > w.rules.Files {
		return nil, refuse("", "holds %d files and folders or more; allowed are %d (files in [build])", w.files, w.rules.Files)
	}
	slices.Sort(names)
	return names, nil
}

func (w *walker) entry(here *os.Root, called, at string, depth int) error {
	info, err := here.Lstat(called)
	if err != nil {
		return err
	}
	mode := info.Mode()
	if mode.IsRegular() {
		w.bytes += occupied(info)
		if w.bytes > w.rules.Bytes {
			return refuse("", "holds %s or more; allowed are %v (bytes in [build])", text.Count(int(w.bytes), "byte"), text.Bytes(w.rules.Bytes))
		}
	}
	if w.sum != nil {
		fmt.Fprintf(w.sum, "%v %v %d %q\n", mode.Type(), mode.IsRegular() && mode&0o111 != 0, size(info), at)
	}
	switch {
	case mode.IsDir():
		below, err := here.OpenRoot(called)
		if errors.Is(err, fs.ErrPermission) && w.sum != nil {
			return refuse(at, "is a folder that may not be read")
		}
		if err != nil {
			return err
		}
		defer below.Close()
		return w.folder(below, at, depth+1)
	case w.sum == nil:
		return nil
	case mode.Type() == fs.ModeSymlink:
		return w.link(here, called, at)
	case !mode.IsRegular():
		return refuse(at, "is %s; allowed are files, folders and links", text.FileKind(mode))
	case mode&(fs.ModeSetuid|fs.ModeSetgid) != 0:
		return refuse(at, "is a program that would run as somebody else (set-user-id or set-group-id)")
	}
	w.note(info, at)
	return w.read(here, called, at)
}

// size is the length of what is read.
func size(info fs.FileInfo) int64 {
	if info.Mode().IsRegular() {
		return info.Size()
	}
	return 0
}

func (w *walker) read(here *os.Root, called, at string) error {
	file, err := here.Open(called)
	if errors.Is(err, fs.ErrPermission) {
		return refuse(at, "may not be read")
	}
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(w.sum, io.LimitReader(file, w.rules.Bytes))
	return err
}

// link looks at a symbolic link.
func (w *walker) link(here *os.Root, called, at string) error {
	target, err := here.Readlink(called)
	if err != nil {
		return err
	}
	fmt.Fprintf(w.sum, "%q\n", target)
	if err := w.follow(path.Dir(at), target); err != nil {
		return refuse(at, "is a link to %q, %v", text.Shorten(target, 200), err)
	}
	return nil
}

// note counts the names of a file.
func (w *walker) note(info fs.FileInfo, at string) {
	id, links := linked(info)
	if links < 2 {
		return
	}
	if w.names[id] == nil {
		w.names[id] = &name{path: at, links: links}
	}
	w.names[id].seen++
}

// outside refuses a file that has more names than were found.
func (w *walker) outside() error {
	var first *name
	for _, n := range w.names {
		if n.seen < n.links && (first == nil || n.path < first.path) {
			first = n
		}
	}
	if first == nil {
		return nil
	}
	return refuse(first.path, "has %d names (hard links), and only %s in the folder; copy a file instead of linking to one outside",
		first.links, count(first.seen))
}

func count(n uint64) string {
	if n == 1 {
		return "1 is"
	}
	return fmt.Sprintf("%d are", n)
}
