package tournament

import (
	"io"
	"path/filepath"
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
				"report --html":         tour.WriteHTML(t.Context(), s, io.Discard),
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
