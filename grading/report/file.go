package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// unfinished begins the names of files that are being written.
const unfinished = ".new-"

// RemoveUnfinished removes what WriteFile has left below dir, but for one folder, when it was killed. Nobody may be writing there.
func RemoveUnfinished(dir, except string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == except:
			return filepath.SkipDir
		case entry.Type().IsRegular() && strings.HasPrefix(entry.Name(), unfinished):
			return os.Remove(path)
		}
		return nil
	})
}

// WriteFile puts a file in its place as a whole or not at all, however this process ends: when it returns,
// the file is on the disk. Folders are made.
func WriteFile(path string, text []byte) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	temp, err := os.CreateTemp(folder, unfinished+"*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	_, err = temp.Write(text)
	if err = errors.Join(err, temp.Sync(), temp.Close(), os.Chmod(temp.Name(), 0o644)); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", path, err), os.Remove(temp.Name()))
	}
	return syncFolder(folder)
}

// syncFolder makes a rename last.
func syncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil // where folders cannot be synchronized
	}
	dir, err := os.Open(folder)
	if err != nil {
		return err
	}
	err = dir.Sync()
	return errors.Join(err, dir.Close())
}

// Indented writes JSON for people to read.
func Indented(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}
