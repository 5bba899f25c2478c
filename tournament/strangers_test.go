package tournament

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"luzhanqi/tournament/store"
)

// A store that a stranger has written to is refused, and nothing panics.
func TestRowsOfAStranger(t *testing.T) {
	for name, statement := range map[string]string{
		"no ending":       `UPDATE game SET detail = json_remove(detail, '$.ending')`,
		"no JSON":         `UPDATE game SET detail = 'null'`,
		"players":         `UPDATE game SET first = 7, detail = json_set(detail, '$.players', json('[7, 0]'))`,
		"negative":        `UPDATE game SET first = -1, detail = json_set(detail, '$.players', json('[-1, 0]'))`,
		"no such side":    `UPDATE game SET detail = json_set(detail, '$.ending.winner', 9)`,
		"path":            `UPDATE game SET id = '../../' || id, detail = json_set(detail, '$.id', '../../' || id)`,
		"another game's":  `UPDATE game SET detail = json_set(detail, '$.id', 'r09-p009-g1')`,
		"void, no ending": `INSERT INTO void SELECT id, attempt, '', '', '', json_remove(detail, '$.ending') FROM game`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := played(t)
			alter(t, dir, statement)
			tour := short(t)
			s, err := tour.Open(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if strings.HasPrefix(name, "void") {
				if s.Results(t.Context(), true, func(*store.Result) error { return nil }) == nil {
					t.Error("there are void results of it")
				}
				return
			}
			// Standings read columns, the rest the detail.
			if _, err := tour.Standings(t.Context(), s); (err != nil) != (name == "players" || name == "negative") {
				t.Errorf("standings: %v", err)
			}
			folder := filepath.Join(t.TempDir(), "a", "b", "records")
			id := "r01-p001-g1"
			if name == "path" {
				id = "../../" + id
			}
			records := func(only string) error {
				_, _, err := tour.WriteRecords(t.Context(), s, folder, only)
				return err
			}
			_, shown := s.Result(t.Context(), id)
			for what, err := range map[string]error{
				"show ID":               shown,
				"report --html":         tour.WriteHTML(t.Context(), s, io.Discard, nil),
				"report --games":        tour.WriteCSV(t.Context(), s, io.Discard),
				"report --games --json": tour.WriteJSONLines(t.Context(), s, io.Discard),
				"report --records":      records(""),
				"report --game ID":      records(id),
			} {
				if err == nil {
					t.Errorf("%s takes it", what)
				}
			}
			around, _ := filepath.Glob(filepath.Join(folder, "../../*"))
			if written, _ := filepath.Glob(filepath.Join(folder, "*")); len(around) != 1 || len(written) > 0 {
				t.Errorf("written were %q, around it %q", written, around)
			}
		})
	}
}

// A store of a stranger that leads elsewhere, or never ends, is refused at once, and nothing elsewhere is touched.
func TestStoreThatIsNone(t *testing.T) {
	for name, lay := range map[string]func(file, elsewhere string) error{
		"link to a file":     func(file, elsewhere string) error { return os.Symlink(elsewhere, file) },
		"link to nothing":    func(file, elsewhere string) error { return os.Symlink(elsewhere+"-new", file) },
		"log that is a link": func(file, elsewhere string) error { return os.Symlink(elsewhere, file+"-wal") },
		"folder":             func(file, _ string) error { return os.Mkdir(file, 0o777) },
		"pipe":               mkfifo,
	} {
		t.Run(name, func(t *testing.T) {
			dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "elsewhere")
			if err := os.WriteFile(elsewhere, []byte("precious"), 0o666); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(name, "log") {
				dir = played(t)
				os.Remove(filepath.Join(dir, "results.sqlite-wal"))
			}
			if err := lay(filepath.Join(dir, "results.sqlite"), elsewhere); err != nil {
				t.Skip(err)
			}
			if _, err := Run(t.Context(), short(t), options(t, dir)); err == nil || !strings.Contains(err.Error(), "no regular file") {
				t.Errorf("run: %v", err)
			}
			if s, err := store.Open(t.Context(), dir); err == nil {
				s.Close()
				t.Error("it can be read")
			}
			text, err := os.ReadFile(elsewhere)
			if around, _ := filepath.Glob(elsewhere + "?*"); string(text) != "precious" || err != nil || len(around) > 0 {
				t.Errorf("elsewhere: %q, %v, %q", text, err, around)
			}
		})
	}
}

// What passes for a table of ours and is none is refused before it is asked anything.
func TestSchemaOfAStranger(t *testing.T) {
	const endless = `AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS `
	for name, statement := range map[string]string{
		"view of games":    `DROP TABLE game; CREATE VIEW game ` + endless + `id, x AS attempt, x AS detail FROM c`,
		"view of versions": `DROP TABLE goose_db_version; CREATE VIEW goose_db_version ` + endless + `version_id, 1 AS is_applied FROM c`,
		"view of itself":   `DROP TABLE tournament; CREATE VIEW tournament ` + endless + `id, x AS plan, x AS fingerprint, x AS version, x AS created FROM c`,
		"trigger":          `CREATE TRIGGER forge AFTER INSERT ON game BEGIN UPDATE game SET winner = 1; END`,
		"computed column":  `ALTER TABLE game ADD COLUMN big TEXT GENERATED ALWAYS AS (hex(zeroblob(100000000)))`,
		"another table":    `CREATE TABLE mine (x)`,
		"no records":       `DROP TABLE record`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := played(t)
			alter(t, dir, statement)
			if _, err := Run(t.Context(), short(t), options(t, dir)); err == nil {
				t.Error("it runs")
			}
			if s, err := store.Open(t.Context(), dir); err == nil {
				s.Close()
				t.Error("it can be read")
			}
		})
	}
}

// Rows that would fill the memory are not read.
func TestHugeRows(t *testing.T) {
	dir := played(t)
	alter(t, dir, `UPDATE game SET detail = detail || printf('%*c', 200000000, ' ') WHERE id = 'r01-p001-g1'`)
	s, err := short(t).Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = s.Result(t.Context(), "r01-p001-g1")
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; err == nil || !strings.Contains(err.Error(), "more than") || grown > 50<<20 {
		t.Errorf("%v; %d MiB were allocated", err, grown>>20)
	}
}
