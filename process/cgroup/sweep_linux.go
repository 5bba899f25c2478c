package cgroup

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// sweepPatience bounds the wait for what a killed process has left in each group.
const sweepPatience = 2 * time.Second

// Sweep removes the groups of processes like this one that are dead, and kills what is left in them. Those of live ones
// are locked.
func (t *Tree) Sweep() error {
	all, err := os.ReadDir(t.path)
	if err != nil {
		return err
	}
	for _, e := range all {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), groupPrefix) {
			continue
		}
		path := filepath.Join(t.path, e.Name())
		dir, lockErr := lock(path)
		if lockErr != nil {
			continue // somebody's, or gone meanwhile
		}
		err = errors.Join(err, t.remove(path, sweepPatience))
		dir.Close()
	}
	return err
}
