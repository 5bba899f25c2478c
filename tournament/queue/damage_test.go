package queue

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"luzhanqi/referee"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

// fill makes the files of a queue that holds jobs and a result.
func fill(t *testing.T, dir string) {
	t.Helper()
	c, err := Embed(t.Context(), dir, "", "", "damaged", func(text string) { t.Log(text) })
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	q := c.Queue("damaged", 1)
	for _, id := range []string{"r01-p001-g1", "r01-p001-g2"} {
		if err := q.Offer(t.Context(), &Job{Schema: store.Schema, Place: schedule.Place{ID: id}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.deliver(t.Context(), &store.Result{Schema: store.Schema, Place: schedule.Place{ID: "r01-p002-g1"}, Attempt: 1, Ending: &referee.Ending{Code: referee.Drawn}}); err != nil {
		t.Fatal(err)
	}
}

// Whatever is in one of its files, the embedded queue works: what the server itself does not get over is set aside.
func TestDamagedFiles(t *testing.T) {
	whole := t.TempDir()
	fill(t, whole)
	damages := map[string]func(path string) error{
		"garbage": func(path string) error { return os.WriteFile(path, []byte("this is no queue\n"), 0o666) },
		"empty":   func(path string) error { return os.Truncate(path, 0) },
		"folder": func(path string) error {
			os.Remove(path)
			return os.MkdirAll(filepath.Join(path, "in", "the", "way"), 0o777)
		},
	}
	aside := 0
	err := filepath.WalkDir(whole, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		file, err := filepath.Rel(whole, path)
		for how, damage := range damages {
			t.Run(file+" "+how, func(t *testing.T) {
				dir := t.TempDir()
				if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
					t.Fatal(err)
				}
				if err := damage(filepath.Join(dir, file)); err != nil {
					t.Fatal(err)
				}
				fill(t, dir)
				if _, err := os.Stat(filepath.Join(dir, Damaged)); err == nil {
					aside++
				}
				c, err := Embed(t.Context(), dir, "", "", "damaged", func(text string) { t.Error(text) })
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				q := c.Queue("damaged", 1)
				if err := q.Ensure(t.Context()); err != nil {
					t.Fatal(err)
				}
				desk := desk(t, q)
				for range 2 {
					if taken, err := desk.Next(t.Context(), 5*time.Second); err != nil || taken == nil {
						t.Errorf("no job: %v", err)
					}
				}
			})
		}
		return err
	})
	if err != nil || aside == 0 {
		t.Errorf("nothing was set aside; %v", err)
	}
}

// A link in the queue's folder, or in its place, is not followed.
func TestLinksInTheQueue(t *testing.T) {
	whole := t.TempDir()
	fill(t, whole)
	for _, path := range []string{Folder, Folder + "/jetstream", Folder + "/jetstream/$G/streams/LUZHANQI_damaged_JOBS/msgs/1.blk", Folder + "/jetstream/new"} {
		t.Run(path, func(t *testing.T) {
			dir, elsewhere := t.TempDir(), t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			precious := filepath.Join(elsewhere, "precious")
			if err := os.WriteFile(precious, []byte("precious"), 0o666); err != nil {
				t.Fatal(err)
			}
			to := elsewhere
			if filepath.Ext(path) == ".blk" {
				to = precious
			}
			link := filepath.Join(dir, filepath.FromSlash(path))
			if err := os.RemoveAll(link); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(to, link); err != nil {
				t.Skip(err)
			}
			fill(t, dir)
			text, err := os.ReadFile(precious)
			if entries, _ := os.ReadDir(elsewhere); string(text) != "precious" || err != nil || len(entries) != 1 {
				t.Errorf("elsewhere are %q, %v, and %v", text, err, entries)
			}
		})
	}
}
