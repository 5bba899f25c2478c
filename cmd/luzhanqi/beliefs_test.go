package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/levels"
	"luzhanqi/player/luzhanqi/likelihood"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

// recorded plays games between built-in players and returns their records, in order.
func recorded(t *testing.T, games int) []string {
	t.Helper()
	g := luzhanqi.Game{}
	s := &referee.Match{Conditions: referee.Conditions{Game: g, Limits: g.Limits()}, Games: games, Seed: 3}
	s.Limits.MaxPlies = 60
	dir := t.TempDir()
	folder, err := record.NewFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	s.Record = folder.Begin
	for i, name := range []string{"greedy", "random"} {
		level, err := levels.Find(g, name)
		if err != nil {
			t.Fatal(err)
		}
		s.Entrants[i] = referee.Entrant{Name: name, Level: &level}
	}
	if _, err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != games {
		t.Fatalf("%v, %v", files, err)
	}
	slices.Sort(files)
	return files
}

func TestBeliefsAtTheStart(t *testing.T) {
	text, err := printed(t, &beliefsCommand{Files: recorded(t, 1), Ply: new(int), Side: "2"})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text, "\n")
	if want := "what player 2 can know of player 1's pieces after ply 0: 7.1e+17 worlds"; lines[1] != want {
		t.Errorf("%q, want %q", lines[1], want)
	}
	if want := "from  now    9   8   7   6   5   4   3   2   1   B   L   F   truth"; lines[3] != want {
		t.Errorf("%q, want %q", lines[3], want)
	}
	// B1 is a headquarters: the flag, with one half, or anything else.
	if want := "B1    B1     2   2   3   3   3   3   5   5   5   4  17  50   "; !strings.HasPrefix(lines[5], want) {
		t.Errorf("%q, want %q", lines[5], want)
	}
	// Row 6 has no bomb, no landmine and no flag.
	if want := "A6    A6     5   5  11  11  11  11  16  16  16   ·   ·   ·   "; !strings.HasPrefix(lines[24], want) {
		t.Errorf("%q, want %q", lines[24], want)
	}
	if !strings.Contains(text, "log-loss over 25 hidden pieces: no belief 2.414, constraints 2.146, with prior 2.") {
		t.Error(text)
	}
}

// TestBeliefsKnowTheTruth: in every position of a game by the rules the truth is possible, what is
// certain is true, and the constraints know more than nothing.
func TestBeliefsKnowTheTruth(t *testing.T) {
	file := recorded(t, 1)[0]
	replay, err := readRecord(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, side := range []string{"1", "2"} {
		for ply := 0; ply < len(replay.Positions); ply += 20 {
			text, err := printed(t, &beliefsCommand{Files: []string{file}, Ply: &ply, Side: side, JSON: true})
			if err != nil {
				t.Fatal(err)
			}
			var table beliefTable
			if err := json.Unmarshal([]byte(text), &table); err != nil {
				t.Fatal(err)
			}
			if len(table.Pieces) != 25 || table.Trouble != "" || table.Worlds < 1 || table.Ply != ply {
				t.Fatalf("ply %d: %s", ply, text)
			}
			standing := 0
			for _, p := range table.Pieces {
				sum := 0.0
				for _, chance := range p.P {
					sum += chance
				}
				if p.P[p.Truth] == 0 || math.Abs(sum-1) > 1e-9 {
					t.Errorf("ply %d: %+v adds up to %v", ply, p, sum)
				}
				if p.Alive {
					standing++
				}
			}
			if table.Hidden > standing || table.LogLoss["constraints"] > table.LogLoss["none"] {
				t.Errorf("ply %d: %s", ply, text)
			}
		}
	}
}

func TestBeliefsOfAllPositions(t *testing.T) {
	files := recorded(t, 2)
	text, err := printed(t, &beliefsCommand{Files: files, All: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"2 records, ", "no belief: ", "constraints: ", "with prior: ", "with likelihoods: ", "with both: ",
		"exponents: prior 1, likelihoods 1.34, of strangers 0.5", "predicted  happened  predictions",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	positions := 0
	for _, file := range files {
		replay, err := readRecord(file)
		if err != nil {
			t.Fatal(err)
		}
		positions += len(replay.Positions)
	}
	for side, sides := range map[string]int{"": 2, "2": 1} {
		text, err = printed(t, &beliefsCommand{Files: files, All: true, JSON: true, Side: side})
		if err != nil {
			t.Fatal(err)
		}
		var total struct {
			Records, Positions, Hidden int
			Opinions                   map[string]judged
			Exponents                  likelihood.Trust
			Troubles                   []string
		}
		if err := json.Unmarshal([]byte(text), &total); err != nil {
			t.Fatal(err)
		}
		if total.Records != 2 || total.Positions != sides*positions || total.Hidden == 0 || len(total.Troubles) > 0 ||
			total.Opinions["constraints"].LogLoss >= total.Opinions["none"].LogLoss || total.Exponents != likelihood.DefaultTrust {
			t.Errorf("side %q: %s", side, text)
		}
		for _, o := range likelihood.Opinions {
			of := total.Opinions[o.Key]
			predictions := 0
			for _, bin := range of.Bins {
				predictions += bin.Predictions
			}
			if of.LogLoss <= 0 || of.Excluded != 0 || predictions == 0 || predictions > len(luzhanqi.Ranks)*total.Hidden {
				t.Errorf("side %q, %s: %+v", side, o.Key, of)
			}
		}
	}
}

// TestBeliefsByOpinion: the table is that of the opinion asked for, and exponents of zero have none.
func TestBeliefsByOpinion(t *testing.T) {
	file := recorded(t, 1)[0]
	losses := map[string]float64{}
	for _, o := range likelihood.Opinions {
		text, err := printed(t, &beliefsCommand{Files: []string{file}, Ply: new(60), Opinion: o.Key, JSON: true})
		if err != nil {
			t.Fatal(err)
		}
		var table beliefTable
		if err := json.Unmarshal([]byte(text), &table); err != nil {
			t.Fatal(err)
		}
		loss, n := 0.0, 0
		for _, p := range table.Pieces {
			if p.Alive {
				loss -= math.Log(p.P[p.Truth])
				n++
			}
		}
		if table.Opinion != o.Key || n != table.Hidden || math.Abs(loss/float64(n)-table.LogLoss[o.Key]) > 1e-9 {
			t.Errorf("%s: %v over %d pieces, %s", o.Key, loss/float64(n), n, text)
		}
		losses = table.LogLoss
	}
	if len(losses) != len(likelihood.Opinions) || losses["prior"] == losses["constraints"] || losses["both"] == losses["prior"] {
		t.Errorf("opinions that do not differ: %v", losses)
	}
	text, err := printed(t, &beliefsCommand{Files: []string{file}, Ply: new(60), Prior: new(0.0), Likelihoods: new(0.0)})
	if err != nil || strings.Count(text, fmt.Sprintf("%.3f", losses["constraints"])) < 4 {
		t.Errorf("%v: %s", err, text)
	}
}

func TestBeliefsRefuse(t *testing.T) {
	file := recorded(t, 1)[0]
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(string(text), "\n")
	unstarted := filepath.Join(t.TempDir(), "unstarted.jsonl")
	if err := os.WriteFile(unstarted, []byte(header+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		command beliefsCommand
		want    string
	}{
		{beliefsCommand{Files: []string{file}, Side: "3"}, `--side: player "3": allowed are 1 and 2`},
		{beliefsCommand{Files: []string{file}, Ply: new(5000)}, "--ply 5000: allowed are 0 to "},
		{beliefsCommand{Files: []string{file}, Ply: new(-2)}, "--ply -2: allowed are 0 to "},
		{beliefsCommand{Files: []string{file}, Ply: new(1), All: true}, "leave out --ply"},
		{beliefsCommand{Files: []string{file}, Prior: new(-0.5)}, "--prior -0.5: allowed are 0 to 4"},
		{beliefsCommand{Files: []string{file}, Likelihoods: new(math.NaN())}, "--likelihoods NaN: allowed are 0 to 4"},
		{beliefsCommand{Files: []string{unstarted}}, "before both set-ups"},
		{beliefsCommand{Files: []string{"rate.go"}}, "rate.go: line 1"},
	} {
		_, err := printed(t, &test.command)
		var f failure
		if !errors.As(err, &f) || f.code != exitUsage || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %q", test.command, err, test.want)
		}
	}
	open := &record.Replay{Header: record.Header{Game: "jungle"}}
	if err := hides(open); err == nil || !strings.Contains(err.Error(), "only luzhanqi has hidden pieces") {
		t.Errorf("a game of jungle: %v", err)
	}
}

func TestChance(t *testing.T) {
	for _, test := range []struct {
		p       float64
		certain bool
		want    string
	}{
		{0, false, "·"},
		{1, true, "9"},
		{0.999999999, true, "9"}, // certain, but for rounding
		{1e-9, false, "<1"},
		{0.0099, false, "<1"},
		{0.01, false, "1"},
		{0.5, false, "50"},
		{0.99, false, "99"},
		{0.991, false, ">99"},
		{0.9999999, false, ">99"},
	} {
		if got := chance(test.p, test.certain, luzhanqi.FieldMarshal); got != test.want {
			t.Errorf("%v: %q, want %q", test.p, got, test.want)
		}
	}
}

// The help names the exponents that are trusted by default.
func TestBeliefsDefaults(t *testing.T) {
	for name, x := range map[string]float64{"Prior": likelihood.DefaultTrust.Prior, "Likelihoods": likelihood.DefaultTrust.Likelihoods} {
		field, _ := reflect.TypeFor[beliefsCommand]().FieldByName(name)
		if want := fmt.Sprintf(" Default: %v.", x); !strings.HasSuffix(field.Tag.Get("help"), want) {
			t.Errorf("%s: %q must end with %q", name, field.Tag.Get("help"), want)
		}
	}
	half := 0.5
	low, err := (&beliefsCommand{Likelihoods: &half}).trust()
	if d := likelihood.DefaultTrust; err != nil || low.Likelihoods != half || math.Abs(low.Strangers/half-d.Strangers/d.Likelihoods) > 1e-9 {
		t.Errorf("%v, %+v: strangers must be trusted in proportion", err, low)
	}
}
