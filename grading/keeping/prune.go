package keeping

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Removed is something that is too old.
type Removed struct {
	Path  string // below the results
	Bytes int64
}

// Prune removes from results what was found out before a time and is not marks: records, boards, what the stages found, and
// what was built. Marks, pages and the tables of the class stay. dry: nothing is removed, only listed.
func Prune(out string, before time.Time, dry bool) (all []Removed, err error) {
	entries, err := os.ReadDir(filepath.Join(out, "work", "state"))
	if err != nil {
		return nil, fmt.Errorf("the results in %s: %w", out, err)
	}
	for _, e := range entries {
		name := e.Name()
		info, err := os.Stat(filepath.Join(out, "work", "state", name, "state.json"))
		if !e.IsDir() || err != nil || !info.ModTime().Before(before) {
			continue
		}
		paths := []string{filepath.Join("work", "state", name)}
		if !strings.HasPrefix(name, ".") { // which is the class tournament
			paths = append(paths, filepath.Join("work", "trees", name), filepath.Join(name, "records"), filepath.Join(name, "games"))
		}
		for _, path := range paths {
			bytes, err := size(filepath.Join(out, path))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return all, err
			}
			if !dry {
				if err := os.RemoveAll(filepath.Join(out, path)); err != nil {
					return all, err
				}
			}
			all = append(all, Removed{path, bytes})
		}
	}
	return all, nil
}

func size(dir string) (bytes int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return bytes, err
}
