package grading

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"luzhanqi/check"
	"luzhanqi/grading/course"
	"luzhanqi/process"
)

// This binary is also the programs that are handed in, and a grader that can be killed. A submission is a folder
// with a file "role", which says how it plays; its program is started in a copy of that folder.
const (
	playWord  = "play-a-role"
	gradeWord = "grade-a-course"
	lookWord  = "look-at-a-course"
)

func TestMain(m *testing.M) {
	process.Reexec(check.Probe)
	if len(os.Args) > 1 && os.Args[1] == playWord {
		role, err := os.ReadFile("role")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		roles[strings.TrimSpace(string(role))]()
		os.Exit(0)
	}
	if len(os.Args) > 3 && os.Args[1] == gradeWord {
		os.Exit(gradeInProcess(os.Args[2], os.Args[3]))
	}
	if len(os.Args) > 2 && os.Args[1] == lookWord {
		os.Exit(lookInProcess(os.Args[2]))
	}
	os.Exit(m.Run())
}

// lookInProcess looks at a course again and again.
func lookInProcess(file string) int {
	c, err := course.Load(file)
	for err == nil {
		fmt.Println("begins")
		_, err = Look(context.Background(), c, nil)
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

func gradeInProcess(file, out string) int {
	c, err := course.Load(file)
	if err == nil {
		var o Outcome
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer stop()
		if o, err = Run(ctx, c, Options{Out: out, Concurrency: 2, Events: func(e Event) {
			fmt.Printf("%s: %s\n", e.Submission, e.Text)
		}}); err == nil && len(o.Failures) > 0 {
			err = o.Failures[0].Err
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// roles play Jungle, whose referee sends all legal moves.
var roles = map[string]func(){
	"honest": honest,
	"first":  func() { play(func(_ int, moves []string) string { return moves[0] }) },
	"crash": func() {
		play(func(turn int, moves []string) string {
			if turn == 3 {
				panic("what now? \x1b[31m\xff")
			}
			return moves[0]
		})
	},
	"cheat":   func() { play(func(int, []string) string { return "0 0 3 0 I win" }) },
	"late":    func() { play(func(int, []string) string { time.Sleep(time.Hour); return "" }) },
	"flood":   func() { flood(os.Stdout) },
	"babble":  func() { flood(os.Stderr) },
	"forks":   func() { fork(); honest() },
	"deletes": func() { destroy(); honest() },
	"writes":  func() { writeAround(); honest() },
}

func honest() {
	play(func(turn int, moves []string) string { return moves[(7*turn+3)%len(moves)] })
}

func play(choose func(turn int, moves []string) string) {
	in := bufio.NewScanner(os.Stdin)
	in.Scan()                          // the color
	for turn := 0; in.Scan(); turn++ { // the opponent's move
		in.Scan()
		n, _ := strconv.Atoi(in.Text())
		var moves []string
		for range n {
			in.Scan()
			moves = append(moves, in.Text())
		}
		if len(moves) == 0 {
			return
		}
		fmt.Println(choose(turn, moves))
	}
}

func flood(to *os.File) {
	chunk := []byte(strings.Repeat("all work and no play ", 3000))
	for {
		if _, err := to.Write(chunk); err != nil {
			return
		}
	}
}

// fork starts as many processes as it is let.
func fork() {
	for range 1000 {
		c := exec.Command("/bin/sh", "-c", "sleep 1000 & sleep 1000 & wait")
		if c.Start() != nil {
			return
		}
	}
}

// destroy removes all that it finds in and around its folder, unless that is not the copy made for it: what a
// mistake in the private directories must not cost is the files of whoever runs the tests.
func destroy() {
	here, err := os.Getwd()
	if err != nil || os.Getenv("HOME") != here || !strings.HasPrefix(filepath.Base(here), "luzhanqi-private-") {
		panic("not in a private directory, but in " + here)
	}
	os.RemoveAll(".")
	if found, err := filepath.Glob(filepath.Join(here, "*")); err == nil {
		for _, f := range found {
			os.RemoveAll(f)
		}
	}
	os.RemoveAll(os.Getenv("HOME"))
}

// writeAround writes into what would be its neighbours, if it ran in its own folder.
func writeAround() {
	for _, dir := range []string{"..", "../..", "../honest", "../honest/tree", "../../honest/tree"} {
		for _, name := range []string{"role", "state.json"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				os.WriteFile(filepath.Join(dir, name), []byte("late"), 0o666)
			}
		}
	}
}

// describe writes a course, whose submissions have these roles, and returns its file.
func describe(t testing.TB, extra string, submissions ...string) string {
	dir := t.TempDir()
	for _, role := range submissions {
		name, role, named := strings.Cut(role, "=")
		if !named {
			role = name
		}
		write(t, filepath.Join(dir, "submissions", name, "role"), role)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "course.toml")
	write(t, file, fmt.Sprintf(`
title = "A course"
game = "jungle"
submissions = "submissions"
seed = 5
records = 3
limits = { move = "2s", grace = "1s" }
env = { GORACE = "atexit_sleep_ms=0" } # with the race detector, too, programs exit at once
[check]
games = 4
[[language]]
name = "roles"
detect = "role"
run = [%q, %q]
[[item]]
kind = "builds"
points = 10
[[item]]
kind = "conformance"
points = 40
[[item]]
kind = "level"
level = "random"
games = 4
points = 30
[[item]]
kind = "time"
points = 20
%s`, self, playWord, extra))
	return file
}

// describeGames is a course without the conformance check, which is most of the work: points are for the build, games and
// their time.
func describeGames(t testing.TB, extra string, submissions ...string) string {
	t.Helper()
	file := describe(t, extra, submissions...)
	text := read(t, file)
	for _, part := range []string{"[check]\ngames = 4\n", "[[item]]\nkind = \"conformance\"\npoints = 40\n"} {
		if !strings.Contains(text, part) {
			t.Fatalf("the course has no %q to leave out", part)
		}
		text = strings.Replace(text, part, "", 1)
	}
	write(t, file, text)
	return file
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// grade runs a course and returns where its results are.
func grade(t testing.TB, file, out string, events func(Event), only ...string) Outcome {
	t.Helper()
	c, err := course.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	o, err := Run(t.Context(), c, Options{Out: out, Concurrency: 2, Events: events, Only: only})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// markFiles are all files that hold nothing but marks.
func markFiles(t testing.TB, out string) string {
	t.Helper()
	var all strings.Builder
	for _, pattern := range []string{"class/grades.csv", "class/results.json", "*/marks.json"} {
		found, err := filepath.Glob(filepath.Join(out, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", pattern, found, err)
		}
		for _, file := range found {
			rest, _ := filepath.Rel(out, file)
			fmt.Fprintf(&all, "== %s\n%s\n", rest, read(t, file))
		}
	}
	return all.String()
}

func read(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
