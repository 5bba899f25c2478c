package grading

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"luzhanqi/examples/starters"
	"luzhanqi/grading/course"
	"luzhanqi/process"
	"luzhanqi/process/processtest"
	"luzhanqi/process/sandbox"
)

// TestReadyLanguagesPlay: submissions in the ready languages are built and play, sealed where the machine can, in a course that
// has not a word about languages; files may be called otherwise, be several, and lie in a package.
func TestReadyLanguagesPlay(t *testing.T) {
	t.Parallel()
	processtest.Need(t, "javac", "g++", "gcc", "node", "python3", "go")
	dir := t.TempDir()
	in := func(parts ...string) string { return filepath.Join(append([]string{dir, "in"}, parts...)...) }
	source := func(language string) string {
		l, _ := starters.Find(language)
		text, err := l.Source("jungle")
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	write(t, in("python", "player.py"), source("python")+"\n# __main__\n")
	write(t, in("python", "helper.py"), "X = 1\n")
	write(t, in("java", "src", "Bot.java"), "package com.example;\n"+source("java")) // in one folder more
	write(t, in("java", "src", "Other.java"), "package com.example;\nclass Other {}\n")
	write(t, in("java", "__MACOSX", "._src"), "")
	write(t, in("cpp", "game.cpp"), source("cpp"))
	write(t, in("cpp", "more.cpp"), "int more() { return 1; }\n")
	write(t, in("c", "bot.c"), "#include <stdio.h>\nint main(void) { while (getchar() != EOF) {} }\n")
	write(t, in("javascript", "bot.js"), source("javascript"))
	write(t, in("go", "main.go"), source("go"))
	write(t, in("unsure", "a.py"), "print()\n")
	write(t, in("unsure", "b.py"), "print()\n")
	write(t, in("broken", "Bot.java"), "class Bot { public static void main(String[] a) { nonsense } }\n")
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "course.toml")
	write(t, file, fmt.Sprintf(`title = "Ready"
game = "jungle"
submissions = "in"
limits = { move = "10s", grace = "5s", max_plies = 6 }
[sandbox]
read = [%[1]q]
[build]
env = { GOCACHE = %[1]q }
[[item]]
kind = "builds"
points = 1
[[item]]
kind = "level"
level = "random"
games = 2
points = 1
`, strings.TrimSpace(string(cache))))
	c, err := course.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Out: filepath.Join(dir, "out"), Concurrency: 2}
	if process.Isolation().Sealed() == nil {
		o.Sandbox = sandbox.Sealed
	}
	outcome, err := Run(t.Context(), c, o)
	if err != nil || len(outcome.Failures) > 0 {
		t.Fatalf("%v, %v", err, outcome.Failures)
	}
	for _, s := range outcome.Sheets {
		built, wrong := s.Items[0].Points == 1, ""
		if r := s.Items[0].Reasons; len(r) > 0 {
			wrong = r[0].Detail + r[0].Output
		}
		switch s.Name {
		case "unsure":
			if !strings.Contains(wrong, "several files could be the program: a.py, b.py; call the one that is started bot.py") {
				t.Errorf("unsure: %s", wrong)
			}
		case "broken":
			if !strings.Contains(wrong, "Bot.java:1: error") {
				t.Errorf("broken: %s", wrong)
			}
		default:
			if !built {
				t.Errorf("%s: %s", s.Name, wrong)
			}
			if s.Name != "c" && s.Items[1].Points < 0.5 { // six plies are a draw, unless it broke a rule
				t.Errorf("%s: %+v", s.Name, s.Items[1])
			}
		}
	}
	if len(outcome.Sheets) != 8 {
		t.Errorf("%d sheets", len(outcome.Sheets))
	}
}

// TestOneLanguageChanged: what is said of one language concerns its submissions only, an item that is put before another makes
// nobody play again, and another way to write the same changes nothing.
func TestOneLanguageChanged(t *testing.T) {
	t.Parallel()
	file, out := describeGames(t, "", "honest", "first"), t.TempDir()
	write(t, filepath.Join(filepath.Dir(file), "submissions/other/other.txt"), "first")
	other := strings.Replace(strings.Split(read(t, file)[strings.Index(read(t, file), "[[language]]"):], "[[item]]")[0], `name = "roles"
detect = "role"`, "name = \"others\"\ndetect = \"*.txt\"\nbuild = [\"cp\", \"{file}\", \"role\"]", 1)
	write(t, file, strings.Replace(read(t, file), "[[language]]", other+"[[language]]", 1))
	var done []string
	note := func(e Event) {
		if e.Event == "stage" {
			done = append(done, e.Submission+" "+e.Stage)
		}
	}
	change := func(what, old, new string, want ...string) {
		t.Helper()
		text := read(t, file)
		if !strings.Contains(text, old) {
			t.Fatalf("%s: the course has no %q", what, old)
		}
		write(t, file, strings.Replace(text, old, new, 1))
		done = nil
		grade(t, file, out, note)
		if slices.Sort(done); !slices.Equal(done, want) {
			t.Errorf("%s: done were %q, want %q", what, done, want)
		}
	}
	grade(t, file, out, note)
	if len(done) != 9 {
		t.Errorf("at first, done were %q", done)
	}
	change("a build of one language", `"cp", "{file}", "role"]`, `"cp", "-f", "{file}", "role"]`, "other build", "other level", "other unpack")
	change("a name", `name = "roles"`, `name = "all roles"`)
	change("an item before others", "[[item]]", "[[item]]\nkind = \"level\"\nlevel = \"greedy\"\ngames = 2\npoints = 1\n[[item]]", "first level", "honest level", "other level")
}

// TestHopeless: that nothing of a language could be built is said, with the first line of what the first one wrote.
func TestHopeless(t *testing.T) {
	t.Parallel()
	file, out := describeGames(t, "", "honest", "first"), t.TempDir()
	write(t, file, strings.Replace(read(t, file), "detect = \"role\"", "detect = \"role\"\nbuild = [\"sh\", \"-c\", \"echo oh no; exit 3\"]", 1))
	var said []string
	grade(t, file, out, func(e Event) {
		if e.Event == "suspect" {
			said = append(said, e.Text)
		}
	})
	if len(said) != 1 || !strings.Contains(said[0], "every submission in roles failed: none of 2 could be built") || !strings.Contains(said[0], "it wrote: oh no") {
		t.Errorf("said were %q", said)
	}
	if page := read(t, filepath.Join(out, "class/index.html")); !strings.Contains(page, "every submission in roles failed") {
		t.Error("the page of the class does not say it")
	}
}
