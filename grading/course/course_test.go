package course

import (
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/tournament/plan/strict"

	"pgregory.net/rapid"
)

// small is a course to be spoilt.
const small = `title = "A course"
game = "jungle"
submissions = "in"
seed = 3
limits = { move = "1s" }
[build]
time = "5s"
[check]
games = 4
[class]
format = "round-robin"
games = 2
[[language]]
detect = "bot.py"
run = "python3 bot.py"
[[item]]
kind = "builds"
points = 10
[[item]]
kind = "level"
level = "greedy"
games = 4
points = 20.5
curve = [{ score = 0, marks = 0 }, { score = 0.5, marks = 0.9 }, { score = 1, marks = 1 }]
[[item]]
kind = "class"
points = 5
bonus = true
`

func TestParse(t *testing.T) {
	c, err := Parse("some/course.toml", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	if c.Max() != 30.5 || len(c.Items) != 3 || c.Items[1].Curve.At(0.25) != 0.45 || c.Items[1].Title != "Games against greedy" || c.Build.Time.Seconds() != 5 {
		t.Errorf("%+v", c)
	}
	if !strings.HasSuffix(c.Submissions, "some/in") || !c.Confine.Private || c.Build.Confine.Private || c.Class.Games != 2 {
		t.Errorf("%+v", c)
	}
}

// TestNoCheck: there is a check if the course has a table or an item for it.
func TestNoCheck(t *testing.T) {
	const table = "[check]\ngames = 4\n"
	for text, want := range map[string]int{
		small:                                4,
		strings.Replace(small, table, "", 1): 0,
		strings.Replace(small, table, "", 1) + "[[item]]\nkind = \"conformance\"\npoints = 1\n": 8,
	} {
		c, err := Parse("course.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if c.CheckGames != want {
			t.Errorf("%d games, want %d", c.CheckGames, want)
		}
	}
}

// TestErrors: each mistake is told with its place.
func TestErrors(t *testing.T) {
	for _, test := range []struct{ old, new, want string }{
		{`game = "jungle"`, `game = "go"`, "c.toml:2:1: game: "},
		{`title = "A course"`, ``, "c.toml: title is missing"},
		{`seed = 3`, `sed = 3`, "c.toml:4:1: sed: unknown key; allowed are "},
		{`seed = 3`, `seed = -1`, "c.toml:4:1: seed: found -1"},
		{`submissions = "in"`, ``, "submissions is missing"},
		{`move = "1s"`, `move = "soon"`, `c.toml:5:12: limits.move: found "soon"`},
		{`move = "1s"`, `start = "1s"`, "no effect"},
		{`move = "1s"`, `setup = "1s"`, "no effect"},
		{`time = "5s"`, `time = "0s"`, "c.toml:7:1: build.time: found 0s; allowed are 1s to "},
		{`time = "5s"`, `confine = { private = true }`, "gone with the copy"},
		{`games = 4`, `games = 6`, "multiples of 4"},
		{`[build]`, "[confine]\nprivate = false\n[build]", "in a copy of its own folder"},
		{`time = "5s"`, `bytes = "1MiB"`, "c.toml:7:1: build.bytes: found 1 MiB, less than the 64 MiB that may be unpacked"},
		{`time = "5s"`, `bytes = "2GiB"`, "allowed are "},
		{`time = "5s"`, `files = 100`, "less than the 2000 that may be unpacked"},
		{`[build]`, "[sandbox]\nread = [\"nowhere\"]\n[build]", "sandbox.read: stat "},
		{`[build]`, "[sandbox]\nread = [\".\"]\n[build]", "are not apart; a folder of tools holds nothing that is handed in"},
		{`[build]`, "[confine]\nmemory = \"512\"\n[build]", "confine.memory"},
		{`format = "round-robin"`, `format = "knockout"`, "allowed are round-robin, swiss"},
		{`format = "round-robin"`, `format = "swiss"`, "rounds is missing"},
		{`detect = "bot.py"`, `detect = "src/bot.py"`, "at the top of a submission"},
		{`detect = "bot.py"`, `detect = "[.py"`, "pattern"},
		{`run = "python3 bot.py"`, `run = "a | b"`, "language.1.run"},
		{`run = "python3 bot.py"`, ``, "run is missing"},
		{`kind = "builds"`, `kind = "style"`, "allowed are builds, conformance, level, time, class"},
		{`points = 10`, ``, "points is missing"},
		{`points = 10`, `points = 0.001`, "two decimals"},
		{`points = 10`, "points = 10\nslow = 0.5", "an item of kind builds has none"},
		{`level = "greedy"`, `level = "expert"`, "c.toml:21:1: item.2.level: "},
		{`level = "greedy"`, `level = "strong"`, "give it nodes"},
		{"games = 4\npoints", "games = 3\npoints", "even numbers"},
		{`score = 0.5, marks = 0.9`, `score = 0.5, marks = 2`, "item.2.curve.2.marks: found 2"},
		{`score = 0.5, marks = 0.9`, `score = 0, marks = 0.9`, "scores must grow"},
		{`{ score = 0, marks = 0 }, `, ``, "it goes from 0.5 to 1"},
		{`kind = "builds"`, `kind = "conformance"` + "\nsteps = [\"wins\"]", `found "wins"; allowed are found, starts`},
		{"[class]\nformat = \"round-robin\"\ngames = 2", "", "there is no class tournament"},
		{"kind = \"level\"\nlevel = \"greedy\"\ngames = 4", "kind = \"time\"", "no item of kind level"},
	} {
		text := strings.Replace(small, test.old, test.new, 1)
		if text == small {
			t.Fatalf("%q is not there", test.old)
		}
		if _, err := Parse("c.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q for %q: %v, want %q", test.new, test.old, err, test.want)
		}
	}
}

// TestCurve: a curve that was accepted never falls and stays from 0 to 1.
func TestCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		share := rapid.Float64Range(0, 1)
		c := Curve(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [2]float64 {
			return [2]float64{share.Draw(t, "score"), share.Draw(t, "marks")}
		}), 0, 5).Draw(t, "curve"))
		c = append(append(Curve{{0, share.Draw(t, "first")}}, c...), [2]float64{1, share.Draw(t, "last")})
		if c.check() != nil {
			return
		}
		a, b := share.Draw(t, "a"), share.Draw(t, "b")
		if a > b {
			a, b = b, a
		}
		if low, high := c.At(a), c.At(b); !(low >= 0 && low <= high+1e-12 && high <= 1) {
			t.Fatalf("%v: %v at %v, %v at %v", c, low, a, high, b)
		}
		for _, p := range c {
			if got := c.At(p[0]); got < p[1]-1e-9 || got > p[1]+1e-9 {
				t.Fatalf("%v: %v at %v", c, got, p[0])
			}
		}
	})
}

// FuzzParse: no text makes the reader panic, and what it accepts has marks to give.
func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	f.Fuzz(func(t *testing.T, text []byte) {
		if c, err := Parse("c.toml", text); err == nil && (c.Max() <= 0 || c.Protocol == nil || c.CheckGames%4 != 0) {
			t.Fatalf("%+v", c)
		}
	})
}

// Parse reads the course in a text; file names it in errors, and paths are relative to its folder.
func Parse(file string, text []byte) (*Course, error) {
	d, err := strict.Parse(file, text)
	if err != nil {
		return nil, err
	}
	return read(d, filepath.Dir(file))
}
