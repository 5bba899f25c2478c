// Package wholefile writes files that are there whole or not at all.
package wholefile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// File is opened before the work that fills it, so that hours do not end in "permission denied".
type File struct {
	*os.File
	path string
}

// Begin begins a file; no path: none.
func Begin(path string) (*File, error) {
	if path == "" {
		return nil, nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".luzhanqi-*")
	if err != nil {
		return nil, err
	}
	return &File{f, path}, nil
}

// Keep puts the file where it was promised, in the place of what was there.
func (f *File) Keep() error {
	if err := errors.Join(f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), f.path)
}

// Abandon removes what was not kept; after Keep it does nothing.
func (f *File) Abandon() {
	if f != nil {
		f.Close()
		os.Remove(f.Name())
	}
}
