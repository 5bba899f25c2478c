package sandbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxSiblings bounds what allBut lists, and with it what each start costs: a rule takes about 2 µs.
const maxSiblings = 10000

// allBut lists all below / that is neither a hidden path, nor below one, nor above one: what a program may read on
// a machine without namespaces, where nothing can be laid over the hidden paths. Landlock knows only what is
// allowed. Links are not listed: what they lead to is listed where it is.
//
// Folders above a hidden path can themselves be neither listed nor read, and what is made in them later cannot be
// reached. A hidden path need not exist; if it is a link, the link is harmless and what it leads to is hidden.
func allBut(hidden []string) (readOnly []string, err error) {
	real := make([]string, len(hidden))
	for i, path := range hidden {
		if real[i], err = realPath(path); err != nil {
			return nil, fmt.Errorf("finding what %s leads to, to hide it: %w", path, err)
		}
	}
	return besides(nil, "/", real, maxSiblings)
}

// besides adds to list, up to max in all, what is below the folder dir and not hidden.
func besides(list []string, dir string, hidden []string, max int) ([]string, error) {
	if slices.Contains(hidden, dir) {
		return list, nil
	}
	// A folder that cannot be read is one in which nothing can be allowed.
	entries, err := readSome(dir, max-len(list))
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		within := path + "/"
		above := func(h string) bool { return h == path || strings.HasPrefix(h, within) }
		switch {
		case entry.Type()&fs.ModeSymlink != 0:
		case !slices.ContainsFunc(hidden, above):
			list = append(list, path)
		case entry.IsDir():
			if list, err = besides(list, path, hidden, max); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// readSome reads a folder of at most max entries.
func readSome(dir string, max int) ([]fs.DirEntry, error) {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing what is beside a hidden path: %w", err)
	}
	defer f.Close()
	entries, err := f.ReadDir(max + 1)
	if len(entries) > max {
		return nil, fmt.Errorf("allowing all but what is hidden: %s has more than %d entries beside it; "+
			"move what is to be hidden into a folder of its own", dir, max)
	}
	if err != nil && len(entries) == 0 && err != io.EOF {
		return nil, fmt.Errorf("listing what is beside a hidden path: %w", err)
	}
	return entries, nil
}

// realPath follows the links of the part of a path that exists and that this process can reach.
func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rest := ""
	for {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
			return "", err
		}
		path, rest = filepath.Dir(path), filepath.Join(filepath.Base(path), rest)
	}
}
