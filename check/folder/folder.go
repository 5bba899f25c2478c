// Package folder makes the folders that a check needs for its probes, and removes those of checks that were killed.
package folder

import (
	"fmt"
	"os"
	"path/filepath"
)

// pattern begins the names of folders for probes.
const pattern = "luzhanqi-check-"

// New makes a folder for the probes of a check. Those of checks that were killed are removed: a folder is locked as long as
// its check runs, where the system has such locks.
func New() (path string, remove func(), err error) {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), pattern+"*"))
	for _, path := range left {
		if unlock, ok := lockLeft(path); ok {
			os.RemoveAll(path)
			unlock()
		}
	}
	path, err = os.MkdirTemp("", pattern)
	if err != nil {
		return "", nil, fmt.Errorf("make a folder for the probes: %w", err)
	}
	unlock := lock(path)
	return path, func() { os.RemoveAll(path); unlock() }, nil
}
