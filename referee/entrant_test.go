package referee

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/game/games"
)

// A text on a command line names a player as it does in a match.
func TestEntrant(t *testing.T) {
	jar := filepath.Join(t.TempDir(), "bot.jar")
	if err := os.WriteFile(jar, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, name, want string }{
		{"builtin:random", "", "random"},
		{"builtin:random", "x", "x"},
		{"./dir/bot -v", "", "bot"},
		{"java -jar '" + jar + "'", "", "bot.jar"},
		{"java -jar '" + jar + "'", "x", "x"},
	} {
		for _, g := range games.All {
			e, err := ParseEntrant(g, c.text, c.name)
			if err != nil || e.Name != c.want {
				t.Errorf("%s: %q, %v; want %q", c.text, e.Name, err, c.want)
			}
			if builtin := strings.HasPrefix(c.text, "builtin:"); builtin != (e.Level != nil) || builtin == (e.Protocol == g.Protocols()[0]) {
				t.Errorf("%s: level %v, protocol %v", c.text, e.Level, e.Protocol)
			}
		}
	}
	for text, want := range map[string]string{"": "it names no program", "builtin:best": `level "best" of luzhanqi: allowed are`, "builtin:": `level ""`, "a | b": "command line"} {
		if _, err := ParseEntrant(games.All[0], text, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestProgramName guards that players who are started by the same interpreter have names of their own.
func TestProgramName(t *testing.T) {
	for line, want := range map[string]string{
		"./mybot --deep":                         "mybot",
		"java -XX:+UseSerialGC Bot 7":            "Bot",
		"java -cp build/classes org.example.Bot": "org.example.Bot",
		"java -jar nowhere/bot.jar":              "bot.jar",
		"java -cp classes":                       "java",
		"python3 -u entrant_test.go 3":           "entrant_test.go",
		"python3 nowhere.py":                     "python3",
	} {
		if got := ProgramName(strings.Fields(line)); got != want {
			t.Errorf("%s is called %q, want %q", line, got, want)
		}
	}
}
