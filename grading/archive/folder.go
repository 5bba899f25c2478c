package archive

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
)

// copyFolder copies a folder by the rules for archives. It follows no link.
func copyFolder(ctx context.Context, source string, s *sink) error {
	from, err := os.OpenRoot(source)
	if err != nil {
		return err
	}
	defer from.Close()
	return s.copyBelow(ctx, from, ".")
}

func (s *sink) copyBelow(ctx context.Context, from *os.Root, at string) error {
	names, err := list(from, at, s.limits.Files)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		entry := path.Join(at, name)
		clean, err := admit(entry)
		if err != nil {
			return err
		}
		if ignored(clean) {
			continue
		}
		if err := s.copyEntry(ctx, from, clean); err != nil {
			return err
		}
	}
	return nil
}

func (s *sink) copyEntry(ctx context.Context, from *os.Root, clean string) error {
	info, err := from.Lstat(clean)
	if err != nil {
		return err
	}
	switch mode := info.Mode(); {
	case mode.IsDir():
		if err := s.folder(clean, clean); err != nil {
			return err
		}
		return s.copyBelow(ctx, from, clean)
	case mode.Type() == fs.ModeSymlink:
		target, err := from.Readlink(clean)
		if err != nil {
			return err
		}
		return s.link(clean, clean, target)
	case !mode.IsRegular():
		return special(clean)
	}
	content, err := from.Open(clean)
	if errors.Is(err, fs.ErrPermission) {
		return refuse(clean, "may not be read")
	}
	if err != nil {
		return err
	}
	defer content.Close()
	return s.file(clean, clean, info.Mode()&0o111 != 0, content)
}

// list is the names in a folder, sorted; more than so many are an error.
func list(from *os.Root, at string, limit int) ([]string, error) {
	dir, err := from.Open(at)
	if errors.Is(err, fs.ErrPermission) {
		return nil, refuse(at, "may not be read")
	}
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(limit + 1)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if len(names) > limit {
		return nil, refuse("", "it holds more than %d files and folders, which is the most allowed", limit)
	}
	slices.Sort(names)
	return names, nil
}
