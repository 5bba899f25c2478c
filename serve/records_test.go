package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
	"luzhanqi/serve/film"
	"luzhanqi/serve/page"
)

// recorded is the name of the record of a game of so many plies that was played for it.
func recorded(t *testing.T, s *Server, of game.Game, plies int) string {
	t.Helper()
	return recordedBy(t, s, of, "builtin:random", plies)
}

// recordedBy is that of a game by a player of ours against itself, with its explanations.
func recordedBy(t *testing.T, s *Server, of game.Game, player string, plies int) string {
	t.Helper()
	g := &referee.Game{Conditions: referee.Conditions{Game: of, Limits: of.Limits()}, Seed: 1 + uint64(plies), Number: 1, Attempt: 1}
	g.Limits.MaxPlies = plies
	if err := g.SetRules(""); err != nil {
		t.Fatal(err)
	}
	for i := range g.Entrants {
		e, err := referee.ParseEntrant(of, player, fmt.Sprint("player ", i+1))
		if err != nil {
			t.Fatal(err)
		}
		e.Explain = true
		g.Entrants[i] = e
	}
	k := s.records.begin(g)
	if _, err := g.Play(t.Context(), k); err != nil {
		t.Fatal(err)
	}
	name, err := k.end()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// Beliefs are never wrong about what is possible, and a page without scripts has them.
func TestBeliefs(t *testing.T) {
	s, server := started(t, nil)
	name := recorded(t, s, games.All[0], 12)
	f, err := s.records.film(0, name)
	if err != nil {
		t.Fatal(err)
	}
	letters := map[string]int{}
	for i, k := range film.KindsOf(games.All[0]) {
		letters[k.Name] = i
	}
	for _, opinion := range []string{"", "?opinion=1"} {
		_, text := get(t, browser(t), server+"/records/0/"+name+"/beliefs/1"+opinion)
		var b film.Beliefs
		if err := json.Unmarshal([]byte(text), &b); err != nil || len(b.Plies) != f.Last()+1 {
			t.Fatalf("%d plies, %v: %.200s", len(b.Plies), err, text)
		}
		for ply, all := range b.Plies {
			truth := map[int]string{}
			for _, p := range f.Pieces(film.All, ply) {
				truth[p.Square] = p.Name
			}
			for _, o := range all {
				if o.Of[letters[truth[o.Square]]] == 0 {
					t.Fatalf("ply %d: the %s on square %d is held impossible", ply, truth[o.Square], o.Square)
				}
			}
		}
	}
	page := server + "/records/0/" + name
	if _, html := get(t, browser(t), page+"?eyes=1&heat=F&sq=B12&ply=0"); !strings.Contains(html, "50%") || !strings.Contains(html, "player 2’s on B12") {
		t.Error("without scripts the flag is not looked for")
	}
	if _, html := get(t, browser(t), page+"?eyes=2&sq=B12&ply=0"); !strings.Contains(html, "Choose a piece") {
		t.Error("player 2 is told what player 1 knows")
	}
	for path, want := range map[string]int{"/beliefs/3": 404, "/beliefs/1x": 404, "/nothing/1": 404} {
		if code, _ := get(t, browser(t), page+path); code != want {
			t.Errorf("%s: %d", path, code)
		}
	}
}

// A record that has no end is not shown; nor is anything else that lies in the folder.
func TestUnfinishedRecordsAreWithheld(t *testing.T) {
	s, server := started(t, nil)
	name := recorded(t, s, games.All[0], 20)
	if code, _ := get(t, browser(t), server+"/records/0/"+name); code != 200 {
		t.Fatalf("the whole record: %d", code)
	}
	text, _ := os.ReadFile(filepath.Join(s.config.Keep, name))
	lines := bytes.SplitAfter(text, []byte("\n"))
	os.WriteFile(filepath.Join(s.config.Keep, "torn.jsonl"), bytes.Join(lines[:len(lines)-2], nil), 0o666)
	os.WriteFile(filepath.Join(s.config.Keep, ".hidden.jsonl"), text, 0o666)
	os.WriteFile(filepath.Join(s.config.Keep, "secret.txt"), text, 0o666)
	for name, want := range map[string]int{"torn.jsonl": 403, ".hidden.jsonl": 404, "secret.txt": 404} {
		if code, _ := get(t, browser(t), server+"/records/0/"+name); code != want {
			t.Errorf("%s: %d, not %d", name, code, want)
		}
	}
	if _, list := get(t, browser(t), server+"/records"); strings.Contains(list, "torn.jsonl") || !strings.Contains(list, "1 more has no end, or is of a match that is being played, and is not shown") {
		t.Error("the list names the record without an end")
	}
}

// All records can be reached, a page after the other, and found by words.
func TestManyRecords(t *testing.T) {
	s, server := started(t, nil)
	name := recorded(t, s, games.All[1], 4)
	text, err := os.ReadFile(filepath.Join(s.config.Keep, name))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2*page.RecordsShown + 1 {
		other := bytes.Replace(text, []byte(`"player 1"`), []byte(fmt.Sprintf(`"rival %d"`, i)), 1)
		file := filepath.Join(s.config.Keep, fmt.Sprintf("r%03d.jsonl", i))
		if err := os.WriteFile(file, other, 0o666); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-time.Hour - time.Duration(i)*time.Second)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	next := "/records"
	for n := 0; next != ""; n++ {
		code, html := get(t, browser(t), server+next)
		if code != 200 || n > 5 {
			t.Fatalf("%s: %d", next, code)
		}
		for _, part := range strings.Split(html, `<a href="/records/0/`)[1:] {
			file, _, _ := strings.Cut(part, `"`)
			seen[file] = true
		}
		next = ""
		if _, after, more := strings.Cut(html, `rel="next" href="`); more {
			next, _, _ = strings.Cut(after, `"`)
			next = strings.ReplaceAll(next, "&amp;", "&")
		}
	}
	if len(seen) != 2*page.RecordsShown+2 {
		t.Errorf("%d records can be reached", len(seen))
	}
	for query, want := range map[string]int{"rival r017": 1, "RIVAL R017 jungle": 1, "r0": 100, "nobody": 0, "player luzhanqi": 0} {
		_, html := get(t, browser(t), server+"/records?find="+url.QueryEscape(query))
		if got := strings.Count(html, `<a href="/records/0/`); got != want || !strings.Contains(html, `value="`+query+`"`) {
			t.Errorf("%q finds %d records, not %d", query, got, want)
		}
	}
	if _, html := get(t, browser(t), server+"/records?page=99"); strings.Count(html, `<a href="/records/0/`) != 2 {
		t.Error("a page that there is not is not the last one")
	}
}

// What is remembered of records goes when they do.
func TestBriefsAreForgotten(t *testing.T) {
	s, _ := started(t, nil)
	first, second := recorded(t, s, games.All[0], 4), recorded(t, s, games.All[0], 5)
	if list, _ := s.records.list(); len(list) != 2 || len(s.records.briefs) != 2 {
		t.Fatalf("%d records, %d are remembered", len(list), len(s.records.briefs))
	}
	if err := os.Remove(filepath.Join(s.config.Keep, first)); err != nil {
		t.Fatal(err)
	}
	if list, _ := s.records.list(); len(list) != 1 || list[0].Name != second || len(s.records.briefs) != 1 {
		t.Errorf("%v, %d are remembered", list, len(s.records.briefs))
	}
}

// While a game of a match is being played, that of its pair is not shown, in which the same is hidden; to others none is of its
// match, since there is one seed for all. When it is over, or was given up, all are.
func TestPairsAreWithheld(t *testing.T) {
	dir, g := t.TempDir(), games.All[0]
	place := func(number int) string {
		game := &referee.Game{Conditions: referee.Conditions{Game: g, Limits: g.Limits()}, Seed: 7, Number: number, Attempt: 1}
		game.Limits.MaxPlies = 10
		if err := game.SetRules(""); err != nil {
			t.Fatal(err)
		}
		for i := range game.Entrants {
			e, err := referee.ParseEntrant(g, "builtin:random", fmt.Sprint("player ", i+1))
			if err != nil {
				t.Fatal(err)
			}
			game.Entrants[i] = e
		}
		kept := record.NewBuffer(nil, game)
		if _, err := game.Play(t.Context(), kept); err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("game-%d.jsonl", number)
		if err := kept.Save(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		return name
	}
	var names []string
	for number := range 4 {
		names = append(names, place(number+1))
	}
	last := filepath.Join(dir, names[3])
	whole, err := os.ReadFile(last)
	if err != nil {
		t.Fatal(err)
	}
	torn := whole[:bytes.LastIndexByte(whole[:len(whole)-1], '\n')+1]
	for _, test := range []struct {
		what          string
		last          []byte
		others        bool
		before        time.Duration // all was written so long ago
		shown, hidden string        // numbers of games
		played        bool          // the match says that it is being played
	}{
		{"over", whole, true, time.Minute, "1234", "", false},
		{"just over", whole, false, 0, "1234", "", false},
		{"just over, to others: the next game may begin", whole, true, 0, "", "1234", false},
		{"being played", torn, false, 0, "12", "34", false},
		{"being played, to others", torn, true, 0, "", "1234", false},
		{"given up", torn, true, 2 * abandoned, "123", "4", false},
		{"about to begin", nil, false, 0, "12", "3", false},
		{"not played at all", nil, false, time.Minute, "123", "", false},
		{"the next pair takes long to begin", whole, false, time.Minute, "1234", "", true},
		{"the next pair takes long to begin, to others", whole, true, time.Minute, "", "1234", true},
		{"its other game takes long to begin", nil, false, time.Minute, "12", "3", true},
		{"somebody thinks for hours", torn, true, 2 * abandoned, "", "1234", true},
	} {
		if test.last == nil {
			if err := os.Remove(last); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(last, test.last, 0o666); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(time.Minute - test.before) // no test ends a minute later
		if test.before > 0 {
			at = time.Now().Add(-test.before)
		}
		for _, name := range names {
			if err := os.Chtimes(filepath.Join(dir, name), at, at); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
		release := func() {}
		if test.played {
			folder, err := record.NewFolder(dir)
			if err == nil {
				release, err = folder.Play()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, keep := range []string{"", dir} { // others may record where the server does
			f, err := openFolders([]string{dir}, keep, test.others)
			if err != nil {
				t.Fatal(err)
			}
			list, withheld := f.list()
			for i, name := range names {
				number := fmt.Sprint(i + 1)
				shown := strings.Contains(test.shown, number)
				if listed := slices.ContainsFunc(list, func(b brief) bool { return b.Name == name }); listed != shown {
					t.Errorf("%s, keep %q: game %s is listed: %v", test.what, keep, number, listed)
				}
				_, err := f.film(0, name)
				file, failed := f.open(0, name)
				if failed == nil {
					file.Close()
				}
				if hidden := strings.Contains(test.hidden, number); shown && (err != nil || failed != nil) || errors.Is(err, errWithheld) != hidden || errors.Is(failed, errWithheld) != hidden {
					t.Errorf("%s: game %s: %v, %v", test.what, number, err, failed)
				}
			}
			if withheld != len(test.hidden) {
				t.Errorf("%s: %d are withheld", test.what, withheld)
			}
			f.close()
		}
		release()
	}
	// So is what was played since the folder was looked at.
	for number, others := range []bool{false, true} {
		later := t.TempDir()
		f, err := openFolders([]string{later}, "", others)
		if err != nil {
			t.Fatal(err)
		}
		defer f.close()
		f.underWay(0)
		text, err := os.ReadFile(filepath.Join(dir, names[number]))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(later, names[number]), text, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := f.film(0, names[number]); !errors.Is(err, errWithheld) {
			t.Errorf("game %d, a moment after a look, to others %v: %v", number+1, others, err)
		}
	}
}
