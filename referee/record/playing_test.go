//go:build unix

package record

import (
	"os"
	"testing"
)

// As long as one of several matches is recorded into a folder, it is played there; nothing of that is left.
func TestPlayed(t *testing.T) {
	dir := t.TempDir()
	f, err := NewFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if Played(dir) {
		t.Error("nobody plays")
	}
	one, err := f.Play()
	if err != nil {
		t.Fatal(err)
	}
	other, err := f.Play()
	if err != nil || !Played(dir) {
		t.Fatalf("two play, %v", err)
	}
	one()
	if !Played(dir) {
		t.Error("one plays on")
	}
	other()
	if Played(dir) {
		t.Error("all have ended")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("%v are left, %v", entries, err)
	}
}
