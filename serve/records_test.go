package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/referee"
	"luzhanqi/serve/film"
)

// recorded is the name of the record of a game of so many plies that was played for it.
func recorded(t *testing.T, s *Server, of game.Game, plies int) string {
	t.Helper()
	g := &referee.Game{Conditions: referee.Conditions{Game: of, Limits: of.Limits()}, Seed: 7, Number: 1, Attempt: 1}
	g.Limits.MaxPlies = plies
	if err := g.SetRules(""); err != nil {
		t.Fatal(err)
	}
	for i := range g.Entrants {
		e, err := referee.ParseEntrant(of, "builtin:random", fmt.Sprint("player ", i+1))
		if err != nil {
			t.Fatal(err)
		}
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
	if _, list := get(t, browser(t), server+"/records"); strings.Contains(list, "torn.jsonl") || !strings.Contains(list, "1 more has no end") {
		t.Error("the list names the record without an end")
	}
}
