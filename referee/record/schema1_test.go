package record_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

// The records in testdata/schema1 were written by the program as it was at commit f665184, and are
// never written anew: people have records of schema 1, and whatever is changed in the referee or in a
// game must judge them as it was done then. A judge that finds nothing wrong would agree with all of
// them, so they are also damaged on purpose, and what is found then is compared as well.

var update = flag.Bool("update", false, "write testdata/schema1/*.txt anew; the records stay")

const (
	schema1Dir     = "testdata/schema1/"
	schema1Records = 198
)

// A schema1Record is one of the records, as it was written.
type schema1Record struct {
	name  string
	lines [][]byte // each with its newline, but for one that is torn
}

func (r schema1Record) read() (*record.Replay, error) {
	return record.Read(bytes.NewReader(bytes.Join(r.lines, nil)), games.Find)
}

func schema1(t *testing.T) (all []schema1Record) {
	t.Helper()
	files, err := filepath.Glob(schema1Dir + "*.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != schema1Records {
		t.Fatalf("%d records, want %d", len(files), schema1Records)
	}
	for _, file := range files {
		packed, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		unpacked, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		text, err := io.ReadAll(unpacked)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		r := schema1Record{name: strings.TrimSuffix(filepath.Base(file), ".jsonl.gz")}
		for line := range bytes.Lines(text) {
			r.lines = append(r.lines, line)
		}
		all = append(all, r)
	}
	return all
}

// compare holds a text against a file that was written when the records were.
func compare(t *testing.T, file, found string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(found), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(found, "\n")); diff != "" {
		t.Errorf("%s: old records are judged in another way:\n%s", file, diff)
	}
}

func digest(texts ...string) string {
	h := fnv.New32a()
	for _, text := range texts {
		fmt.Fprintf(h, "%s\n", text)
	}
	return fmt.Sprintf("%08x", h.Sum32())
}

// who says how a player talked: the protocol of a program, "level" or "person".
func who(p record.Player) string {
	switch {
	case p.Person:
		return "person"
	case p.Level != "":
		return "level"
	}
	return p.Protocol
}

func orNobody(s *game.Side) string {
	if s == nil {
		return "-"
	}
	return s.String()
}

// TestSchema1IsJudgedAsEver: every old record agrees with the rules, leads to the same positions, and
// ends as it did. A line of games.txt is the name of the record, the game, who played, the plies, the
// code, winner and fault, a digest of the drawings of all positions, and the reason.
func TestSchema1IsJudgedAsEver(t *testing.T) {
	t.Parallel()
	var found strings.Builder
	for _, old := range schema1(t) {
		r, err := old.read()
		if err != nil {
			t.Errorf("%s: %v", old.name, err)
			continue
		}
		for _, d := range r.Disagreements {
			t.Errorf("%s: %s", old.name, d)
		}
		var boards []string
		for _, p := range r.Positions {
			boards = append(boards, p.Draw(game.DrawStyle{}))
		}
		end := referee.Ending{Code: "torn"}
		if r.Ending != nil {
			end = *r.Ending
		}
		if r.Torn != (r.Ending == nil) {
			t.Errorf("%s: torn is %v", old.name, r.Torn)
		}
		fmt.Fprintf(&found, "%s: %s %s/%s %d %s %s %s %s %q\n", old.name, r.Header.Game, who(r.Header.Players[0]), who(r.Header.Players[1]),
			len(r.Moves), end.Code, orNobody(end.Winner), orNobody(end.Fault), digest(boards...), end.Reason)
	}
	compare(t, schema1Dir+"games.txt", found.String())
}

// TestSchema1Damaged: what is found wrong with every old record in which one line is missing, the middle
// one of each event, or in which the end names the other winner or another code. A line of damaged.txt
// has, for each damage, the number of disagreements, and a digest of their texts.
func TestSchema1Damaged(t *testing.T) {
	t.Parallel()
	var found strings.Builder
	for _, old := range schema1(t) {
		fmt.Fprintf(&found, "%s:", old.name)
		for _, d := range damages(t, old) {
			r, err := d.read()
			if err != nil {
				fmt.Fprintf(&found, " %s error %s", d.name, digest(err.Error()))
				continue
			}
			fmt.Fprintf(&found, " %s %d %s", d.name, len(r.Disagreements), digest(r.Disagreements...))
		}
		found.WriteByte('\n')
	}
	compare(t, schema1Dir+"damaged.txt", found.String())
}

// damages are damaged copies of a record, named by what was done to them.
func damages(t *testing.T, old schema1Record) (all []schema1Record) {
	t.Helper()
	places := map[string][]int{}
	for i, line := range old.lines[1:] {
		var l record.Line
		if err := json.Unmarshal(line, &l); err == nil {
			places[l.Event] = append(places[l.Event], i+1)
		}
	}
	for _, event := range slices.Sorted(maps.Keys(places)) {
		i := places[event][len(places[event])/2]
		all = append(all, schema1Record{"without-" + event, slices.Concat(old.lines[:i], old.lines[i+1:])})
	}
	if places["end"] == nil {
		return all
	}
	last := len(old.lines) - 1
	for _, d := range endDamages {
		lines := slices.Clone(old.lines)
		lines[last] = []byte(d.change.Replace(string(lines[last])))
		all = append(all, schema1Record{d.name, lines})
	}
	return all
}

var endDamages = []struct {
	name   string
	change *strings.Replacer
}{
	{"other-winner", strings.NewReplacer(`"winner":1`, `"winner":2`, `"winner":2`, `"winner":1`, `"winner":null`, `"winner":1`)},
	{"timeout", strings.NewReplacer(`"code":"`, `"code":"timeout","was":"`)},
	{"won", strings.NewReplacer(`"code":"`, `"code":"won","was":"`)},
}
