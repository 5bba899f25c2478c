// Package keeping looks after what a course leaves behind: [Backup] and [Restore] of the course and its results, and [Prune],
// which removes what is older than it need be kept. What concerns one student is removed by grading.Forget.
package keeping

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
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
	"path/filepath"
	"slices"
	"strings"

	"luzhanqi/check/folder"
	"luzhanqi/grading/course"
	"luzhanqi/text"
)

const (
	resultsFolder = "graded"   // in a backup; where grade looks for results beside a course
	manifest      = "MANIFEST" // the last file of a backup: the digest of each other one, as sha256sum writes it
	maxFiles      = 2_000_000
	maxName       = 4096
)

// left out are the folders that are made again from the others: what is built.
var leftOut = []string{filepath.Join("work", "trees")}

// Summary is what a backup holds, or what was restored.
type Summary struct {
	Files   int
	Bytes   int64
	Outside []string // what the course names and is not in the backup, since it lies elsewhere
}

func (s Summary) String() string {
	return fmt.Sprintf("%s, %v", text.Count(s.Files, "file"), text.Bytes(s.Bytes))
}

// Backup writes the course file, all that it names below its folder, and the results into one new file. Restored, it is graded
// again without a game being played. Who may read the file may read all of it.
func Backup(ctx context.Context, c *course.Course, out, file string) (s Summary, err error) {
	target, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return s, err
	}
	defer func() {
		if err = errors.Join(err, target.Close()); err != nil {
			os.Remove(file) // half a backup is none
		}
	}()
	zipped := gzip.NewWriter(target)
	b := &backup{ctx: ctx, tar: tar.NewWriter(zipped), never: []string{file}, seen: map[string]bool{}}
	for _, named := range c.Files() {
		rest, err := filepath.Rel(c.Folder(), named)
		if err != nil || !filepath.IsLocal(rest) {
			b.Outside = append(b.Outside, named)
			continue
		}
		if err := b.add(named, filepath.ToSlash(rest), []string{out}); err != nil {
			return b.Summary, err
		}
	}
	never := []string{}
	for _, folder := range leftOut {
		never = append(never, filepath.Join(out, folder))
	}
	if _, err := os.Stat(out); err == nil {
		if err := b.add(out, resultsFolder, never); err != nil {
			return b.Summary, err
		}
	}
	slices.Sort(b.sums)
	all := strings.Join(b.sums, "")
	if err := b.tar.WriteHeader(&tar.Header{Name: manifest, Mode: 0o600, Size: int64(len(all)), Typeflag: tar.TypeReg}); err != nil {
		return b.Summary, err
	}
	_, err = io.WriteString(b.tar, all)
	return b.Summary, errors.Join(err, b.tar.Close(), zipped.Close(), target.Sync())
}

// backup is being written.
type backup struct {
	Summary
	ctx   context.Context
	tar   *tar.Writer
	sums  []string
	never []string
	seen  map[string]bool // names in the backup
}

// add adds a file, or a folder with all that is in it but some.
func (b *backup) add(from, name string, never []string) error {
	return filepath.WalkDir(from, func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := b.ctx.Err(); err != nil {
			return err
		}
		if slices.Contains(never, at) || b.leaves(at) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		rest, err := filepath.Rel(from, at)
		if err != nil {
			return err
		}
		return b.entry(at, path.Join(name, filepath.ToSlash(rest)), d)
	})
}

// leaves says whether a file is the backup itself.
func (b *backup) leaves(at string) bool {
	return slices.ContainsFunc(b.never, func(other string) bool {
		a, errA := os.Stat(at)
		o, errO := os.Stat(other)
		return errA == nil && errO == nil && os.SameFile(a, o)
	})
}

func (b *backup) entry(at, name string, d fs.DirEntry) error {
	if b.seen[name] || name == "." {
		return nil
	}
	b.seen[name] = true
	if b.Files++; b.Files > maxFiles {
		return fmt.Errorf("more than %d files, which is the most allowed", maxFiles)
	}
	info, err := d.Info()
	if err != nil {
		return err
	}
	target := ""
	if info.Mode()&fs.ModeSymlink != 0 {
		if target, err = os.Readlink(at); err != nil {
			return err
		}
	}
	header, err := tar.FileInfoHeader(info, target)
	if err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	header.Name, header.Uname, header.Gname, header.Uid, header.Gid = name, "", "", 0, 0
	switch header.Typeflag {
	case tar.TypeDir, tar.TypeSymlink:
		return b.tar.WriteHeader(header)
	case tar.TypeReg:
	default:
		b.Files--
		return nil // a socket or a pipe that somebody has left there holds nothing
	}
	f, err := os.Open(at)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := b.tar.WriteHeader(header); err != nil {
		return err
	}
	sum := sha256.New()
	n, err := io.CopyN(io.MultiWriter(b.tar, sum), f, header.Size)
	if err != nil {
		return fmt.Errorf("%s: it has changed while it was read: %d of %d bytes: %w", at, n, header.Size, err)
	}
	b.Bytes += n
	b.sums = append(b.sums, line(sum, name))
	return nil
}

func line(sum hash.Hash, name string) string {
	return hex.EncodeToString(sum.Sum(nil)) + "  " + name + "\n"
}

// Restore unpacks a backup into a folder that is not there, or empty. Nothing is there if a digest is not right.
func Restore(ctx context.Context, file, dir string) (s Summary, err error) {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return s, fmt.Errorf("%s is not empty; a backup is restored into a new folder", dir)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	source, err := os.Open(file)
	if err != nil {
		return s, err
	}
	defer source.Close()
	if err := os.MkdirAll(filepath.Dir(filepath.Clean(dir)), 0o777); err != nil {
		return s, err
	}
	temp, unlock, err := folder.Unfinished(filepath.Dir(filepath.Clean(dir)), ".restore-")
	if err != nil {
		return s, err
	}
	defer unlock()
	defer os.RemoveAll(temp)
	r := &restoring{ctx: ctx}
	if r.root, err = os.OpenRoot(temp); err != nil {
		return s, err
	}
	defer r.root.Close()
	if err := r.all(source); err != nil {
		return r.Summary, fmt.Errorf("%s: %w", file, err)
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r.Summary, err
	}
	return r.Summary, os.Rename(temp, dir)
}

type restoring struct {
	Summary
	ctx   context.Context
	root  *os.Root
	sums  []string
	links [][2]string
	found string // the manifest
}

func (r *restoring) all(source io.Reader) error {
	zipped, err := gzip.NewReader(bufio.NewReader(source))
	if err != nil {
		return fmt.Errorf("it is no backup: %w", err)
	}
	archive := tar.NewReader(zipped)
	for {
		h, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = r.ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("it is damaged, or no backup: %w", err)
		}
		if err := r.entry(h, archive); err != nil {
			return err
		}
	}
	if r.found == "" {
		return errors.New("it is cut off: its last file, " + manifest + ", is missing")
	}
	slices.Sort(r.sums)
	if strings.Join(r.sums, "") != r.found {
		return errors.New("it is damaged: what is in it does not have the digests in its " + manifest)
	}
	for _, l := range r.links { // last, so that nothing is written through one
		if err := r.root.Symlink(l[1], filepath.FromSlash(l[0])); err != nil {
			return err
		}
	}
	return nil
}

func (r *restoring) entry(h *tar.Header, content io.Reader) error {
	name := filepath.FromSlash(path.Clean(h.Name))
	if r.Files++; r.Files > maxFiles || len(h.Name) > maxName || !filepath.IsLocal(name) {
		return fmt.Errorf("it is no backup of this program: it has %s", text.Quote(h.Name, 100))
	}
	if h.Name == manifest {
		all, err := io.ReadAll(io.LimitReader(content, 1<<30))
		r.found = string(all)
		r.Files--
		return err
	}
	if err := r.root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	mode := fs.FileMode(h.Mode) & 0o777
	switch h.Typeflag {
	case tar.TypeDir:
		return r.root.MkdirAll(name, mode|0o700)
	case tar.TypeSymlink:
		r.links = append(r.links, [2]string{h.Name, h.Linkname})
		return nil
	case tar.TypeReg:
	default:
		return fmt.Errorf("it is no backup of this program: %s is neither a file, a folder nor a link", text.Quote(h.Name, 100))
	}
	f, err := r.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode|0o600)
	if err != nil {
		return err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, sum), content)
	r.Bytes += n
	r.sums = append(r.sums, line(sum, h.Name))
	return errors.Join(err, f.Sync(), f.Close())
}
