package report

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write testdata anew")

// TestSameBytes: marks.json, grades.csv and class/results.json hold marks and their reasons only, as they have since the first version:
// whatever the run was, they are byte for byte those in testdata.
func TestSameBytes(t *testing.T) {
	for _, c := range loudAndQuiet(t) {
		dir := t.TempDir()
		if err := Write(filepath.Join(dir, "one"), c.course, c.student); err != nil {
			t.Fatal(err)
		}
		if err := WriteClass(filepath.Join(dir, "class"), c.course, []Student{c.student}, c.class); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"one/marks.json", "class/grades.csv", "class/results.json"} {
			got, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", "same", strings.ReplaceAll(file, "/", "-"))
			if *update {
				if err := WriteFile(golden, got); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("%s: %s, -want +got:\n%s", c.name, file, diff)
			}
		}
	}
}
