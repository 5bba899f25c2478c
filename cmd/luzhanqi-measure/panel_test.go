package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/player/luzhanqi"
	"luzhanqi/player/luzhanqi/stranger"
	"luzhanqi/tournament/rating"
)

func panel(t *testing.T, c panelCommand) string {
	t.Helper()
	var out strings.Builder
	c.Seed, c.Time = 1, time.Hour
	if err := c.Run(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A panel that is interrupted, in the middle of a line of its results, ends as one that was not.
func TestPanelGoesOn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results")
	c := panelCommand{Player: "greedy", Against: []string{"random", "rush"}, Nodes: 60, Pairs: 2, Among: 1, Test: "none", Results: file, Quiet: true}
	want := panel(t, c)
	if !strings.Contains(want, "random  4 ") || !strings.Contains(want, "rush ") {
		t.Errorf("%s", want)
	}
	text, err := os.ReadFile(file)
	if err != nil || strings.Count(string(text), "\n") != 2*2+1 {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := os.WriteFile(file, text[:len(text)*2/3], 0o666); err != nil {
		t.Fatal(err)
	}
	if got := panel(t, c); got != want {
		t.Errorf("%s\nwithout a break\n%s", got, want)
	}
	if again, err := os.ReadFile(file); err != nil || string(again) != string(text) {
		t.Errorf("%v\n%s\nwithout a break\n%s", err, again, text)
	}
}

// The test ends the games with a member; both seats count for the same player.
func TestPanelStops(t *testing.T) {
	got := panel(t, panelCommand{Player: "greedy", Against: []string{"random"}, Nodes: 60, Pairs: 40, Test: "40,60", Quiet: true})
	if !strings.Contains(got, "random  16     0.0 %") || !strings.Contains(got, "takes less") {
		t.Errorf("%s", got)
	}
}

func TestPanelRefuses(t *testing.T) {
	damaged := filepath.Join(t.TempDir(), "damaged")
	if err := os.WriteFile(damaged, []byte("{}\n{\"games\":[{\"points\":7},{}]}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]panelCommand{
		`player "nobody"`:           {Player: "nobody", Test: "none"},
		`player "nemo"`:             {Player: "greedy", Against: []string{"nemo"}, Test: "none"},
		"--test 90,80: found":       {Player: "greedy", Against: []string{"random"}, Test: "90,80"},
		"--test x":                  {Player: "greedy", Against: []string{"random"}, Test: "x"},
		"line 2: 7 points: allowed": {Player: "greedy", Against: []string{"random"}, Test: "none", Results: damaged},
		"--results: open":           {Player: "greedy", Against: []string{"random"}, Test: "none", Results: filepath.Join(damaged, "x")},
	} {
		if err := c.Run(&strings.Builder{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// The fit counts a game for who moved first in it.
func TestPanelRatings(t *testing.T) {
	f := &panelFile{pairs: []playedPair{
		{Players: [2]string{"a", "b"}, Games: [2]playedGame{{Points: 1}, {Points: 0}}}, // who moves first wins
		{Players: [2]string{"a", "b"}, Pair: 1, Games: [2]playedGame{{Points: 1}, {Points: 0}}},
	}}
	r, number, err := f.ratings()
	if err != nil {
		t.Fatal(err)
	}
	if r.Advantage().Value <= 0 || r.Elo(number["a"]) != r.Elo(number["b"]) {
		t.Errorf("advantage %v, %v and %v", r.Advantage(), r.Elo(number["a"]), r.Elo(number["b"]))
	}
	if (playedGame{Points: 0.5}).result() != rating.Draw || (playedGame{Points: 1}).result() != rating.Win || (playedGame{}).result() != rating.Loss {
		t.Error("points are another result")
	}
}

// Tuning ends after so many tries, and says and writes what came out; the same command makes the same file.
func TestTune(t *testing.T) {
	usual := stages
	stages = []int{2, 4}
	defer func() { stages = usual }()
	var files [2]string
	for i := range files {
		file := filepath.Join(t.TempDir(), "style.json")
		var out strings.Builder
		c := &tuneCommand{Style: "exchanger", Against: "rush", Nodes: 60, SetUps: 2, Tries: 6, Games: 2, Out: file, Seed: 1}
		if err := c.Run(&out); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "6 changes tried in ") || !strings.Contains(out.String(), "exchanger takes ") {
			t.Errorf("%s", out.String())
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
		files[i] = string(text)
		s, err := stranger.Parse(text)
		if err != nil || len(s.SetUps) != 2 || !strings.Contains(files[i], "luzhanqi-measure tune exchanger --against rush --nodes 60 --set-ups 2 --tries 6 --seed 1; before that: ") {
			t.Errorf("%v\n%s", err, text)
		}
	}
	if files[0] != files[1] {
		t.Errorf("%s\nand the second time\n%s", files[0], files[1])
	}
}

func TestTuneRefuses(t *testing.T) {
	for want, c := range map[string]*tuneCommand{
		`style "nobody": allowed are `:                         {Style: "nobody", Against: "random"},
		"style: unexpected EOF":                                {Style: filepath.Join(t.TempDir(), "cut"), Against: "random"},
		`player "nemo"`:                                        {Style: "column", Against: "nemo"},
		"--set-ups 9: allowed are 1 to 8, which exchanger has": {Style: "exchanger", Against: "random", SetUps: 9},
		"--set-ups -1: allowed are 1 to 8":                     {Style: "exchanger", Against: "random", SetUps: -1},
		"--set-ups 1: a search has its own":                    {Style: "strong", Against: "random", SetUps: 1},
	} {
		if filepath.IsAbs(c.Style) {
			if err := os.WriteFile(c.Style, []byte("{"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Run(&strings.Builder{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Who has a budget of its own keeps it, whatever others are given, unless it is named with another one; and the file of results names it so.
func TestBudgets(t *testing.T) {
	const given = 14_000 // far from all others
	c := panelCommand{Nodes: given}
	for name, want := range map[string]struct {
		named string
		nodes int
	}{
		"strong": {"strong@14000", given}, "strong-f665184": {"strong-f665184@14000", given}, "naive": {"naive@14000", given},
		"medium": {"medium", 6000}, "hard": {"hard", 30_000}, "nodes1500": {"nodes1500", 1500}, "fortress": {"fortress@14000", given}, "medium%20": {"medium%20", 6000},
		"medium@3000": {"medium@3000", 3000}, "fortress@3000": {"fortress@3000", 3000}, "strong@3000": {"strong@3000", 3000},
	} {
		_, why := asked(t, name, given)
		// A round of playouts is always finished, and who has seen enough stops.
		if n := int(why.Nodes); n < want.nodes*3/4 || n > want.nodes*5/4 {
			t.Errorf("%s looks at %d positions, must be some %d", name, n, want.nodes)
		}
		if got := c.named(name); got != want.named {
			t.Errorf("%s is named %s, must be %s", name, got, want.named)
		}
	}
}

// Drawn styles are players by number, each another one, and the same every time.
func TestDrawnVariants(t *testing.T) {
	setUp := func(name string) game.SetUp {
		p, err := find(rules.Game{}, name, player.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return p.SetUp(rand.New(rand.NewPCG(1, 1)))
	}
	for _, prefix := range []string{"drawn-", "rusher-"} {
		first, again, other := setUp(prefix+"0"), setUp(prefix+"0"), setUp(prefix+"1")
		if first != again || first == other {
			t.Errorf("%s: %s, %s, %s: must be two styles, each always the same", prefix, first, again, other)
		}
		if _, err := find(rules.Game{}, prefix+"x", player.Options{}); err == nil {
			t.Errorf("%sx is a player", prefix)
		}
	}
}

// The file of a style is a player that plays as the style of that name does, wherever it lies; one that is none is told.
func TestStyleFiles(t *testing.T) {
	s, err := stranger.Find("sideways")
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.Text()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "50%@home")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(name string, text []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	match := func(name string) string {
		var out strings.Builder
		if err := (&matchCommand{Players: "luzhanqi:" + name + ",greedy", Games: 2, Nodes: 10, Threads: 1, Time: time.Second, Seed: 1}).Run(&out); err != nil {
			t.Fatal(err)
		}
		_, result, _ := strings.Cut(out.String(), ": ")
		result, _, _ = strings.Cut(result, "\n")
		return result
	}
	if file, named := match(write("a.json", text)), match("sideways"); file != named {
		t.Errorf("%s\nand by name\n%s", file, named)
	}
	three := "0.5 72LFL873L35241B6B15691243\n0.3 22LFL5B1L627815744B936313\n0.2 LFL174L638675B12B52493123\n"
	b, err := luzhanqi.ReadBook(three)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"book.txt", "book.txt@20"} {
		p, err := find(rules.Game{}, strings.Replace(write("book.txt", []byte(three)), "book.txt", name, 1), player.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(8) {
			got, want := p.SetUp(rand.New(rand.NewPCG(seed, 1))), b.Draw(rand.New(rand.NewPCG(seed, 1))).String()
			if string(got) != want {
				t.Errorf("%s draws %s, its book %s", name, got, want)
			}
		}
	}
	if file, named := match(filepath.Join("..", "..", "player", "luzhanqi", "setups.txt")), match("strong"); file != named {
		t.Errorf("%s\nand by name\n%s", file, named)
	}
	for path, want := range map[string]string{
		write("cut.json", []byte("{")): "must be the file of a style: ", filepath.Join(dir, "none.json"): "no such file",
		write("cut.txt", []byte("0.5 72LFL\n")): "must be the file of a book: line 1", filepath.Join(dir, "book.txt@0"): "no number of positions", filepath.Join(dir, "none.txt"): "no such file",
	} {
		if _, err := find(rules.Game{}, path, player.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}
