package check

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"luzhanqi/process"
)

// TestDetachedChain guards that what respawns is not overlooked: a chain of processes in which each starts the next
// one and ends at once, so that hardly one lives as long as the table of processes takes to read.
func TestDetachedChain(t *testing.T) {
	chain := filepath.Join(t.TempDir(), "chain")
	if err := os.WriteFile(chain, []byte("(/bin/sh $0 &)\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var supervisor process.Family
	p, err := process.Start(process.Command{
		Args: []string{"/bin/sh", "-c", "(/bin/sh $0 &) ; sleep 60", chain},
		Env:  []string{"PATH=/usr/bin:/bin"},

		Started: func(f process.Family) { supervisor = f },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop(0)
	for end := time.Now().Add(10 * time.Second); len(detached(supervisor)) == 0; {
		if time.Now().After(end) {
			t.Fatal("the chain has not begun")
		}
	}
	readings := 25 // beside a chain that takes a whole processor
	if nightly() {
		readings = 100
	}
	for i := range readings {
		if len(detached(supervisor)) == 0 {
			t.Fatalf("reading %d finds nothing apart", i+1)
		}
	}
}
