package plan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/tournament/plan/strict"
	"luzhanqi/tournament/schedule"
)

// The example that documents every key is read as it says.
func TestExample(t *testing.T) {
	p, err := Load("testdata/example.toml")
	if err != nil {
		t.Fatal(err)
	}
	want := schedule.Spec{Format: schedule.RoundRobin, Players: 3, Games: 2, Cycles: 1, Seed: 1, Growing: true}
	if diff := cmp.Diff(want, p.Schedule); diff != "" {
		t.Error(diff)
	}
	limits := game.Limits{Move: 200 * time.Millisecond, SetUp: 2 * time.Second, Grace: 50 * time.Millisecond, MaxPlies: 1000, Start: p.Game.Limits().Start}
	if diff := cmp.Diff(limits, p.Limits); diff != "" {
		t.Error(diff)
	}
	if p.Name != "autumn" || p.Rules["mines"] != "stay" || p.Retries != 0 || p.Test != nil || p.Concurrency != 2 ||
		p.Pin != PinAuto || !p.Records || p.Explain || p.Queue != (Queue{Listen: "127.0.0.1:4222", TokenFile: filepath.FromSlash("testdata/workers.token"), Replicas: 1}) {
		t.Errorf("%+v", p)
	}
	alice, champion, random := p.Players[0], p.Players[1], p.Players[2]
	dir, err := filepath.Abs("testdata/students/alice")
	if err != nil {
		t.Fatal(err)
	}
	command := process.Command{
		Args: []string{"python3", "bot.py", "--fast"}, Dir: dir, Env: []string{"OMP_NUM_THREADS=1"},
		Confine: process.Confinement{
			Memory: 2 << 30, Processes: 64, Threads: 256, CPU: 10 * time.Minute, FileSize: 64 << 20, Files: 256, Private: true,
		},
	}
	if diff := cmp.Diff(command, alice.Command); diff != "" {
		t.Error(diff)
	}
	limits.Move = 400 * time.Millisecond
	if alice.Name != "alice" || alice.Protocol.Name() != "5500" || *alice.Limits != limits || alice.Level != nil {
		t.Errorf("%+v", alice)
	}
	if champion.Level.Name != "strong" || champion.Options.Nodes != 20_000 || champion.Limits != nil {
		t.Errorf("%+v", champion)
	}
	if random.Name != "random mover" || random.Options.Nodes != 5000 {
		t.Errorf("%+v", random)
	}
}

// Commented keys of the example are as real as the others.
func TestExampleCommentsAreKeys(t *testing.T) {
	text, err := os.ReadFile("testdata/example.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, variant := range []struct{ format, with, drop string }{
		{"swiss", "rounds,rematches,seeding", "cycles"},
		{"knockout", "seeding,replays", "cycles"},
		{"gauntlet", "challenger", "none"},
	} {
		s := strings.Replace(string(text), `"round-robin"   #`, `"`+variant.format+`" #`, 1)
		s = strings.ReplaceAll(s, "\n"+variant.drop+" =", "\n# "+variant.drop+" =")
		for key := range strings.SplitSeq(variant.with, ",") {
			with := strings.Replace(s, "\n# "+key+" =", "\n"+key+" =", 1)
			if with == s {
				t.Fatalf("no commented key %s", key)
			}
			s = with
		}
		s = strings.Replace(s, "rounds = 5", "rounds = 3", 1)
		if _, err := Parse("example.toml", []byte(s)); err != nil {
			t.Errorf("%s: %v", variant.format, err)
		}
	}
}

func TestMinimal(t *testing.T) {
	p := parse(t, minimal)
	if p.Concurrency != 1 || p.Pin != PinAuto || p.Schedule.Games != 2 || p.Schedule.Seed != 1 || !p.Records {
		t.Errorf("%+v", p)
	}
	if err := p.Check(); err != nil {
		t.Error(err)
	}
}

// TestFirst: the limit of a first move that a game has stays when one for moves is given, unless that is longer; a plan
// and a player may have their own.
func TestFirst(t *testing.T) {
	const s = time.Second
	players := strings.Replace(minimal, "luzhanqi", "jungle", 1)
	for limits, want := range map[string]time.Duration{
		"":                                s, // jungle's
		"move = \"100ms\"":                s,
		"move = \"2s\"":                   0,
		"first = \"3s\"":                  3 * s,
		"first = \"10ms\"\nmove = \"2s\"": s / 100,
	} {
		if got := parse(t, players+"[limits]\n"+limits+"\n").Limits.First; got != want {
			t.Errorf("%q: %v, want %v", limits, got, want)
		}
	}
	for own, want := range map[string]time.Duration{`move = "5ms"`: 3 * s, `move = "4s"`: 0, `first = "7s"`: 7 * s} {
		if got := parse(t, players+"limits = { "+own+" }\n[limits]\nfirst = \"3s\"\n").Players[1].Limits.First; got != want {
			t.Errorf("player's %s: %v, want %v", own, got, want)
		}
	}
}

const minimal = `game = "luzhanqi"
format = "match"
[[player]]
name = "a"
level = "random"
[[player]]
name = "b"
level = "greedy"
`

func parse(t *testing.T, text string) *Plan {
	t.Helper()
	p, err := Parse("x.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A plan of before calls a challenger a hero; it is the same plan.
func TestFormerKeyOfChallengers(t *testing.T) {
	const plan = "game = \"jungle\"\nformat = \"gauntlet\"\n[[player]]\nname = \"a\"\nlevel = \"greedy\"\nhero = true\n[[player]]\nname = \"b\"\nlevel = \"random\"\n"
	old, err := Parse("x.toml", []byte(plan))
	if err != nil {
		t.Fatal(err)
	}
	now, err := Parse("x.toml", []byte(strings.Replace(plan, "hero", "challenger", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if !old.Players[0].Challenger || old.Fingerprint() != now.Fingerprint() || !strings.Contains(now.Canonical(), "player.1.hero = true") {
		t.Errorf("old\n%snow\n%s", old.Canonical(), now.Canonical())
	}
	if _, err := Parse("x.toml", []byte(strings.Replace(plan, "hero = true", "hero = true\nchallenger = true", 1))); err == nil || !strings.Contains(err.Error(), "player.1.hero: unknown key") {
		t.Errorf("both names: %v", err)
	}
}

// Parse reads the plan in a text. The file need not exist: it is named in errors, and its folder is what
// paths are relative to.
func Parse(file string, text []byte) (*Plan, error) {
	d, err := strict.Parse(file, text)
	if err != nil {
		return nil, err
	}
	return read(d, filepath.Dir(file))
}
