package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// promised is a file that is there whole or not at all. It is opened before the work that fills it, so
// that hours do not end in "permission denied".
type promised struct {
	*os.File
	path string
}

// promise begins a file; no path: none.
func promise(path string) (*promised, error) {
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
	return &promised{f, path}, nil
}

func (p *promised) keep() error {
	if err := errors.Join(p.Chmod(0o644), p.Close()); err != nil {
		return err
	}
	return os.Rename(p.Name(), p.path)
}

// abandon removes what was not kept.
func (p *promised) abandon() {
	if p != nil {
		p.Close()
		os.Remove(p.Name())
	}
}
