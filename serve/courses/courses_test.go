package courses

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"luzhanqi/check"
	"luzhanqi/grading"
	"luzhanqi/process"
)

// This binary is also the supervisors of submissions, and a server of a course that can be killed.
const gradeWord = "grade-a-course"

func TestMain(m *testing.M) {
	process.Reexec(check.Probe)
	if len(os.Args) > 2 && os.Args[1] == gradeWord {
		s, err := Open(options(os.Args[2]))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		s.Grade(context.Background())
	}
	os.Exit(m.Run())
}

func options(file string) Options {
	return Options{
		Name: "autumn", File: file, Version: "test", Turn: make(chan struct{}, 1), Warn: func(err error) { fmt.Fprintln(os.Stderr, err) },
		Rules: Rules{Uploads: true, Most: 3, Bytes: 10_000, Concurrency: 1},
	}
}

// The program of these tests gives up its games by ending, so that grading takes a moment.
const described = `title = "Autumn"
game = "jungle"
submissions = "submissions"
roster = "roster.csv"
[attempts]
count = "best"
[[language]]
name = "shell"
detect = "bot.sh"
build = ["sh", "-c", "cat PAUSE 2>&1; sleep $(cat PAUSE || echo 0)"]
run = "sh bot.sh"
[[item]]
kind = "builds"
points = 10
[[item]]
kind = "level"
level = "random"
games = 2
points = 20
`

// begun is a course with what else its file is to say, and its file.
func begun(t *testing.T, extra string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "course.toml")
	write(t, file, described+extra)
	write(t, filepath.Join(filepath.Dir(file), "roster.csv"), "id,name,submission\n7,Ada,ada\n8,Bob,bob\n9,Eve,ada\n")
	return file
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// packed is an archive of some files.
func packed(t *testing.T, files ...string) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = w.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return &b
}

func open(t *testing.T, o Options) *Served {
	t.Helper()
	s, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sealing skips tests where nothing can be sealed in.
func sealing(t *testing.T) {
	t.Helper()
	if reached := process.Isolation(); reached.Sealed() != nil {
		t.Skip(reached.Why)
	}
}

// graded grades until a submission has its marks, and calls look for each change.
func graded(t *testing.T, s *Served, name string, look func(Attempt)) Attempt {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Grade(ctx)
	}()
	defer func() {
		stop()
		<-done
	}()
	return reached(t, s, name, Graded, look)
}

// reached waits until a submission has a state.
func reached(t *testing.T, s *Served, name string, state State, look func(Attempt)) (last Attempt) {
	t.Helper()
	for deadline := time.After(time.Minute); ; {
		changed := s.Changed()
		v, err := s.Look("")
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range v.Attempts {
			if a.Name == name {
				last = a
			}
		}
		if look != nil {
			look(last)
		}
		if last.State == state {
			return last
		}
		select {
		case <-changed:
		case <-time.After(100 * time.Millisecond): // of another process
		case <-deadline:
			t.Fatalf("it has not become %s: %+v", state, v)
		}
	}
}

// What is handed in waits, is graded sealed, and everybody sees how far it is; the pages of the class are written afterwards.
func TestHandedIn(t *testing.T) {
	sealing(t)
	t.Parallel()
	s := open(t, options(begun(t, "")))
	name, err := s.Hand("ada", `C:\work\bot.ZIP`, packed(t, "bot.sh", "exit 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := s.Hand("bob", "bob.tar.gz", strings.NewReader("no archive"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Look("bob")
	if err != nil || len(v.Attempts) != 1 || v.Attempts[0].Line != 2 || v.Attempts[0].State != Waits || v.Attempts[0].Name != other || v.Waiting != 2 || v.Closed != "" {
		t.Fatalf("%v %+v", err, v)
	}
	seen := map[string]bool{}
	a := graded(t, s, name, func(a Attempt) {
		for _, step := range a.Steps {
			seen[step.Stage] = true
		}
		if a.Against == "random" && a.Games > 0 {
			seen["games"] = true
		}
	})
	if a.Score != 10 || a.Max != 30 || a.Student != "ada" {
		t.Errorf("%+v", a)
	}
	for _, stage := range []string{"unpack", "build", "games"} {
		if !seen[stage] {
			t.Errorf("%s was not seen, but %v", stage, seen)
		}
	}
	if a := graded(t, s, other, nil); a.Score != 0 || a.Max != 30 {
		t.Errorf("%+v", a)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Grade(ctx)
	}()
	for deadline := time.Now().Add(time.Minute); ; {
		changed := s.Changed()
		if v, err := s.Look("ada"); err != nil || time.Now().After(deadline) {
			t.Fatal("the pages of the class were not written", err)
		} else if v.Public && !v.Busy {
			break
		}
		<-changed
	}
	stop()
	<-done

	folder := a.Folder
	for _, c := range []struct {
		student, file string
		want          error
	}{
		{"ada", PublicPage, nil},
		{"ada", folder + "/index.html", nil},
		{"bob", folder + "/index.html", ErrNotYours},
		{"bob", folder + "/none", ErrNotYours},
		{"bob", "nobody@1/index.html", ErrNotYours},
		{"ada", "class/index.html", ErrNotYours},
		{"ada", "class/grades.csv", ErrNotYours},
		{"", "class/index.html", nil},
		{"", "class/grades.csv", nil},
		{"", "work/state/key", fs.ErrNotExist},
		{"", "WORK/state/key", fs.ErrNotExist},
		{"", "class/../work/state/key", fs.ErrNotExist},
		{"", "../course.toml", fs.ErrNotExist},
		{"", "/etc/passwd", fs.ErrNotExist},
		{"", "class", fs.ErrNotExist},
		{"", "", fs.ErrNotExist},
	} {
		text, err := s.Result(c.student, c.file)
		if !errors.Is(err, c.want) || (err == nil) != (len(text) > 0) {
			t.Errorf("%q asks for %q: %d bytes, %v", c.student, c.file, len(text), err)
		}
	}
	page, err := s.Result("bob", PublicPage)
	if err != nil || bytes.Contains(page, []byte("ada")) || bytes.Contains(page, []byte("bob")) {
		t.Errorf("the public page has names, or %v", err)
	}
}

// What is too large, too often, by nobody, or no archive is refused, and leaves nothing.
func TestRefused(t *testing.T) {
	sealing(t)
	o := options(begun(t, "[late]\ndue = \"2020-01-02T00:00:00Z\"\n"))
	s := open(t, o)
	hand := func(student, file, text string) (string, Why) {
		name, err := s.Hand(student, file, strings.NewReader(text))
		refusal := (*Refusal)(nil)
		if err != nil && !errors.As(err, &refusal) {
			t.Fatal(err)
		}
		if err == nil {
			return name, -1
		}
		return refusal.Text, refusal.Why
	}
	for _, c := range []struct {
		student, file, text string
		why                 Why
	}{
		{"eve", "bot.zip", "x", Unfit},
		{"../ada", "bot.zip", "x", Unfit},
		{"", "bot.zip", "x", Unfit},
		{"ada", "bot.py", "x", Unfit},
		{"ada", ".zip", "x", Unfit},
		{"ada", "bot.zip", "", Unfit},
		{"ada", "bot.zip", strings.Repeat("x", 10_001), Large},
	} {
		if said, why := hand(c.student, c.file, c.text); why != c.why {
			t.Errorf("%s hands in %s: %s", c.student, c.file, said)
		}
	}
	dir := filepath.Join(filepath.Dir(o.File), "submissions")
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
	// The newest takes the place of what waits.
	first, why := hand("ada", "a.zip", "first")
	second, again := hand("ada", "b.tgz", "second")
	if why != -1 || again != -1 || first == second {
		t.Fatal(first, second)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 || left[0].Name() != second+".tgz" {
		t.Errorf("%v %v", left, err)
	}
	// But not of what came in better time.
	write(t, filepath.Join(dir, "bob@2020-01-01T000000Z.zip"), "in time")
	if said, why := hand("bob", "b.zip", "late"); why != Soon {
		t.Error(said)
	}
	for n := range 3 {
		write(t, filepath.Join(dir, fmt.Sprintf("bob@2019-01-01T00000%dZ.zip", n)), "in time")
	}
	if said, why := hand("bob", "b.zip", "late"); why != Full {
		t.Error(said)
	}
	s.Rules.Every = time.Hour
	if said, why := hand("ada", "b.zip", "often"); why != Soon {
		t.Error(said)
	}
	s.unsealed = "this machine cannot seal programs in: it is old"
	if said, why := hand("ada", "b.zip", "open"); why != Closed || said != s.unsealed {
		t.Error(said)
	}
	for _, wrong := range []string{strings.Replace(described, "[attempts]\ncount = \"best\"", "", 1), strings.Replace(described, `submissions = "submissions"`, "", 1)} {
		write(t, o.File, wrong)
		if _, err := Open(o); err == nil {
			t.Errorf("uploads are taken in by\n%s", wrong)
		}
	}
}

// A server that is killed while it grades has lost nothing: the next one goes on.
func TestKilled(t *testing.T) {
	sealing(t)
	t.Parallel()
	o := options(begun(t, ""))
	s := open(t, o)
	name, err := s.Hand("ada", "a.zip", packed(t, "bot.sh", "exit 3\n", "PAUSE", "100"))
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.CommandContext(t.Context(), self, gradeWord, o.File)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if v, err := s.Look("ada"); err != nil || time.Now().After(deadline) {
			t.Fatalf("it is not graded: %v %+v", err, v)
		} else if handed := v.Attempts[0]; v.Busy && ends(t, s, handed.Name) == 1 {
			break
		}
	}
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	server.Wait()
	// What was being built in vain is handed in again; the next server grades both, that which it was killed with last.
	next, err := s.Hand("bob", "b.zip", packed(t, "bot.sh", "exit 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Look("")
	lines := map[string]int{}
	for _, a := range v.Attempts {
		lines[a.Name] = a.Line
	}
	if err != nil || v.Waiting != 2 || lines[next] != 1 || lines[name] != 2 {
		t.Fatalf("%v %+v", err, v)
	}
	s.course.Build.Time = time.Second
	if a := graded(t, s, name, nil); a.Score != 0 || a.Max != 30 {
		t.Errorf("%+v", a)
	}
	if v, err := s.Look("bob"); err != nil || v.Attempts[0].State != Graded || v.Attempts[0].Score != 10 {
		t.Errorf("%v %+v", err, v)
	}
}

// ends is how often a grader has ended, or has not ended yet, in the middle of a submission.
func ends(t *testing.T, s *Served, name string) int {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	handed, err := grading.HandedIn(s.now())
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range handed {
		if h.Name == name {
			return h.Ends(s.Out)
		}
	}
	return 0
}

// What uploads that were cut off have left is no submission, and is removed when nobody can be writing it any more.
func TestCutOff(t *testing.T) {
	o := options(begun(t, ""))
	dir := filepath.Join(filepath.Dir(o.File), "submissions")
	open(t, o)
	old, young := filepath.Join(dir, unfinished+"1"), filepath.Join(dir, unfinished+"2")
	write(t, old, "x")
	write(t, young, "x")
	if past := time.Now().Add(-2 * maxUpload); os.Chtimes(old, past, past) != nil {
		t.Fatal(old)
	}
	s := open(t, o)
	if v, err := s.Look(""); err != nil || len(v.Attempts) != 0 || v.Waiting != 0 {
		t.Errorf("%v %+v", err, v)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 || left[0].Name() != filepath.Base(young) {
		t.Errorf("%v %v", err, left)
	}
	broken := errors.New("the line is cut")
	refusal := (*Refusal)(nil)
	s.unsealed = "" // nothing is graded
	if _, err := s.Hand("ada", "a.zip", io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken))); !errors.As(err, &refusal) || refusal.Why != Unfit {
		t.Errorf("%v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%v %v", err, left)
	}
}
