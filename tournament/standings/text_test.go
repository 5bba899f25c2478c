package standings

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"luzhanqi/tournament/rating"
)

var update = flag.Bool("update", false, "write testdata anew")

// sample is a double round robin of five with names that terminals find hard.
func sample(t testing.TB) *Table {
	names := []string{"hard", "中国军棋 engine", "a very long name of a program", "evil\x1b[31m\nname", "last"}
	tally := NewTally(names)
	for first := range names {
		for second := range names {
			if first == second {
				continue
			}
			result := rating.Win
			if (first+2*second)%5 == 1 {
				result = rating.Draw
			} else if first > second {
				result = rating.Loss
			}
			if err := tally.Add(Game{first, second, result, result != rating.Draw && max(first, second) == 4}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := tally.Add(Game{Second: 1}); err != nil {
		t.Fatal(err)
	}
	table, err := tally.Table(RoundRobin)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestText compares with testdata/standings.txt; -update writes it anew.
func TestText(t *testing.T) {
	table := sample(t)
	var b bytes.Buffer
	for _, width := range []int{0, 80, 60, 30} {
		fmt.Fprintf(&b, "width %d\n", width)
		if err := table.Text(&b, width); err != nil {
			t.Fatal(err)
		}
		b.WriteByte('\n')
		if err := table.CrossText(&b, width); err != nil {
			t.Fatal(err)
		}
		b.WriteByte('\n')
	}
	file := filepath.Join("testdata", "standings.txt")
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestTextFits: no line is wider than the terminal, and rows hold nothing that
// moves a cursor, whatever players are called.
func TestTextFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.String(), 2, 6).Draw(t, "names")
		width := rapid.IntRange(20, 120).Draw(t, "width")
		tally := NewTally(names)
		for i := range names[1:] {
			if err := tally.Add(Game{i, i + 1, rating.Win, i == 0}); err != nil {
				t.Fatal(err)
			}
		}
		table, err := tally.Table(RoundRobin)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := table.Text(&b, width); err != nil {
			t.Fatal(err)
		}
		rows, summary, found := strings.Cut(b.String(), "\n\n")
		for line := range strings.SplitSeq(summary, "\n") {
			if w := uniseg.StringWidth(line); w > width {
				t.Fatalf("%d wide, allowed are %d: %q", w, width, line)
			}
		}
		if lines := strings.Split(rows, "\n"); !found || len(lines) != len(names)+1 {
			t.Fatalf("%q", b.String())
		}
		for line := range strings.SplitSeq(rows, "\n") {
			if w := uniseg.StringWidth(line); w > width {
				t.Fatalf("%d wide, allowed are %d: %q", w, width, line)
			}
			if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x202e }) {
				t.Fatalf("%q", line)
			}
		}
	})
}
