package course

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"luzhanqi/process"
	"luzhanqi/text"
	"luzhanqi/tournament/plan/strict"
)

// Language is how submissions of one kind are recognised, built and run.
type Language struct {
	Name   string
	Detect []string // names of files at the top of the submission, or patterns; the first that fits counts
	Build  []string // words, which may hold places (see places); none: nothing is built
	Run    []string // words, likewise
	Env    []string // of the build, before what the course adds
	Main   string   // what the text of a program has, where a pattern fits several files; empty: nothing tells
}

// Fits says which files of those at the top of a submission have the language's names, the one that counts most first.
func (l Language) Fits(names []string) (all []string) {
	for _, pattern := range l.Detect {
		for _, name := range names {
			if ok, _ := filepath.Match(pattern, name); ok && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// Exact says whether a file has one of the names that are no patterns.
func (l Language) Exact(name string) bool { return slices.Contains(l.Detect, name) }

// The places in command lines that are filled in for each submission.
const (
	PlaceFile  = "{file}"  // the file by which the language was recognised
	PlaceFiles = "{files}" // all that detect fits, each a word of its own
	PlaceClass = "{class}" // the class in that file, with its package, as Java calls it
)

// Uses says whether a command has a place.
func Uses(place string, words ...[]string) bool {
	return slices.ContainsFunc(slices.Concat(words...), func(w string) bool { return strings.Contains(w, place) })
}

// Fill fills in the places of a command.
func Fill(words []string, file string, files []string, class string) (filled []string) {
	for _, w := range words {
		if w == PlaceFiles {
			for _, f := range files {
				filled = append(filled, relative(f))
			}
			continue
		}
		filled = append(filled, strings.NewReplacer(PlaceFile, relative(file), PlaceClass, class).Replace(w))
	}
	return filled
}

// relative keeps a name that a stranger has chosen from being taken for an option.
func relative(file string) string {
	if strings.HasPrefix(file, "-") {
		return "./" + file
	}
	return file
}

// ready are the languages that need not be described. All build and play sealed; what each was tried with is in
// docs/security.md. Go comes twice: a module is told by its file, and else all files are one program.
var ready = map[string][]Language{
	"python": {{
		Name: "Python", Detect: []string{"bot.py", "main.py", "*.py"}, Main: `__main__`,
		Build: []string{"python3", "-m", "py_compile", PlaceFile}, Run: []string{"python3", PlaceFile},
	}},
	"java": {{
		Name: "Java", Detect: []string{"Bot.java", "Main.java", "*.java"}, Main: `static\s+(public\s+)?void\s+main\b`,
		Build: []string{"javac", "-encoding", "UTF-8", "-d", ".", PlaceFiles},
		// The options halve the time to start; the heap that Java takes by itself is a part of the machine's memory.
		Run: []string{"java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-cp", ".", PlaceClass},
	}},
	"c": {{
		Name: "C", Detect: []string{"bot.c", "main.c", "*.c"},
		Build: []string{"gcc", "-O2", "-std=gnu17", "-o", "bot", PlaceFiles, "-lm"}, Run: []string{"./bot"},
	}},
	"cpp": {{
		Name: "C++", Detect: []string{"bot.cpp", "main.cpp", "*.cpp", "*.cc", "*.cxx"},
		Build: []string{"g++", "-O2", "-std=gnu++20", "-o", "bot", PlaceFiles}, Run: []string{"./bot"},
	}},
	"javascript": {{
		Name: "JavaScript", Detect: []string{"bot.js", "main.js", "index.js", "bot.mjs", "main.mjs", "*.js", "*.mjs"}, Main: `process\.stdin|readline`,
		Build: []string{"node", "--check", PlaceFile}, Run: []string{"node", PlaceFile},
	}},
	"go": {
		{Name: "Go", Detect: []string{"go.mod"}, Build: []string{"go", "build", "-o", "bot", "."}, Run: []string{"./bot"}, Env: goEnv},
		{Name: "Go (files)", Detect: []string{"*.go"}, Build: []string{"go", "build", "-o", "bot", PlaceFiles}, Run: []string{"./bot"}, Env: goEnv},
	},
	"make": {{Name: "make", Detect: []string{"Makefile", "makefile"}, Build: []string{"make"}, Run: []string{"./bot"}}},
}

// goEnv keeps a build of Go from looking for networks and repositories.
var goEnv = []string{"GOFLAGS=-buildvcs=false", "GOPROXY=off", "GOTOOLCHAIN=local", "CGO_ENABLED=0"}

// unwritten are the languages of a course that describes none, in this order: what a submission is mainly written in comes
// before what also lies beside it. make is not one of them: a Makefile may lie beside any.
var unwritten = []string{"java", "cpp", "c", "go", "python", "javascript"}

// Ready are the names of the ready languages.
func Ready() []string { return append(slices.Clone(unwritten), "make") }

// allReady are the languages of a course that describes none: those of modules and fixed names before any pattern.
func (r *reading) allReady() (all []Language) {
	for _, name := range unwritten {
		all = append(all, r.fitted(name)...)
	}
	slices.SortStableFunc(all, func(a, b Language) int { // a go.mod tells more than any ending
		return isModule(b) - isModule(a)
	})
	return all
}

func isModule(l Language) int {
	if l.Detect[0] == "go.mod" {
		return 1
	}
	return 0
}

// fitted is a ready language, with a heap for Java that its memory has room for.
func (r *reading) fitted(name string) (all []Language) {
	for _, l := range ready[name] {
		const usual = 256 << 20
		if m := r.Confine.Memory; name == "java" && m > 0 && m/2 < usual {
			l.Run = slices.Clone(l.Run)
			l.Run[slices.Index(l.Run, "-Xmx256m")] = fmt.Sprintf("-Xmx%dm", max(16, m/2>>20))
		}
		all = append(all, l)
	}
	return all
}

// languages reads how submissions are recognised.
func (r *reading) languages() {
	names := map[string]bool{}
	for _, t := range r.root.Tables("language") {
		all := []Language{{}}
		if t.Has("language") {
			which := t.Word("language", "", Ready()...)
			if which == "" {
				continue
			}
			all = r.fitted(which)
		} else {
			t.Require("detect", "run")
		}
		detect := detected(t)
		name, build, run := t.Text("name", ""), r.words(t, "build"), r.words(t, "run")
		if detect != nil && t.Has("language") {
			all = all[:1]
		}
		for i, l := range all {
			if detect != nil {
				l.Detect = detect
			}
			if t.Has("build") {
				l.Build = build
			}
			if t.Has("run") {
				l.Run = run
			}
			if name != "" && i == 0 {
				l.Name = name
			}
			if l.Name == "" && len(l.Detect) > 0 {
				l.Name = l.Detect[0]
			}
			for key, words := range map[string][]string{"build": l.Build, "run": l.Run} {
				t.Error(key, checkPlaces(words))
			}
			if names[l.Name] {
				t.Errorf("", "there are two languages called %q", l.Name)
			}
			names[l.Name] = true
			r.Languages = append(r.Languages, l)
		}
	}
	if !r.root.Has("language") {
		r.Languages = r.allReady()
	}
}

// detected reads the names of files, one or several.
func detected(t *strict.Table) (all []string) {
	if t.IsArray("detect") {
		all = t.Words("detect")
	} else if one := t.Text("detect", ""); t.Has("detect") {
		all = []string{one}
	}
	for _, pattern := range all {
		if _, err := filepath.Match(pattern, "x"); err != nil || pattern == "" || strings.ContainsAny(pattern, `/\`) {
			t.Errorf("detect", "found %q; allowed is the name of a file at the top of a submission, or a pattern such as *.py", pattern)
		}
	}
	return all
}

var place = regexp.MustCompile(`\{[a-z]*\}`)

// checkPlaces refuses places that do not exist, and one that cannot be part of a word.
func checkPlaces(words []string) error {
	for _, w := range words {
		for _, p := range place.FindAllString(w, -1) {
			switch {
			case isShell(words):
			case p != PlaceFile && p != PlaceFiles && p != PlaceClass:
				return fmt.Errorf("found %s; allowed are %s, %s and %s", p, PlaceFile, PlaceFiles, PlaceClass)
			case p == PlaceFiles && w != p:
				return fmt.Errorf("found %q; %s must be a word of its own", w, PlaceFiles)
			}
		}
	}
	return nil
}

// words reads a command, as a line or in words, and refuses what only a shell would understand.
func (r *reading) words(t *strict.Table, key string) []string {
	if t.IsArray(key) {
		all := t.Words(key)
		t.Error(key, noShell(key, strings.Join(all, " "), all))
		return all
	}
	line := t.Text(key, "")
	if line == "" {
		return nil
	}
	c, err := process.ParseCommand(line)
	if err == nil {
		err = noShell(key, line, c.Args)
	} else if word := braces.FindString(line); word != "" {
		err = braced(key, line, word)
	} else if shellSign.MatchString(line) {
		err = fmt.Errorf("%w; %s", err, remedy("sh", key, line))
	}
	t.Error(key, err)
	return c.Args
}

var (
	shellSign   = regexp.MustCompile("&&|[|;<>&`]|\\$\\(|#")
	shellWord   = regexp.MustCompile(`^(&&|\|\||[|;&]|[0-9]?(>>?|<)(&[0-9])?.*)$`)
	filePattern = regexp.MustCompile(`[*?]|\[[^]]+\]`)
	braces      = regexp.MustCompile(`[^\s{}]*\{[^\s{}"':]*(,|\.\.)[^\s{}"':]*\}[^\s{}]*`)
	assignment  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)
)

// shells run a line that is one word; what they are given is their own.
var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "busybox"}

// Words that only a shell knows, in the place of a program: of every shell, and of bash alone. [ and test are not among them: each
// system has programs of these names, and a build may end by asking whether its file is there.
var (
	shellsOwn = []string{
		"!", "{", "(", ".", ":", "alias", "case", "cd", "command", "eval", "exec", "exit", "export", "for", "if", "read", "readonly", "return", "set", "shift",
		"trap", "ulimit", "umask", "unset", "until", "wait", "while",
	}
	bashOwn = []string{"[[", "declare", "function", "let", "local", "popd", "pushd", "shopt", "source", "time"}
)

func isShell(words []string) bool {
	return len(words) > 0 && slices.Contains(shells, path.Base(words[0]))
}

// noShell refuses words that would mean something to a shell: no shell reads them, so that they would reach the program as
// they are, and every submission would fail by them.
func noShell(key, line string, words []string) error {
	if isShell(words) || len(words) == 0 {
		return nil
	}
	first := words[0]
	if slices.Contains(shellsOwn, first) {
		return fmt.Errorf("found %q, a word of the shell's own, and no shell reads this line; %s", first, remedy("sh", key, line))
	} else if slices.Contains(bashOwn, first) {
		return fmt.Errorf("found %q, a word of the shell's own, and no shell reads this line; %s", first, remedy("bash", key, line))
	} else if assignment.MatchString(first) {
		return fmt.Errorf("found %q before the program, which only a shell understands; write it into env = { … } of [build] or of the course, or %s", first, remedy("sh", key, line))
	}
	for _, w := range words {
		switch {
		case shellWord.MatchString(w):
			return fmt.Errorf("found %q, which only a shell understands, and no shell reads this line; %s", w, remedy("sh", key, line))
		case braces.MatchString(w):
			return braced(key, line, w)
		case filePattern.MatchString(w):
			return fmt.Errorf("found the pattern %q, which no shell replaces by the files that it fits; write %s for all files that detect fits, or language = \"java\" and the like for a ready language, or %s",
				w, PlaceFiles, remedy("sh", key, line))
		}
	}
	return nil
}

// braced refuses a word with braces, of which only some shells make several.
func braced(key, line, word string) error {
	return fmt.Errorf("found the braces of %q, of which no shell makes several words here; write the words out, or %s", word, remedy("bash", key, line))
}

// remedy is how a line is given to a shell.
func remedy(shell, key, line string) string {
	return fmt.Sprintf("give it to one: %s = [%q, \"-c\", %q]", key, shell, text.Shorten(line, 100))
}
