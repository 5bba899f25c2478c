package tournament

import (
	"io"
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
			tour.Standings(t.Context(), s)
			void := strings.HasPrefix(name, "void")
			if err := tour.WriteHTML(t.Context(), s, io.Discard); err == nil && !void {
				t.Error("there is a page of it")
			}
			if err := s.Results(t.Context(), void, func(*store.Result) error { return nil }); err == nil {
				t.Error("there are results of it")
			}
		})
	}
}
