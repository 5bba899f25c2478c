// Package archive unpacks what strangers hand in: a folder, or a .zip, .tar, .tar.gz or .tgz file.
//
// [Unpack] is the entry point. A [*Refusal] says what is wrong with the submission, in words for whoever
// made it; any other error is about this machine. Refused are archives that are larger when unpacked than
// allowed (in bytes, in files, or for their own size), paths that leave the folder or are no portable
// names, names that occur twice or differ only in case, links that lead out or nowhere, devices and the
// like, and encrypted or damaged archives. What is written is counted as it is written; nothing that an
// archive says of itself is believed.
package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"luzhanqi/text"
)

// Limits bound what is unpacked.
type Limits struct {
	Bytes int64 // of all files together, and of the archive itself
	Files int   // files, folders and links
	Ratio int64 // unpacked bytes for each byte of the archive, where it unpacks to more than 1 MiB
}

// Usual are the limits if nothing else is said. The highest ratio that DEFLATE can reach is about 1,030,
// and source code rarely exceeds 20.
var Usual = Limits{Bytes: 64 << 20, Files: 2000, Ratio: 100}

const (
	maxDepth    = 32
	maxPath     = 1000 // bytes
	maxName     = 200  // bytes of each part of a path
	maxTarget   = 1000 // bytes that a link leads to
	ratioBegins = 1 << 20
)

// Refusal is why a submission is not unpacked.
type Refusal struct {
	Entry  string // the path in it, as it was found; empty: it concerns the whole
	Reason string
}

// Error names the entry, quoted, and the reason.
func (r *Refusal) Error() string {
	if r.Entry == "" {
		return r.Reason
	}
	return fmt.Sprintf("%q %s", text.Shorten(r.Entry, 100), r.Reason)
}

func refuse(entry, format string, args ...any) error {
	return &Refusal{entry, fmt.Sprintf(format, args...)}
}

// kinds are the archives, by the end of their names.
var kinds = []struct {
	ending string
	unpack func(ctx context.Context, file *os.File, size int64, s *sink) error
}{
	{".zip", unpackZip},
	{".tar", unpackTar},
	{".tar.gz", unpackGzip},
	{".tgz", unpackGzip},
}

// Name is the name of a file without the ending of an archive; ok: it has one.
func Name(file string) (name string, ok bool) {
	for _, k := range kinds {
		if n := len(file) - len(k.ending); n > 0 && strings.EqualFold(file[n:], k.ending) {
			return file[:n], true
		}
	}
	return file, false
}

// Unpack copies a folder or unpacks an archive into target, an empty directory that exists. After an error
// target holds part of it.
func Unpack(ctx context.Context, source, target string, limits Limits) error {
	info, err := os.Stat(source)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(target)
	if err != nil {
		return err
	}
	defer root.Close()
	s := &sink{root: root, limits: limits, seen: map[string]string{}}
	switch {
	case info.IsDir():
		err = copyFolder(ctx, source, s)
	case !info.Mode().IsRegular():
		return refuse("", "the submission is neither a folder nor a file")
	default:
		err = unpackFile(ctx, source, info.Size(), s)
	}
	if err != nil {
		return err
	}
	return s.makeLinks()
}

func unpackFile(ctx context.Context, source string, size int64, s *sink) error {
	if size > s.limits.Bytes {
		return refuse("", "the archive has %d bytes; allowed are %v", size, text.Bytes(s.limits.Bytes))
	}
	file, err := os.Open(source)
	if err != nil {
		return err
	}
	defer file.Close()
	s.packed = size
	for _, k := range kinds {
		if strings.HasSuffix(strings.ToLower(filepath.Base(source)), k.ending) {
			return k.unpack(ctx, file, size, s)
		}
	}
	return refuse("", "the submission is no archive that can be unpacked; allowed are folders, .zip, .tar, .tar.gz and .tgz")
}

// fault tells the archive's faults from the machine's: what is read comes from the archive, what cannot be
// written is the disk.
func fault(entry string, err error) error {
	var system syscall.Errno // an error without one comes from nonsense in the archive
	var refusal *Refusal
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refusal), errors.As(err, &system), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return refuse(entry, "is cut off: the archive ends too early")
	}
	return refuse(entry, "cannot be read: %v", err)
}
