package plan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestIdle: limits of clocks that never run are found, each where it stands, and are no errors of the plan.
func TestIdle(t *testing.T) {
	const (
		head  = "game = \"jungle\"\nformat = \"match\"\n"
		fixed = "[[player]]\nname = \"a\"\nlevel = \"random\"\n[[player]]\nname = \"b\"\nlevel = \"greedy\"\n"
		bot   = "[[player]]\nname = \"c\"\ncommand = \"./bot\"\n"
		timed = "[[player]]\nname = \"d\"\nlevel = \"strong\"\n"
		all   = "[limits]\nclock = \"wall\"\ngrace = \"1s\"\nmove = \"1s\"\nfirst = \"2s\"\n"
	)
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"levels that look at no clock": {head + fixed + all, []string{
			"x.toml:10:1: limits.clock: it has no effect: no player is a program", "x.toml:11:1: limits.grace: it has no effect: no player is a program",
			"x.toml:12:1: limits.move: it has no effect: no player looks at the clock", "x.toml:13:1: limits.first: it has no effect: no player looks at the clock",
		}},
		"a level that looks at it":         {head + strings.Replace(fixed, "greedy", "strong", 1) + all, []string{"limits.clock", "limits.grace"}},
		"the same, by positions":           {head + "nodes = 5\n" + strings.Replace(fixed, "greedy", "strong", 1) + "[limits]\nmove = \"1s\"\n", []string{"limits.move"}},
		"a program":                        {strings.Replace(head, "match", "round-robin", 1) + fixed + bot + all, nil},
		"a clock for all moves":            {head + fixed + "[limits]\ntotal = \"1m\"\ngrace = \"1s\"\n", nil},
		"no limits":                        {head + fixed, nil},
		"set-ups":                          {strings.Replace(head, "jungle", "luzhanqi", 1) + fixed + "[limits]\nsetup = \"1s\"\n", []string{"limits.setup: it has no effect: no player is a program"}},
		"of a level that has them":         {head + bot + timed + "limits = { move = \"1s\", grace = \"1s\" }\n", []string{"x.toml:9:25: player.2.limits.grace: it has no effect: the player is no program"}},
		"of a level that looks at nothing": {head + bot + fixed[:strings.Index(fixed, "[[player]]\nname = \"b\"")] + "limits = { move = \"1s\" }\n", []string{"player.2.limits.move: it has no effect: the player looks at no clock"}},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x.toml")
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			p, err := Load(file)
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			if err := p.Idle(); err != nil {
				found = strings.Split(err.Error(), "\n")
			}
			if len(found) != len(c.want) {
				t.Fatalf("found %q, want %q", found, c.want)
			}
			for i, want := range c.want {
				if !strings.Contains(found[i], want) {
					t.Errorf("%q does not say %q", found[i], want)
				}
			}
		})
	}
}
