package serve

import (
	"bufio"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"luzhanqi/tournament"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/store"
)

const cup = `name = "The cup"
game = "gastank"
format = "round-robin"
games = 4
seed = 7
[[player]]
name = "ada"
level = "random"
[[player]]
name = "<b>bob"
level = "random"
[[player]]
name = "eve"
level = "greedy"
`

// played plays a tournament, and returns its results in the order of their ids, and a function that adds some of them to the
// results in a directory, as whoever plays there does.
func played(t *testing.T, file, dir string) (all []*store.Result, add func(...*store.Result)) {
	t.Helper()
	read, err := plan.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	tour, o, err := tournament.FromPlan(read, "test")
	if err != nil {
		t.Fatal(err)
	}
	o.Dir, o.Concurrency, o.Warn = filepath.Join(t.TempDir(), "whole"), 1, func(text string) { t.Log(text) }
	if _, err := tournament.Run(t.Context(), tour, o); err != nil {
		t.Fatal(err)
	}
	whole, err := tour.Open(t.Context(), o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	pack, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	identity, err := whole.Identity(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := whole.Results(t.Context(), false, func(r *store.Result) error {
		all = append(all, r)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		text, err := whole.Record(t.Context(), r.ID, r.Attempt)
		if err != nil {
			t.Fatal(err)
		}
		r.Record = pack.EncodeAll(text, nil)
	}
	return all, func(some ...*store.Result) {
		t.Helper()
		s, err := store.Create(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if known, err := s.Identity(t.Context()); err != nil || known.ID == "" {
			err = errors.Join(err, s.Begin(t.Context(), identity))
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Add(t.Context(), some); err != nil {
			t.Fatal(err)
		}
	}
}

// told is what the API says of a tournament.
type told struct {
	Seq, Finished, Playing int
	Running, Complete      bool
	Problem                string
	Standings              *struct {
		Players []struct {
			Name  string
			Games int
		}
	}
	Now []struct {
		ID      string
		Players [2]string
	}
	Left []struct {
		Players [2]string
		Games   int
	}
	Curves []struct{ Elo []*float64 }
	Latest []struct {
		ID    string
		Shown bool
	}
}

// A tournament that another process plays can be watched: standings, what is played and what is left change; a record is shown when
// its pair is over.
func TestTournament(t *testing.T) {
	folder := t.TempDir()
	file, dir := filepath.Join(folder, "cup.toml"), filepath.Join(folder, "cup.tournament")
	if err := os.WriteFile(file, []byte(cup), 0o666); err != nil {
		t.Fatal(err)
	}
	s, server := started(t, func(c *Config) { c.Tournaments = []Tournament{{Name: "cup", Plan: file}} })
	if err := s.config.Check(); err != nil {
		t.Fatal(err)
	}
	s.tournaments[0].Every = 20 * time.Millisecond
	c := newAPIClient(t, s, server)
	look := func() (now told) {
		t.Helper()
		if code := c.ask("GET", apiPath+"/tournaments/cup", nil, &now); code != 200 {
			t.Fatalf("%d", code)
		}
		return now
	}
	// until looks until something holds: a store is looked at once a second.
	until := func(what string, holds func(told) bool) (now told) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
			if now = look(); holds(now) {
				return now
			}
		}
		t.Fatalf("%s: %+v", what, now)
		return now
	}
	first := look()
	if first.Problem != "" || first.Finished != 0 || first.Running || len(first.Left) != 3 || first.Left[0].Games != 4 || len(first.Standings.Players) != 3 {
		t.Fatalf("before it: %+v", first)
	}
	events := make(chan summary, 100)
	r, err := http.Get(server + "/tournaments/cup/events")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	go func() {
		defer close(events)
		for lines := bufio.NewScanner(r.Body); lines.Scan(); {
			var e summary
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && json.Unmarshal([]byte(data), &e) == nil {
				events <- e
			}
		}
	}()
	results, add := played(t, file, dir)
	add(results[:3]...)
	some := until("some games", func(now told) bool { return now.Finished == 3 })
	left := 0
	for _, e := range some.Left {
		left += e.Games
	}
	if left != 9 || some.Complete {
		t.Errorf("%d left, %d over, complete %v", left, some.Finished, some.Complete)
	}
	shown, hidden, next := results[0].ID, results[2].ID, results[3].ID
	for _, g := range some.Latest {
		if g.Shown != (g.ID != hidden) {
			t.Errorf("%s is shown: %v", g.ID, g.Shown)
		}
	}
	if code := c.ask("GET", apiPath+"/tournaments/cup/games/"+hidden+"/record", nil, nil); code != 403 {
		t.Errorf("%s, whose pair is not over: %d", hidden, code)
	}
	if code, text := get(t, http.DefaultClient, server+"/tournaments/cup/games/"+hidden); code != 403 {
		t.Errorf("%s, whose pair is not over: %d %.200s", hidden, code, text)
	}
	if code := c.ask("GET", apiPath+"/tournaments/cup/games/"+shown+"/record", nil, nil); code != 200 {
		t.Errorf("%s: %d", shown, code)
	}
	if code, text := get(t, http.DefaultClient, server+"/tournaments/cup/games/"+shown+"?ply=3"); code != 200 || !strings.Contains(text, "bob") && !strings.Contains(text, "eve") {
		t.Errorf("%s: %d %.200s", shown, code, text)
	}

	lock, err := store.Lock(dir, "plays") // as one does that plays
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal([]tournament.Begun{{ID: next, Worker: "w1", Since: time.Now()}})
	if err := os.WriteFile(filepath.Join(dir, tournament.PlayingName), text, 0o666); err != nil {
		t.Fatal(err)
	}
	now := until("a game that is played", func(now told) bool { return now.Running && now.Playing == 1 && len(now.Now) == 1 })
	if now.Now[0].ID != next || now.Now[0].Players[0] == now.Now[0].Players[1] {
		t.Errorf("played are %+v", now.Now)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	until("nobody plays", func(now told) bool { return !now.Running && len(now.Now) == 0 })

	add(results[3:]...)
	end := until("the end", func(now told) bool { return now.Complete })
	if end.Finished != 12 || len(end.Left) != 0 || len(end.Curves) != 3 || len(end.Curves[0].Elo) != 12 || end.Curves[2].Elo[11] == nil || end.Standings.Players[0].Games != 8 {
		t.Errorf("at the end: %+v", end)
	}
	code, html := get(t, http.DefaultClient, server+"/tournaments/cup")
	for _, part := range []string{"The cup", "12 of 12 games: it is over.", "&lt;b&gt;bob", `class="standings"`, `class="cross"`, `class="curve c2"`, "Ratings over time"} {
		if code != 200 || !strings.Contains(html, part) {
			t.Errorf("the page: %d, without %s", code, part)
		}
	}
	if strings.Contains(html, "<b>bob") || strings.Contains(html, "style=") {
		t.Error("a name became HTML, or the page has a style that its policy refuses")
	}
	var last summary
	for e := range events {
		if last = e; e.Complete {
			break
		}
	}
	if last.Finished != 12 || !last.Complete {
		t.Errorf("the stream ended with %+v", last)
	}
	c.ask("GET", apiPath+"/tournaments", nil, nil)
	if code := c.ask("GET", apiPath+"/tournaments/none", nil, nil); code != 404 {
		t.Errorf("no tournament: %d", code)
	}
	s.close()
	if code := c.ask("GET", apiPath+"/tournaments/cup/events", nil, nil); code != 200 {
		t.Errorf("events at the end: %d", code)
	}
	if code, html := get(t, http.DefaultClient, server+"/tournaments"); code != 200 || !strings.Contains(html, "The cup") {
		t.Errorf("the list: %d", code)
	}
}
