package archive

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
)

func unpackZip(ctx context.Context, file *os.File, size int64, s *sink) error {
	r, err := zip.NewReader(file, size)
	if err != nil && !(errors.Is(err, zip.ErrInsecurePath) && r != nil) {
		if errors.Is(err, zip.ErrFormat) {
			return refuse("", "the file is no ZIP archive, or it is damaged")
		}
		return fault("", err)
	}
	if len(r.File) > s.limits.Files {
		return refuse("", "it holds %d files and folders; allowed are %d", len(r.File), s.limits.Files)
	}
	for _, f := range r.File {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.zipped(f); err != nil {
			return err
		}
	}
	return nil
}

// encrypted is the flag of an entry that needs a password.
const encrypted = 1

func (s *sink) zipped(f *zip.File) error {
	clean, err := admit(f.Name)
	if err != nil || ignored(clean) {
		return err
	}
	if f.Flags&encrypted != 0 {
		return refuse(f.Name, "is encrypted; hand in an archive without a password")
	}
	mode := f.Mode()
	switch {
	case mode.IsDir() || strings.HasSuffix(f.Name, "/"):
		return s.folder(f.Name, clean)
	case mode&^(fs.ModePerm|fs.ModeSymlink|fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky) != 0:
		return special(f.Name)
	}
	content, err := f.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		return refuse(f.Name, "is compressed by method %d, which is not known here; allowed are stored and deflated", f.Method)
	}
	if err != nil {
		return fault(f.Name, err)
	}
	defer content.Close()
	if mode&fs.ModeSymlink == 0 {
		return s.file(f.Name, clean, mode&0o111 != 0, content)
	}
	target, err := io.ReadAll(io.LimitReader(content, maxTarget+1))
	if err != nil {
		return fault(f.Name, err)
	}
	return s.link(f.Name, clean, string(target))
}

func special(entry string) error {
	return refuse(entry, "is a device, a pipe or the like; allowed are files, folders and symbolic links")
}

func unpackGzip(ctx context.Context, file *os.File, _ int64, s *sink) error {
	r, err := gzip.NewReader(file)
	if err != nil {
		return refuse("", "the file is not compressed by gzip, as its name says, or it is damaged")
	}
	defer r.Close()
	return s.tarred(ctx, r)
}

func unpackTar(ctx context.Context, file *os.File, _ int64, s *sink) error {
	return s.tarred(ctx, file)
}

func (s *sink) tarred(ctx context.Context, content io.Reader) error {
	// What is passed over is bounded, too: padding costs nothing in an archive.
	r := tar.NewReader(&bounded{content, 2*s.limits.Bytes + 4096*int64(s.limits.Files)})
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if errors.Is(err, tar.ErrHeader) {
			return refuse("", "the file is no tar archive, or it is damaged")
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return fault("", err)
		}
		if err := s.entry(h, r); err != nil {
			return err
		}
	}
}

func (s *sink) entry(h *tar.Header, content io.Reader) error {
	if h.Typeflag == tar.TypeXGlobalHeader {
		return nil
	}
	clean, err := admit(h.Name)
	if err != nil || ignored(clean) {
		return err
	}
	switch h.Typeflag {
	case tar.TypeDir:
		return s.folder(h.Name, clean)
	case tar.TypeReg, tar.TypeGNUSparse:
		return s.file(h.Name, clean, h.Mode&0o111 != 0, content)
	case tar.TypeSymlink:
		return s.link(h.Name, clean, h.Linkname)
	case tar.TypeLink:
		return refuse(h.Name, "is a hard link; allowed are files, folders and symbolic links")
	}
	return special(h.Name)
}

// bounded reads no more than is allowed.
type bounded struct {
	from io.Reader
	rest int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.rest <= 0 {
		return 0, refuse("", "the archive is longer than all that it may hold")
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.rest)])
	b.rest -= int64(n)
	return n, err
}
