package plan

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write testdata anew")

// Stores keep the canonical text: if it says anything else of the same plan, tournaments in progress cannot be
// resumed.
func TestCanonicalIsForEver(t *testing.T) {
	p, err := Load("testdata/example.toml")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("testdata/canonical.txt", []byte(former(p)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/canonical.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), former(p)); diff != "" { // what versions before growing schedules have stored
		t.Error(diff)
	}
	format := "format = \"round-robin\"\n"
	wide := strings.Replace(string(want), format, format+"schedule = 2\n", 1)
	if diff := cmp.Diff(wide, begun(p, "")); diff != "" { // versions before seeds of 53 bits
		t.Error(diff)
	}
	seed := "\nseed = 1\n"
	mixed := strings.Replace(wide, seed, seed+"seed_bits = 53\n", 1)
	if diff := cmp.Diff(mixed, begun(p, mixed)); diff != "" { // versions whose seeds of games told that of the tournament
		t.Error(diff)
	}
	if diff := cmp.Diff(strings.Replace(mixed, "seed_bits = 53\n", "seed_bits = 53\nseeds = \"sha256\"\n", 1), begun(p, p.Canonical())); diff != "" {
		t.Error(diff)
	}
	if p.Fingerprint() != parseExample(t).Fingerprint() || len(p.Fingerprint()) != 64 {
		t.Errorf("fingerprint %s", p.Fingerprint())
	}
}

// begun is a plan as the version wrote it that wrote a text.
func begun(p *Plan, by string) string {
	text, _ := Begun(p.Canonical(), by)
	return text
}

func former(p *Plan) string { return Former(begun(p, "")) }

// parseExample reads the example with text replaced.
func parseExample(t *testing.T, replace ...string) *Plan {
	t.Helper()
	text, err := os.ReadFile("testdata/example.toml")
	if err != nil {
		t.Fatal(err)
	}
	with := strings.NewReplacer(replace...).Replace(string(text))
	if len(replace) > 0 && with == string(text) {
		t.Fatalf("nothing to replace: %q", replace)
	}
	p, err := Parse("testdata/example.toml", []byte(with))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What decides results changes the fingerprint, and is told; what does not, does not.
func TestChanges(t *testing.T) {
	before := parseExample(t)
	for _, c := range []struct{ old, new, want string }{
		{`name = "autumn"`, `name = "winter"`, ""},
		{`concurrency = 2`, `concurrency = 3`, ""},
		{`pin = "auto"`, `pin = "on"`, ""},
		{`records = true`, `records = false`, ""},
		{`explain = false`, `explain = true`, ""},
		{`token = "secret"`, `token = "word"`, ""},
		{`listen = "127.0.0.1:4222"`, `url = "nats://h"`, ""},
		{`odd_games = false`, `odd_games = true`, ""}, // allows what the number of games says
		{"# A tournament", "# Ein Turnier", ""},
		{`dir = "students/alice"`, `dir = "./students//alice/"`, ""},
		{`games = 2`, `games = 4`, "games: was 2, is 4"},
		{`cycles = 1`, `cycles = 3`, "cycles: was 1, is 3"},
		{`seed = 1`, `seed = 7`, "seed: was 1, is 7"},
		{`"mines=stay"`, `"illegal=retry:2"`, "retries: was 0, is 2"},
		{`nodes = 5000`, `nodes = 5001`, "player.3.nodes: was 5000, is 5001"},
		{`move = "200ms"`, `move = "201ms"`, `limits.move: was "200ms", is "201ms"`},
		{`max_plies = 1000`, `max_plies = 0`, "limits.max_plies: was 1000, is 0"},
		{`{ move = "400ms" }`, `{ move = "401ms" }`, `player.1.limits.move: was "400ms", is "401ms"`},
		{`processes = 64`, `processes = 65`, `player.1.confine.processes: was "64", is "65"`},
		{`processes = 64`, `processes = 0`, `player.1.confine.processes: gone, was "64"`},
		{`private = true }`, `private = false }`, `player.1.confine.private: gone, was true`},
		{`name = "alice"`, `name = "Alice"`, `player.1.name: was "alice", is "Alice"`},
		{`bot.py --fast`, `bot.py --slow`, `player.1.command: was ["python3","bot.py","--fast"], is ["python3","bot.py","--slow"]`},
		{`"students/alice"`, `"students/bob"`, `player.1.dir: was "students/alice", is "students/bob"`},
		{`OMP_NUM_THREADS = "1"`, `OMP_NUM_THREADS = "2"`, `player.1.env."OMP_NUM_THREADS": was "1", is "2"`},
		{`OMP_NUM_THREADS = "1"`, `OMP_NUM_THREADS = "1", B = "x"`, `player.1.env."B": new, "x"`},
		{`level = "strong"`, `level = "easy"`, `player.2.level: was "strong", is "easy"`},
		{`name = "random mover"`, "name = \"x\"\nlevel = \"rush\"\n[[player]]\nname = \"random mover\"", `player.4.name: new, "random mover"`},
	} {
		after := parseExample(t, c.old, c.new)
		var got []string
		for _, change := range Changes(before.Canonical(), after.Canonical()) {
			got = append(got, change.String())
		}
		if all := strings.Join(got, "\n"); c.want == "" && all != "" || !strings.Contains(all, c.want) {
			t.Errorf("%s → %s: changes %q, want %q", c.old, c.new, got, c.want)
		}
		if (before.Fingerprint() == after.Fingerprint()) != (c.want == "") {
			t.Errorf("%s → %s: fingerprint %s and %s", c.old, c.new, before.Fingerprint(), after.Fingerprint())
		}
	}
}

// A text that something else wrote is told apart, not overlooked.
func TestChangesOfForeignText(t *testing.T) {
	got := Changes("garbage\nseed = 1\n", "seed = 1\n")
	if diff := cmp.Diff([]Change{{"garbage", "an unknown line", ""}}, got); diff != "" {
		t.Error(diff)
	}
}
