package course

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHanding: what is wrong with dates, rosters and corrections is told with its place.
func TestHanding(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "roster.csv"), []byte("id,extension\n1,2d\n2,later\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	parse := func(text string) (*Course, error) { return Parse(filepath.Join(dir, "c.toml"), []byte(text)) }
	for _, test := range []struct{ text, want string }{
		{"[late]\npenalty = 5\n", "late: due is missing"},
		{"[late]\ndue = \"tomorrow\"\n", `late.due: found "tomorrow"; allowed is a time with its zone`},
		{"[late]\ndue = \"2026-11-20T23:59:00Z\"\npenalty = 101\n", "late.penalty: found 101"},
		{"[attempts]\n", "attempts: count is missing"},
		{"[attempts]\ncount = \"first\"\n", "allowed are best, last"},
		{"[[correction]]\nsubmission = \"a\"\nitem = 4\npoints = 1\nreason = \"r\"\n", "item: found 4; the rubric has 3 items"},
		{"[[correction]]\nsubmission = \"a\"\nitem = 1\npoints = 11\nreason = \"r\"\n", "points: found 11; item 1 has 10 at most"},
		{"[[correction]]\nsubmission = \"a\"\nitem = 1\npoints = 1\n", "reason is missing"},
		{"[[correction]]\nsubmission = \"a\"\nitem = 1\nreason = \"r\"\n", "give points, what the mark is to be, or add"},
		{"[[correction]]\nsubmission = \"a\"\npoints = 1.001\nreason = \"r\"\n", "two decimals"},
		{"[[correction]]\nsubmission = \"a\"\npoints = 1\nreason = \"r\"\n[[correction]]\nsubmission = \"a\"\npoints = 2\nreason = \"r\"\n", "two corrections of this mark"},
	} {
		if _, err := parse(small + test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %q", test.text, err, test.want)
		}
	}
	if _, err := parse("roster = \"roster.csv\"\n" + small); err == nil || !strings.Contains(err.Error(), `roster.csv:3: extension: found "later"`) {
		t.Errorf("of a wrong roster: %v", err)
	}
	if _, err := parse("roster = \"none.csv\"\n" + small); err == nil || !strings.Contains(err.Error(), "c.toml:1:1: roster: open ") {
		t.Errorf("of no roster: %v", err)
	}
	c, err := parse("curve = [{ score = 0, marks = 0.1 }, { score = 1, marks = 1 }]\n" + small + "[late]\ndue = \"2026-11-20T23:59:00+01:00\"\n[attempts]\ncount = \"last\"\n")
	if err != nil || !c.Curved || c.Overall.At(0) != 0.1 || c.Late.Penalty != 10 || c.Attempts != LastAttempt || c.Zone.String() == "UTC" {
		t.Errorf("%+v, %v", c, err)
	}
}
