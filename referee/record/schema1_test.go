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
// game must verify them as it was done then. A verifier that finds nothing wrong would agree with all of
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
		t.Errorf("%s: old records are verified in another way:\n%s", file, diff)
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

// TestSchema1VerifiesAsEver: every old record agrees with the rules, leads to the same positions, and
// ends as it did. A line of games.txt is the name of the record, the game, how the players talked, the plies, the
// code, winner and fault, a digest of the drawings of all positions with two digits for each, and the reason. Where
// positions differ, the first that does is drawn.
func TestSchema1VerifiesAsEver(t *testing.T) {
	t.Parallel()
	pinned := linesByName(t, schema1Dir+"games.txt")
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
		line := fmt.Sprintf("%s: %s %s/%s %d %s %s %s %s %q\n", old.name, r.Header.Game, who(r.Header.Players[0]), who(r.Header.Players[1]),
			len(r.Moves), end.Code, orNobody(end.Winner), orNobody(end.Fault), digestAll(boards), end.Reason)
		found.WriteString(line)
		if ply, ok := firstDifference(pinned[old.name], line); ok && ply < len(boards) {
			move := "the initial position"
			if ply > 0 {
				move = fmt.Sprintf("after ply %d, %s", ply, r.Moves[ply-1].Move)
			}
			t.Errorf("%s: %s, the board is another than it was:\n%s", old.name, move, boards[ply])
		}
	}
	compare(t, schema1Dir+"games.txt", found.String())
}

// linesByName reads a file of lines "NAME: …".
func linesByName(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, _, _ := strings.Cut(line, ":")
		all[name] = line
	}
	return all
}

// digestAll is a digest of all drawings, then two digits of that of each.
func digestAll(boards []string) string {
	all := digest(boards...) + "-"
	for _, board := range boards {
		all += digest(board)[6:]
	}
	return all
}

// firstDifference returns the first ply after which two lines of games.txt have different drawings.
func firstDifference(line, other string) (ply int, ok bool) {
	const place = 7 // of digestAll
	a, b := strings.Fields(line), strings.Fields(other)
	if len(a) <= place || len(b) <= place {
		return 0, false
	}
	_, each, _ := strings.Cut(a[place], "-")
	_, others, _ := strings.Cut(b[place], "-")
	for 2*ply < min(len(each), len(others)) && each[2*ply:2*ply+2] == others[2*ply:2*ply+2] {
		ply++
	}
	return ply, a[place] != b[place]
}

// TestFirstDifference: a pinned position that changes is found at its ply.
func TestFirstDifference(t *testing.T) {
	line := func(boards ...string) string { return "name: game a/b 2 won 1 - " + digestAll(boards) + ` "reason"` }
	if ply, ok := firstDifference(line("x", "y", "z"), line("x", "Y", "z")); ply != 1 || !ok {
		t.Errorf("ply %d, %v; want ply 1", ply, ok)
	}
	if _, ok := firstDifference(line("x", "y"), line("x", "y")); ok {
		t.Error("a difference between two equal lines")
	}
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
