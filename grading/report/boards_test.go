package report

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

// recorded plays a game between built-in players and returns its record.
func recorded(t *testing.T, name string, plies int) []byte {
	t.Helper()
	g, err := games.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		t.Fatal(err)
	}
	random, err := referee.ParseEntrant(g, "builtin:random", "")
	if err != nil {
		t.Fatal(err)
	}
	p := &referee.Game{Conditions: referee.Conditions{Game: g, Rules: rules, Limits: g.Limits()}, Entrants: [2]referee.Entrant{random, random}, Seed: 1, Number: 1, Attempt: 1, Concurrency: 1}
	p.Limits.MaxPlies = plies
	var kept bytes.Buffer
	if _, err := p.Play(context.Background(), referee.Observers{record.NewWriter(&kept, p)}); err != nil {
		t.Fatal(err)
	}
	return kept.Bytes()
}

// TestBoardPage guards that every ply of a game of every kind can be looked at without a script, from both seats, on a page that
// loads nothing and stays small: every address that a key leads to is there, and each ply is drawn.
func TestBoardPage(t *testing.T) {
	for _, g := range games.All {
		for side := range game.Side(2) {
			const plies = 60
			played := recorded(t, g.Name(), plies)
			text, err := BoardPage(`<b>"A game"</b>`, "../records/x.jsonl", played, side, false)
			if err != nil {
				t.Fatal(err)
			}
			if dir := os.Getenv("LUZHANQI_PAGES"); dir != "" { // to look at them
				if err := WriteFile(dir+"/"+g.Name()+"-"+side.String()+".html", text); err != nil {
					t.Fatal(err)
				}
			}
			wellFormed(t, g.Name(), text)
			plain := regexp.MustCompile(`url\(data:font/woff2;base64,[A-Za-z0-9+/=]*\)`).ReplaceAll(text, nil)
			if outside.Match(plain) {
				t.Errorf("%s: the page has %q", g.Name(), outside.Find(plain))
			}
			ids := map[string]bool{}
			for _, id := range regexp.MustCompile(` id="([^"]*)"`).FindAllSubmatch(text, -1) {
				if ids[string(id[1])] {
					t.Errorf("%s: %s is there twice", g.Name(), id[1])
				}
				ids[string(id[1])] = true
			}
			for _, link := range regexp.MustCompile(`href="#([^"]*)"`).FindAllSubmatch(text, -1) {
				if !ids[string(link[1])] {
					t.Fatalf("%s: %s leads nowhere", g.Name(), link[0])
				}
			}
			replay, err := record.Read(bytes.NewReader(played), games.Find)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(string(text), `<section class="ply"`); got != len(replay.Positions) || len(text) > 200<<10 {
				t.Errorf("%s: %d sections for %d positions, %d bytes", g.Name(), got, len(replay.Positions), len(text))
			}
			if !bytes.Contains(text, []byte("your program plays")) || !bytes.Contains(text, []byte("How it ended")) {
				t.Errorf("%s: the moves or the end are not named", g.Name())
			}
			t.Logf("%s as player %v: %d plies in %d bytes", g.Name(), side, len(replay.Moves), len(text))
		}
	}
}

// TestBoardPageBounded: of a very long game plies in the middle are left out, which is said, and the end is there.
func TestBoardPageBounded(t *testing.T) {
	played := recorded(t, "luzhanqi", 2000)
	const most = 200 << 10
	text, err := boardPage("long", "", played, game.Second, false, most)
	if err != nil {
		t.Fatal(err)
	}
	replay, err := record.Read(bytes.NewReader(played), games.Find)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d plies in %d bytes", len(replay.Moves), len(text))
	if len(text) > most || len(text) < most/2 || !bytes.Contains(text, []byte(" plies from 20 on are left out here")) || !bytes.Contains(text, []byte(`id="end"`)) {
		t.Errorf("%d bytes for %d plies", len(text), len(replay.Moves))
	}
	if _, err := BoardPage("nothing", "", []byte("no record"), game.First, false); err == nil {
		t.Error("what is no record has a page")
	}
}
