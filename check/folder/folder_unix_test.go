//go:build unix

package folder

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestFolderOfKilledCheck guards that a check removes what one that was killed has left, and nothing of one that runs, of
// others, or behind a link.
func TestFolderOfKilledCheck(t *testing.T) {
	temporary, elsewhere := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	running, remove, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	killed, young, link := filepath.Join(temporary, pattern+"killed"), filepath.Join(temporary, pattern+"young"), filepath.Join(temporary, pattern+"link")
	for _, dir := range []string{killed, young} {
		if err := os.MkdirAll(filepath.Join(dir, "probe"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	for _, dir := range []string{killed, running, elsewhere} {
		if err := os.Chtimes(dir, old, old); err != nil {
			t.Fatal(err)
		}
	}
	_, removeSecond, err := New()
	if err != nil {
		t.Fatal(err)
	}
	defer removeSecond()
	for path, want := range map[string]bool{killed: false, running: true, young: true, link: true, elsewhere: true} {
		if _, err := os.Lstat(path); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %v", path, err, want)
		}
	}
}
