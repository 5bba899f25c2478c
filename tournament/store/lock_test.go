package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// listing is what lies in a directory, and when it was written.
func listing(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(e.Name() + " " + info.ModTime().String() + "\n")
	}
	return all.String()
}

// However many ask who holds the lock, it can be taken; and asking writes nothing.
func TestAskingForTheHolder(t *testing.T) {
	dir := t.TempDir()
	if pid, err := Holder(dir); pid != 0 || err != nil || listing(t, dir) != "" {
		t.Errorf("in an empty directory: %d, %v, %s", pid, err, listing(t, dir))
	}
	held, err := Lock(dir, "counts")
	if err != nil {
		t.Fatal(err)
	}
	if pid, err := Holder(dir); pid != os.Getpid() || err != nil {
		t.Errorf("while it is held: %d, %v", pid, err)
	}
	_, err = Lock(dir, "counts")
	if !errors.Is(err, ErrRunning) || !strings.Contains(err.Error(), "counts in "+dir) {
		t.Errorf("taken twice: %v", err)
	}
	held.Unlock()
	before := listing(t, dir)
	end := make(chan struct{})
	var askers sync.WaitGroup
	for range 4 {
		askers.Go(func() {
			for {
				select {
				case <-end:
					return
				default:
				}
				if _, err := Holder(dir); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	time.Sleep(20 * time.Millisecond)
	if after := listing(t, dir); after != before {
		t.Errorf("before asking\n%s\nafter\n%s", before, after)
	}
	for range 50 {
		held, err := Lock(dir, "counts")
		if err != nil {
			t.Error(err)
			break
		}
		held.Unlock()
	}
	close(end)
	askers.Wait()
}

// Deleting what the lock guards lets nobody hold it besides another.
func TestOneHolderWhileOthersDelete(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	var holders atomic.Int32
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for taken := 0; taken < 100; {
				held, err := Lock(dir, "counts")
				if errors.Is(err, ErrRunning) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				taken++
				if n := holders.Add(1); n != 1 {
					t.Errorf("%d hold the lock", n)
				}
				time.Sleep(50 * time.Microsecond)
				holders.Add(-1)
				if i%2 == 0 {
					err = held.Delete()
				} else {
					err = held.Unlock()
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}
