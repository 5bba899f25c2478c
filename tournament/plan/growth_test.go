package plan

import (
	"strings"
	"testing"
)

// A plan grows by players behind the others, games and cycles, and by nothing else.
func TestGrown(t *testing.T) {
	const was = `game = "jungle"
format = "round-robin"
games = 2
cycles = 2
[[player]]
name = "one"
level = "greedy"
[[player]]
name = "two"
level = "random"
`
	canonical := func(text string) string {
		t.Helper()
		p, err := Parse("plan.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return p.Canonical()
	}
	third := "[[player]]\nname = \"three\"\nlevel = \"easy\"\n"
	change := func(pairs ...string) string { return canonical(strings.NewReplacer(pairs...).Replace(was)) }
	for name, c := range map[string]struct {
		is   string
		want bool
	}{
		"the same":          {canonical(was), true},
		"a player":          {canonical(was + third), true},
		"games":             {change("games = 2", "games = 4"), true},
		"more, in all":      {change("games = 2", "games = 8", "cycles = 2", "cycles = 1"), true},
		"everything":        {canonical(strings.Replace(was, "cycles = 2", "cycles = 3", 1) + third), true},
		"fewer games":       {change("cycles = 2", "cycles = 1"), false},
		"odd games":         {change("games = 2", "games = 3\nodd_games = true"), false},
		"another level":     {change("random", "easy"), false},
		"a player between":  {change("[[player]]\nname = \"two\"", third+"[[player]]\nname = \"two\""), false},
		"a player less":     {change("one", "two", "two", "one"), false},
		"a seed":            {change("games = 2", "games = 2\nseed = 5"), false},
		"random plies":      {change("games = 2", "games = 2\nrandom_plies = 5"), false},
		"another format":    {change("\"round-robin\"", "\"match\"", "cycles = 2", ""), false},
		"of earlier origin": {Former(canonical(was)), false},
	} {
		if got := Grown(canonical(was), c.is); got != c.want {
			t.Errorf("%s: grown %t", name, got)
		}
	}
	if Grown(Former(canonical(was)), canonical(was+third)) {
		t.Error("a tournament of an earlier version grows")
	}
}
