package grading

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"luzhanqi/grading/course"
	"luzhanqi/process/processtest"
)

// Builds here attack with the rights of the grader, which nothing takes from them: what the tests prove holds without any
// isolation, against a program that does not look for the grader's key.

// attacked grades an honest submission beside others, which begin before it, and returns its marks and where the results
// are. A build finds the folder of results in $OUT and that of submissions in $IN.
func attacked(t *testing.T, builds map[string]string, extra string, o Options, events func(Event)) (file, out string, result Outcome) {
	t.Helper()
	out = filepath.Join(t.TempDir(), "out")
	submissions := []string{"honest"}
	for _, name := range slices.Sorted(maps.Keys(builds)) {
		submissions = append(submissions, name+"=first")
		extra += fmt.Sprintf("[[submission]]\nname = %q\nbuild = [\"/bin/sh\", \"-c\", %q]\n", name, builds[name])
	}
	file = describeGames(t, extra, submissions...)
	in := filepath.Join(filepath.Dir(file), "submissions")
	text := read(t, file)
	write(t, file, strings.ReplaceAll(strings.ReplaceAll(text, "$OUT", out), "$IN", in))
	c, err := course.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	o.Out, o.Events, o.Concurrency = out, events, 1
	if result, err = Run(t.Context(), c, o); err != nil {
		t.Fatal(err)
	}
	return file, out, result
}

// honestly are the marks of the honest submission with nobody beside it.
func honestly(t *testing.T) string {
	t.Helper()
	once.Do(func() {
		out := t.TempDir()
		grade(t, describeGames(t, "", "honest"), out, nil)
		honestMarks = read(t, filepath.Join(out, "honest/marks.json"))
	})
	return honestMarks
}

var (
	once        sync.Once
	honestMarks string
)

// noted collects the events that a teacher must look into, as "name: text".
func noted(to *[]string) func(Event) {
	return func(e Event) {
		if e.Event == "again" || e.Event == "changed" || e.Event == "ended" {
			*to = append(*to, e.Submission+": "+e.Text)
		}
	}
}

func contains(all []string, parts ...string) bool {
	for _, one := range all {
		whole := true
		for _, p := range parts {
			whole = whole && strings.Contains(one, p)
		}
		if whole {
			return true
		}
	}
	return false
}

// TestRewrittenState (G1): a build that writes marks into the state of others, or deletes it, changes no marks, in this run
// or the next, and is noticed.
func TestRewrittenState(t *testing.T) {
	t.Parallel()
	want := honestly(t)
	for name, build := range map[string]string{
		"rewrites": `for f in $OUT/work/state/*/state.json; do sed 's/"points": [01]/"points": 0.5/' "$f" >x; cat x >"$f"; done`,
		"deletes":  `rm -rf $OUT/work/state/honest`,
		"swaps":    `cp $OUT/work/state/accomplice/state.json $OUT/work/state/honest/state.json; echo`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var said []string
			// The attacker comes after the honest one, whose state is written by then.
			file, out, _ := attacked(t, map[string]string{"zoe": build, "accomplice": "true"}, "", Options{}, noted(&said))
			if got := read(t, filepath.Join(out, "honest/marks.json")); got != want {
				t.Errorf("alone\n%s\nattacked\n%s", want, got)
			}
			if !contains(said, "honest: ", "not by the grader, in this run") {
				t.Errorf("told was %q", said)
			}
			if page := read(t, filepath.Join(out, "class/index.html")); !strings.Contains(page, "<dt>honest</dt><dd>what was found out has been changed") {
				t.Error("the page of the class does not say it")
			}
			first := markFiles(t, out)
			grade(t, file, out, nil)
			if again := markFiles(t, out); again != first {
				t.Errorf("first\n%s\nagain\n%s", first, again)
			}
		})
	}
}

// TestRewrittenBetween: a state that was changed while no grader ran is noticed by its seal, and all of it is done again.
func TestRewrittenBetween(t *testing.T) {
	t.Parallel()
	file, out := describeGames(t, "", "honest", "crash"), t.TempDir()
	grade(t, file, out, nil)
	want := markFiles(t, out)
	state := filepath.Join(out, workFolder, stateFolder, "crash/state.json")
	write(t, state, strings.ReplaceAll(read(t, state), `"points": 0`, `"points": 1`))
	var said []string
	grade(t, file, out, noted(&said))
	if got := markFiles(t, out); got != want || len(said) != 1 || !contains(said, "crash: ", "all of it is done again") {
		t.Errorf("told was %q, marks before\n%s\nand after\n%s", said, want, got)
	}
	info, err := os.Stat(filepath.Join(out, workFolder, stateFolder))
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder of states: %v, %v", info.Mode(), err)
	}
}

// TestRewrittenSource (G3): a build that changes what others have handed in, or what was unpacked of it, changes no marks,
// and is named, in the next run, too.
func TestRewrittenSource(t *testing.T) {
	t.Parallel()
	want := honestly(t)
	var said []string
	_, out, _ := attacked(t, map[string]string{"ann": `echo crash >$IN/honest/role; echo crash >$OUT/work/trees/honest/role`}, "", Options{}, noted(&said))
	// Both were changed: nothing of the honest one is left, and it is not graded with what is no program of its own.
	if _, err := os.Stat(filepath.Join(out, "honest")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there are marks without a program: %v", err)
	}
	if !contains(said, "honest: ", "changed while programs of strangers ran; graded is what was there") {
		t.Errorf("told was %q", said)
	}

	said = nil
	var file string
	file, out, _ = attacked(t, map[string]string{"ann": `echo crash >$IN/honest/role`}, "", Options{}, noted(&said))
	in := filepath.Join(filepath.Dir(file), "submissions")
	if got := read(t, filepath.Join(out, "honest/marks.json")); got != want {
		t.Errorf("alone\n%s\nattacked\n%s", want, got)
	}
	if len(said) != 1 || !contains(said, "honest: ", "what was handed in has changed") {
		t.Errorf("told was %q", said)
	}
	said = nil
	grade(t, file, out, noted(&said))
	if len(said) != 1 || !contains(said, "honest: ", "in an earlier run") {
		t.Errorf("in the next run was told %q", said)
	}
	said = nil
	write(t, filepath.Join(in, "honest/role"), "honest")
	grade(t, file, out, noted(&said))
	if got := read(t, filepath.Join(out, "honest/marks.json")); got != want || len(said) > 0 {
		t.Errorf("put back: told %q, marks\n%s\nwant\n%s", said, got, want)
	}

	said = nil
	_, out, _ = attacked(t, map[string]string{"ann": `echo crash >$OUT/work/trees/honest/role`}, "", Options{}, noted(&said))
	if got := read(t, filepath.Join(out, "honest/marks.json")); got != want || !contains(said, "honest: ", "it is unpacked again") {
		t.Errorf("told was %q, marks\n%s\nwant\n%s", said, got, want)
	}
}

// TestRewrittenTree: what was built and is changed while others run costs nobody marks: its games are played again.
func TestRewrittenTree(t *testing.T) {
	t.Parallel()
	want := honestly(t)
	file, out, o := attacked(t, map[string]string{"zoe": `test -e $OUT/../once || echo crash >$OUT/work/trees/honest/role; : >$OUT/../once`}, "", Options{}, nil)
	if len(o.Failures) != 1 || o.Failures[0].Name != "honest" || !errors.Is(o.Failures[0].Err, errSpoilt) {
		t.Fatalf("failures are %v", o.Failures)
	}
	if o := grade(t, file, out, nil); len(o.Failures) > 0 {
		t.Fatalf("in the next run: %v", o.Failures)
	}
	if got := read(t, filepath.Join(out, "honest/marks.json")); got != want {
		t.Errorf("alone\n%s\nattacked\n%s", want, got)
	}
}

// attackingBuild is a build that must fail, and what the student's page says of it.
type attackingBuild struct{ build, says string }

// refused makes sure that each attack has no points, and its reason on its page, and that an honest submission has its
// marks; it returns where the results are.
func refused(t *testing.T, attacks map[string]attackingBuild, extra string) (out string) {
	t.Helper()
	want := honestly(t)
	builds := map[string]string{}
	for name, a := range attacks {
		builds[name] = a.build
	}
	_, out, o := attacked(t, builds, extra, Options{}, nil)
	if len(o.Failures) > 0 {
		t.Fatalf("failures are %v", o.Failures)
	}
	for _, s := range o.Sheets {
		if (s.Score > 0) != (s.Name == "honest") {
			t.Errorf("%s has %v points", s.Name, s.Score)
		}
	}
	for name, a := range attacks {
		if page := read(t, filepath.Join(out, name, "index.html")); !strings.Contains(page, a.says) {
			t.Errorf("the page of %s does not say %q", name, a.says)
		}
	}
	if got := read(t, filepath.Join(out, "honest/marks.json")); got != want {
		t.Errorf("alone\n%s\nattacked\n%s", want, got)
	}
	return out
}

// TestLinksOut (G4): a build whose program, or whose whole folder, is another's fails with the path and the reason.
func TestLinksOut(t *testing.T) {
	t.Parallel()
	attacks := map[string]attackingBuild{
		"program":  {`ln -sf $OUT/work/trees/honest/role role`, "leads to what is not its own"},
		"relative": {`ln -sf ../honest/role role`, "leads out of the folder"},
		"source":   {`ln -sf $IN/honest/role role`, "leads to what is not its own"},
		"tree":     {`cd ..; mv tree gone; ln -s honest tree`, "something else in the place of its folder"},
		"moved":    {`cd ..; mv moved gone; cp -r honest moved`, "something else in the place of its folder"},
		"hard":     {`ln -f ../honest/role role`, "has 2 names (hard links)"},
		"pipe":     {`mkfifo pipe`, "is a pipe"},
		"setuid":   {`cp /bin/true t; chmod u+s t`, "as somebody else"},
	}
	out := refused(t, attacks, "")
	for name := range attacks {
		if _, err := os.Lstat(filepath.Join(out, workFolder, treesFolder, name)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the tree of %s is there: %v", name, err)
		}
	}
}

// TestManyFiles (G7): a build that writes more than all its files together may have is stopped, and nothing of it is kept.
func TestManyFiles(t *testing.T) {
	t.Parallel()
	attacks := map[string]attackingBuild{
		"bytes":   {`for i in 1 2 3 4 5 6; do dd if=/dev/zero of=f$i bs=1048576 count=1; done`, "or more; allowed are 5 MiB (bytes in [build])"},
		"count":   {`for i in $(seq 1 600); do : >f$i; done`, "501 files and folders or more; allowed are 500 (files in [build])"},
		"endless": {`i=0; while :; do i=$((i+1)); dd if=/dev/zero of=f$i bs=1048576 count=1; done`, "was stopped: its folder holds"},
	}
	out := refused(t, attacks, "[unpack]\nbytes = \"1MiB\"\nfiles = 100\n[build]\nbytes = \"5MiB\"\nfiles = 500\n")
	if left, err := os.ReadDir(filepath.Join(out, workFolder, treesFolder)); err != nil || len(left) != 1 {
		t.Errorf("left are %v, %v", left, err)
	}
}

// TestKillingBuild (G2): a build that kills the grader on every run keeps nobody else from being graded: they have marks
// after the third run, whatever it does, and in the end it has failed, and the class has played.
func TestKillingBuild(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "out")
	// Not more: the grader of this test is killed by its number, and by nothing else.
	build := `kill -9 $(cat ` + out + `/grader)`
	file := describeGames(t, fmt.Sprintf(`[class]
format = "round-robin"
[[item]]
kind = "class"
points = 6
[[submission]]
name = "ann"
build = ["/bin/sh", "-c", %q]
`, build), "ann=first", "honest", "late=crash")
	for run := 1; ; run++ {
		if run > 6 {
			t.Fatal("the grader is killed in every run")
		}
		said, killed := graderWithNumber(t, file, out)
		t.Logf("run %d, killed: %v\n%s", run, killed, said)
		if run > 1 && killed && !strings.Contains(said, "ann: the grader ended in the middle of its stage build") {
			t.Errorf("run %d does not name the build", run)
		}
		if run == 3 {
			if sheet := read(t, filepath.Join(out, "honest/marks.json")); !strings.Contains(sheet, `"score"`) {
				t.Error("after three runs the honest one has no marks")
			}
		}
		if run > 1 && killed { // by whoever came last
			if page := read(t, filepath.Join(out, "class/index.html")); !strings.Contains(page, "<dt>ann</dt><dd>it comes last") {
				t.Errorf("after run %d the page of the class does not say who comes last", run)
			}
		}
		if !killed {
			break
		}
	}
	page := read(t, filepath.Join(out, "ann/index.html"))
	if !strings.Contains(page, "ended the grader each of the last ") || !strings.Contains(page, "0 of 66 points") {
		t.Error("the page of the killer does not say why it has no points")
	}
	alone := t.TempDir()
	grade(t, describeGames(t, "[class]\nformat = \"round-robin\"\n[[item]]\nkind = \"class\"\npoints = 6\n", "honest", "late=crash"), alone, nil)
	for _, name := range []string{"honest", "late"} {
		if got, want := read(t, filepath.Join(out, name, "marks.json")), read(t, filepath.Join(alone, name, "marks.json")); got != want {
			t.Errorf("%s: without the killer\n%s\nbeside it\n%s", name, want, got)
		}
	}

	// Whoever is sure that it was not the build has it tried again.
	write(t, filepath.Join(out, "grader"), "no number")
	grade(t, file, out, nil, "ann")
	if page := read(t, filepath.Join(out, "ann/index.html")); strings.Contains(page, "ended the grader") {
		t.Error("--only does not try it again")
	}
}

// TestKillingBuildOfAnOrdinaryUser: the same, where an ordinary user grades.
func TestKillingBuildOfAnOrdinaryUser(t *testing.T) {
	t.Parallel()
	processtest.Again(t, "TestKillingBuild")
}

// graderWithNumber runs a grader in a process of its own, whose number builds find in a file.
func graderWithNumber(t *testing.T, file, out string) (said string, ended bool) {
	t.Helper()
	grader := exec.Command("/bin/sh", "-c", `mkdir -p "$3" && echo $$ >"$3/grader" && exec "$0" "$1" "$2" "$3"`, os.Args[0], gradeWord, file, out)
	var all strings.Builder
	grader.Stdout, grader.Stderr = &all, &all
	err := grader.Run()
	status, _ := grader.ProcessState.Sys().(syscall.WaitStatus)
	if err != nil && !(status.Signaled() && status.Signal() == syscall.SIGKILL) && !strings.Contains(all.String(), "terminated signal received") {
		t.Fatalf("%v: %s", err, all.String())
	}
	return all.String(), err != nil
}

// TestInterruptingBuild: a build that asks the grader to end, as Ctrl-C does, is told from no person who does, so it is not
// failed for it; but the others come first, the class tournament too.
func TestInterruptingBuild(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "out")
	build := `kill -TERM $(cat ` + out + `/grader); sleep 100`
	file := describeGames(t, fmt.Sprintf("[class]\nformat = \"round-robin\"\n[[item]]\nkind = \"class\"\npoints = 6\n[[submission]]\nname = \"ann\"\nbuild = [\"/bin/sh\", \"-c\", %q]\n", build),
		"ann=first", "honest", "late=crash")
	for run := range 5 {
		said, ended := graderWithNumber(t, file, out)
		t.Logf("run %d, ended: %v\n%s", run+1, ended, said)
		if !ended {
			t.Fatal("the build does not end the grader")
		}
	}
	withoutAnn(t, out)
}

// withoutAnn makes sure that all others are graded, and have played with the class.
func withoutAnn(t *testing.T, out string) {
	t.Helper()
	csv := read(t, filepath.Join(out, "class/grades.csv"))
	if !strings.Contains(csv, "ann,,66,") {
		t.Errorf("the gradebook is\n%s", csv)
	}
	for _, name := range []string{"honest", "late"} {
		if sheet := read(t, filepath.Join(out, name, "marks.json")); !strings.Contains(sheet, " of 2, with ") {
			t.Errorf("%s has not played with the class\n%s", name, sheet)
		}
	}
}

// TestKillingPlayer: the same for a program that kills the grader when it plays. It has no marks, and everybody else all.
func TestKillingPlayer(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "out")
	file := describeGames(t, "[class]\nformat = \"round-robin\"\n[[item]]\nkind = \"class\"\npoints = 6\n", "ann=kills", "honest", "late=crash")
	write(t, file, strings.Replace(read(t, file), "env = { ", fmt.Sprintf("env = { GRADER = %q, ", filepath.Join(out, "grader")), 1))
	for run := range 5 {
		said, killed := graderWithNumber(t, file, out)
		t.Logf("run %d, killed: %v\n%s", run+1, killed, said)
		if !killed {
			t.Fatal("the program does not kill the grader")
		}
	}
	withoutAnn(t, out)
}

func init() {
	roles["kills"] = func() { kill(); honest() }
}

// kill ends the grader whose number is in the file named by GRADER.
func kill() {
	text, err := os.ReadFile(os.Getenv("GRADER"))
	if err != nil {
		panic(err)
	}
	number, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || number < 2 {
		panic(fmt.Sprint("no number of a grader: ", err))
	}
	syscall.Kill(number, syscall.SIGKILL)
}
