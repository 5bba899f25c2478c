package plan

import (
	"os"
	"strings"
	"testing"

	"luzhanqi/tournament/schedule"
)

// No text makes the reader panic; whatever it accepts has a schedule, and a canonical text that does not
// depend on the reading.
func FuzzParse(f *testing.F) {
	example, err := os.ReadFile("testdata/example.toml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(example))
	f.Add(minimal)
	f.Add(strings.Replace(minimal, "match", "knockout", 1))
	f.Add("game = \"chess1d\"\nformat = \"gauntlet\"\nplayer = [{name = \"a\", command = [\"x\", \"y\"], challenger = true}, {name = \"b\", level = \"random\"}]\n")
	f.Add("[player.limits]\n[[player]]\n[[player.a.b]]\nc.d = {e = [{f = 1}]}")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(dir+"/x.toml", []byte(text))
		if err != nil {
			if p != nil || err.Error() == "" {
				t.Fatalf("%v with %v", p, err)
			}
			return
		}
		if _, err := schedule.New(p.Schedule); err != nil {
			t.Fatal(err)
		}
		again, err := Parse(dir+"/x.toml", []byte(text))
		if err != nil || again.Canonical() != p.Canonical() || len(Changes(p.Canonical(), again.Canonical())) > 0 {
			t.Fatalf("read again: %v", err)
		}
		if lines := strings.Count(p.Canonical(), " = "); lines < strings.Count(p.Canonical(), "\n") {
			t.Fatal(p.Canonical())
		}
	})
}
