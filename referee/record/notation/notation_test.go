package notation_test

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"luzhanqi/game/games"
	"luzhanqi/referee/record"
	"luzhanqi/referee/record/notation"
)

// old are the records of schema 1: all games, dialects and endings.
func old(t testing.TB) map[string]*record.Replay {
	t.Helper()
	files, err := filepath.Glob("../testdata/schema1/*.jsonl.gz")
	if err != nil || len(files) < 190 {
		t.Fatalf("%d records: %v", len(files), err)
	}
	all := map[string]*record.Replay{}
	for _, file := range files {
		packed, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		unpacked, err := gzip.NewReader(packed)
		if err != nil {
			t.Fatal(err)
		}
		r, err := record.Read(unpacked, games.Find)
		packed.Close()
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".jsonl.gz")] = r
	}
	return all
}

// TestRoundTrip: what is written of a record, in text or JSON Lines, is read back to a record that the rules agree with, and that
// is written just so again.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for name, r := range old(t) {
		for _, o := range []notation.Options{{}, {Times: true, Comments: true}} {
			g, err := notation.Of(r, o)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, format := range []notation.Format{notation.Text, notation.JSONLines} {
				var written bytes.Buffer
				w := notation.NewWriter(&written, format)
				if err := w.Write(g); err != nil {
					t.Fatal(err)
				}
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
				read, err := notation.NewReader(bytes.NewReader(written.Bytes())).Next()
				if err != nil {
					t.Errorf("%s: %v\n%s", name, err, written.Bytes())
					continue
				}
				if diff := cmp.Diff(g, read); diff != "" {
					t.Errorf("%s as %s:\n%s", name, format, diff)
				}
				if format != notation.Text || !o.Times {
					continue // the games are the same, as was just seen
				}
				var made bytes.Buffer
				if err := read.Record(&made, games.Find); err != nil {
					t.Errorf("%s: %v\n%s", name, err, written.Bytes())
					continue
				}
				again, err := record.Read(&made, games.Find)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				same, err := notation.Of(again, o)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if diff := cmp.Diff(g, same); diff != "" || len(again.Positions) != len(r.Positions) {
					t.Errorf("%s as %s, read back:\n%s", name, format, diff)
				}
			}
		}
	}
}

// TestTable: each game is a row that has as many fields as the head.
func TestTable(t *testing.T) {
	t.Parallel()
	var written bytes.Buffer
	w := notation.NewWriter(&written, notation.CSV)
	n := 0
	for name, r := range old(t) {
		g, err := notation.Of(r, notation.Options{Times: true, Comments: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := w.Write(g); err != nil {
			t.Fatal(err)
		}
		n++
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&written).ReadAll()
	if err != nil || len(rows) != n+1 {
		t.Errorf("%d rows of %d games: %v", len(rows), n, err)
	}
}

// TestByHand: what a person may leave out is found by the rules.
func TestByHand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want, wrong string }{
		{name: "torn", text: "[Game \"gastank\"]\n\n1. D1G4 *", want: ""},
		{name: "resigned", text: "[Game \"gastank\"]\n[Ending \"resigned\"]\n1. D1G4 1-0", want: "resigned"},
		{name: "no reason", text: "[Game \"gastank\"]\n1. D1G4 1-0", wrong: "by the rules the game goes on"},
		{name: "illegal", text: "[Game \"gastank\"]\n1. A3F7 *", wrong: "move 1"},
		{name: "no game", text: "[Seed 1]\n*", wrong: "tag Game"},
		{name: "unknown game", text: "[Game \"go\"]\n*", wrong: "go"},
		{name: "contradiction", text: "[Game \"gastank\"]\n[Result \"1-0\"]\n0-1", wrong: "the tag says"},
		{name: "draw by nobody", text: "[Game \"gastank\"]\n[Ending \"drawn\"]\n1/2-1/2", wrong: "not over by its rules"},
		{name: "unknown tag", text: "[Event \"x\"]\n*", wrong: "allowed are Source, Game"},
		{name: "breaks off", text: "[Game \"gastank\"]\n1. D1G4", wrong: "ends within a game"},
		{name: "open", text: "[Game \"gastank\"]\n1. \"D1G4", wrong: "not closed"},
		{name: "time before", text: "[Game \"gastank\"]\n(3) D1G4 *", wrong: "behind no move"},
		{name: "table", text: "source,game\n", wrong: "begins with tags"},
		{name: "long", text: "[Rules \"" + strings.Repeat("x", 2<<20) + "\"]", wrong: "longer than"},
		{name: "endless", text: "[Game \"gastank\"]\n" + strings.Repeat("D1G4 ", 10) + strings.Repeat("\n"+strings.Repeat("D1G4 ", 10_000), 10) + "*", wrong: "100010 moves"},
		{name: "side", text: "[Game \"gastank\"]\n[SetUp1 \"A\"]\n*", wrong: "no set-ups"},
	} {
		g, err := notation.NewReader(strings.NewReader(c.text)).Next()
		var made bytes.Buffer
		if err == nil {
			err = g.Record(&made, games.Find)
		}
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%s: %v, want %q", c.name, err, c.wrong)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		r, err := record.Read(&made, games.Find)
		if err != nil {
			t.Fatal(err)
		}
		if code := r.Ending; (code == nil) != (c.want == "") || code != nil && string(code.Code) != c.want {
			t.Errorf("%s: ended by %v", c.name, code)
		}
	}
}

// TestSeveral: games follow each other in one file.
func TestSeveral(t *testing.T) {
	t.Parallel()
	r := notation.NewReader(strings.NewReader("\n\n[Game \"gastank\"]\n1. D1G4 *\n\n\n[Game \"jungle\"]\n*\n"))
	for _, want := range []string{"gastank", "jungle"} {
		g, err := r.Next()
		if err != nil || g.Game != want {
			t.Fatalf("%+v, %v; want %s", g, err, want)
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Error(err)
	}
}

// FuzzReader: whatever a file holds, reading it ends, and what becomes a record is a record.
func FuzzReader(f *testing.F) {
	f.Add([]byte("[Game \"gastank\"]\n[Player1 \"one\"]\n[About1 {\"level\":\"easy\"}]\n1. D1G4 (3/1) {\"c\"} ?\"x y\" *"))
	f.Add([]byte("[Game \"luzhanqi\"]\n[SetUp1 \"A1:3\"]\n[SetUpTime1 \"3\"]\n[Ending \"illegal-setup\"]\n[Plies 0]\n0-1"))
	f.Add([]byte(`{"game":"jungle","players":[{"name":"a"},{"name":"b"}],"setups":[null,null],"moves":[{"move":"1 7 1 6"}],"result":"*","ending":null,"seed":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := notation.NewReader(bytes.NewReader(text))
		for {
			g, err := r.Next()
			if err != nil {
				return
			}
			var made bytes.Buffer
			if g.Record(&made, games.Find) != nil {
				continue
			}
			read, err := record.Read(&made, games.Find)
			if err != nil || len(read.Disagreements) > 0 {
				t.Fatalf("%v, %v", err, read)
			}
			if _, err := notation.Of(read, notation.Options{Times: true, Comments: true}); err != nil {
				t.Fatal(err)
			}
		}
	})
}
