package course

import (
	"slices"
	"strings"
	"testing"
)

// languageTable is what the small course says of its language.
const languageTable = "[[language]]\ndetect = \"bot.py\"\nrun = \"python3 bot.py\"\n"

// TestShellWords: a line that only a shell would understand is refused with what to write instead, since every submission
// would fail by it; the same line given to a shell is let through.
func TestShellWords(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{`build = "javac *.java"`, `language.1.build: found the pattern "*.java", which no shell replaces`},
		{`build = "javac *.java"`, `or give it to one: build = ["sh", "-c", "javac *.java"]`},
		{`build = ["javac", "*.java"]`, `{files} for all files that detect fits`},
		{`build = "g++ bot?.cpp"`, "pattern"},
		{`build = "g++ bot[12].cpp"`, `found the pattern "bot[12].cpp"`},
		{`build = "make && ./configure"`, `build = ["sh", "-c", "make && ./configure"]`},
		{`build = "make; make install"`, `"sh", "-c"`},
		{`build = "make > log"`, `"sh", "-c"`},
		{`build = "make | tee log"`, `"sh", "-c"`},
		{`build = ["make", "&&", "true"]`, `found "&&", which only a shell understands`},
		{`build = ["make", "2>&1"]`, `found "2>&1"`},
		{`build = ["make", ">log"]`, `found ">log"`},
		{`build = "cd src"`, `found "cd", a word of the shell's own`},
		{`build = "! make"`, `found "!", a word of the shell's own, and no shell reads this line; give it to one: build = ["sh", "-c", "! make"]`},
		{`build = ["if", "true"]`, `found "if", a word of the shell's own`},
		{`build = "exec make"`, `build = ["sh", "-c", "exec make"]`},
		{`build = "time make"`, `found "time", a word of the shell's own, and no shell reads this line; give it to one: build = ["bash", "-c", "time make"]`},
		{`build = "[[ -f bot.py ]]"`, `build = ["bash", "-c", "[[ -f bot.py ]]"]`},
		{`build = "javac {Bot,Board}.java"`, `found the braces of "{Bot,Board}.java", of which no shell makes several words here; write the words out, or give it to one: build = ["bash", "-c", "javac {Bot,Board}.java"]`},
		{`build = ["javac", "src/{Bot,Board}.java"]`, `found the braces of "src/{Bot,Board}.java"`},
		{`build = "gcc a{1..3}.c"`, `build = ["bash", "-c", "gcc a{1..3}.c"]`},
		{`build = "CGO_ENABLED=0 go build"`, `env = { … } of [build]`},
		{`build = "javac {all}"`, "found {all}; allowed are {file}, {files} and {class}"},
		{`build = "javac -cp={files}"`, "must be a word of its own"},
		{`run = "java *"`, "language.1.run: found the pattern"},
	} {
		text := strings.Replace(small, "run = \"python3 bot.py\"", test.line+"\nrun = \"python3 bot.py\"", 1)
		if strings.HasPrefix(test.line, "run") {
			text = strings.Replace(small, "run = \"python3 bot.py\"", test.line, 1)
		}
		if _, err := Parse("c.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.line, err, test.want)
		}
	}
	for _, line := range []string{
		`build = ["sh", "-c", "javac *.java && true"]`, `build = "javac {files}"`, `build = "bash -c 'javac *.java'"`, `build = "gcc -o bot {file} -lm"`,
		`build = ["sh", "-c", "echo ${HOME} {x}"]`, `build = "bash -c 'javac {Bot,Board}.java'"`, `build = ["./configure", "{\"fast\": true, \"level\": 2}"]`,
		`build = "test -f bot.py"`, `build = "[ -f bot.py ]"`, `build = "/usr/bin/time make"`, // programs, which each system has
	} {
		text := strings.Replace(small, "run = \"python3 bot.py\"", line+"\nrun = \"python3 bot.py\"", 1)
		if _, err := Parse("c.toml", []byte(text)); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestReadyLanguages: a language can be named, changed in part, or left to all that are ready; Java gets no more heap than half
// of its memory.
func TestReadyLanguages(t *testing.T) {
	parse := func(table string) *Course {
		t.Helper()
		c, err := Parse("c.toml", []byte(strings.Replace(small, languageTable, table, 1)))
		if err != nil {
			t.Fatalf("%s: %v", table, err)
		}
		return c
	}
	var names []string
	for _, l := range parse("").Languages {
		names = append(names, l.Name)
	}
	if want := "Go, Java, C++, C, Go (files), Python, JavaScript"; strings.Join(names, ", ") != want {
		t.Errorf("without a word there are %q, want %s", names, want)
	}
	l := parse("[[language]]\nlanguage = \"java\"\n").Languages[0]
	if !slices.Contains(l.Run, "-Xmx256m") || !slices.Equal(l.Build, []string{"javac", "-encoding", "UTF-8", "-d", ".", PlaceFiles}) {
		t.Errorf("java is %+v", l)
	}
	l = parse("[[language]]\nlanguage = \"java\"\nrun = \"java -jar {file}\"\ndetect = [\"bot.jar\", \"*.jar\"]\nbuild = \"\"\nname = \"jars\"\n").Languages[0]
	if l.Name != "jars" || len(l.Build) != 0 || l.Run[1] != "-jar" || !l.Exact("bot.jar") {
		t.Errorf("changed, java is %+v", l)
	}
	if l := parse("[[language]]\nlanguage = \"java\"\n[confine]\nmemory = \"128MiB\"\n").Languages[0]; !slices.Contains(l.Run, "-Xmx64m") {
		t.Errorf("with little memory java is run by %q", l.Run)
	}
	_, err := Parse("c.toml", []byte(strings.Replace(small, languageTable, "[[language]]\nlanguage = \"cobol\"\n", 1)))
	if err == nil || !strings.Contains(err.Error(), "allowed are java, cpp, c, go, python, javascript, make") {
		t.Errorf("of cobol: %v", err)
	}
}

// TestFill: places become words, and a file that begins like an option stays a file.
func TestFill(t *testing.T) {
	l := Language{Detect: []string{"Bot.java", "*.java"}}
	files := l.Fits([]string{"A.java", "-x.java", "README", "Bot.java"})
	if want := []string{"Bot.java", "A.java", "-x.java"}; !slices.Equal(files, want) {
		t.Fatalf("fits are %q, want %q", files, want)
	}
	got := Fill([]string{"javac", PlaceFiles, "-main", PlaceClass, PlaceFile}, "Bot.java", files, "a.Bot")
	if want := []string{"javac", "Bot.java", "A.java", "./-x.java", "-main", "a.Bot", "Bot.java"}; !slices.Equal(got, want) {
		t.Errorf("filled in: %q, want %q", got, want)
	}
}
