package grading

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"luzhanqi/grading/course"
	"luzhanqi/referee"
	"luzhanqi/tournament/store"
)

// TestOnlyWhatIsMissing: a second run does nothing again, and writes the same marks; what has changed is
// graded anew, and nothing else.
func TestOnlyWhatIsMissing(t *testing.T) {
	t.Parallel()
	file, out := describe(t, "", "honest", "crash"), t.TempDir()
	grade(t, file, out, nil)
	first := markFiles(t, out)
	var done []string
	note := func(e Event) {
		if e.Event == "stage" {
			done = append(done, e.Submission+" "+e.Stage)
		}
	}
	grade(t, file, out, note)
	if second := markFiles(t, out); second != first || len(done) > 0 {
		t.Errorf("done again: %q; marks before\n%s\nand after\n%s", done, first, second)
	}

	write(t, filepath.Join(filepath.Dir(file), "submissions/crash/role"), "first")
	o := grade(t, file, out, note)
	slices.Sort(done)
	if want := []string{"crash build", "crash check", "crash level", "crash unpack"}; !slices.Equal(done, want) {
		t.Errorf("done were %q, want %q", done, want)
	}
	if o.Sheets[0].Name != "crash" || o.Sheets[0].Items[1].Points != 40 {
		t.Errorf("the sheet of the changed submission is %+v", o.Sheets[0])
	}

	// Other points need no games.
	done = nil
	write(t, file, strings.Replace(read(t, file), "points = 40", "points = 44", 1))
	if o := grade(t, file, out, note); len(done) > 0 || o.Sheets[0].Items[1].Points != 44 {
		t.Errorf("done were %q, and the points are %v", done, o.Sheets[0].Items[1].Points)
	}
}

// TestGradedTwiceAtATime: the second is told who grades there.
func TestGradedTwiceAtATime(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	held, err := store.Lock(filepath.Join(out, workFolder), grades)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Unlock()
	c, err := course.Load(describe(t, "", "honest"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(t.Context(), c, Options{Out: out})
	if want := fmt.Sprintf("process %d grades in %s", os.Getpid(), out); !errors.Is(err, ErrInput) || !strings.Contains(fmt.Sprint(err), want) {
		t.Errorf("found %v, want %s", err, want)
	}
}

// TestUnfinishedFiles: files of marks that a grader was killed in writing are removed by whoever has the results next; what a submission
// has built is its own.
func TestUnfinishedFiles(t *testing.T) {
	out := t.TempDir()
	left, built := filepath.Join(out, "ada", ".new-1"), filepath.Join(out, workFolder, treesFolder, "ada", ".new-2")
	write(t, left, "marks")
	write(t, built, "mine")
	release, err := Hold(out)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	for path, want := range map[string]bool{left: false, built: true, filepath.Dir(left): true} {
		if _, err := os.Lstat(path); (err == nil) != want {
			t.Errorf("%s: %v, want it there: %v", path, err, want)
		}
	}
}

// TestDocumentedMarks: what docs/grading.md says that each kind of submission gets.
func TestDocumentedMarks(t *testing.T) {
	t.Parallel()
	file := describe(t, "", "honest", "crash", "cheat", "late", "flood", "babble")
	dir := filepath.Join(filepath.Dir(file), "submissions")
	write(t, filepath.Join(dir, "empty/README"), "nothing")
	write(t, filepath.Join(dir, "broken.zip"), "no archive")
	write(t, filepath.Join(dir, "text.txt"), "no archive")
	out := t.TempDir()
	o := grade(t, file, out, nil)
	for _, s := range o.Sheets {
		points := [4]float64{}
		for i := range points {
			points[i] = s.Items[i].Points
		}
		want := map[string][4]float64{
			"honest":   {10, 40, points[2], 20},
			"crash":    {10, points[1], 0, 20},
			"cheat":    {10, points[1], 0, 0},
			"late":     {10, points[1], 0, 0},
			"flood":    {10, points[1], 0, 0},
			"babble":   {10, points[1], 0, 0},
			"empty":    {},
			"broken":   {},
			"text.txt": {},
		}[s.Name]
		if points != want || s.Name != "honest" && points[1] >= 40 {
			t.Errorf("%s: %v, want %v", s.Name, points, want)
		}
		for _, i := range s.Items {
			if !i.Full() && (len(i.Reasons) == 0 || i.Reasons[0].Text == "") {
				t.Errorf("%s: item %s loses points for no reason", s.Name, i.Number)
			}
		}
	}
	if len(o.Sheets) != 9 || len(o.Failures) > 0 {
		t.Errorf("%d sheets, failures %v", len(o.Sheets), o.Failures)
	}
	for name, want := range map[string][]string{
		"crash":    {"ended by itself in the middle", "what now?", "exited with code 2", "records/level-3-"},
		"cheat":    {"played an illegal move", "&lt; 0 0 3 0 I win"},
		"late":     {"did not answer in time"},
		"flood":    {"more than any answer"},
		"empty":    {"none of role is at the top of the submission, which holds README"},
		"broken":   {"no ZIP archive"},
		"text.txt": {"no archive that can be unpacked"},
	} {
		text := read(t, filepath.Join(out, name, "index.html"))
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("the page of %s does not say %q", name, w)
			}
		}
		if strings.ContainsRune(text, 0x1b) {
			t.Errorf("the page of %s has escape codes", name)
		}
	}
	if records, _ := os.ReadDir(filepath.Join(out, "crash/records")); len(records) != 3 {
		t.Errorf("%d records of crash, want 3", len(records))
	}
}

// TestOnly: one submission is graded, and the class is left alone.
func TestOnly(t *testing.T) {
	t.Parallel()
	file, out := describeGames(t, "[class]\nformat = \"round-robin\"\n[[item]]\nkind = \"class\"\npoints = 6\n", "honest", "first"), t.TempDir()
	grade(t, file, out, nil, "first")
	if _, err := os.Stat(filepath.Join(out, "class")); !errors.Is(err, os.ErrNotExist) {
		t.Error("the class was written")
	}
	if o := grade(t, file, out, nil); len(o.Sheets) != 2 {
		t.Errorf("%d sheets", len(o.Sheets))
	}
	before := markFiles(t, out)
	grade(t, file, out, nil, "first")
	if after := markFiles(t, out); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
	c, err := course.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), c, Options{Out: out, Only: []string{"nobody"}}); !errors.Is(err, ErrInput) {
		t.Errorf("of nobody: %v", err)
	}
}

// TestOurFault: what the machine lacks costs nobody marks, and is made up for.
func TestOurFault(t *testing.T) {
	t.Parallel()
	file := describeGames(t, "[[submission]]\nname = \"strange\"\nrun = \"no-such-interpreter-anywhere bot\"\n", "honest", "strange=honest")
	out := t.TempDir()
	o := grade(t, file, out, nil)
	if len(o.Failures) != 1 || o.Failures[0].Name != "strange" || !strings.Contains(o.Failures[0].Err.Error(), "is not installed") {
		t.Fatalf("failures are %v", o.Failures)
	}
	if csv := read(t, filepath.Join(out, "class/grades.csv")); !strings.Contains(csv, "strange,,60,,,,\"could not be graded, which is not its fault\"") {
		t.Errorf("the gradebook is\n%s", csv)
	}
	if _, err := os.Stat(filepath.Join(out, "strange")); !errors.Is(err, os.ErrNotExist) {
		t.Error("there are results")
	}
	write(t, file, strings.Split(read(t, file), "[[submission]]")[0])
	if o := grade(t, file, out, nil); len(o.Failures) > 0 || len(o.Sheets) != 2 {
		t.Errorf("mended: %v, %d sheets", o.Failures, len(o.Sheets))
	}
}

// TestVoidAgain: games that the machine spoils again and again cost nobody marks, and are told from other
// failures; a run after the machine was mended plays them.
func TestVoidAgain(t *testing.T) {
	t.Parallel()
	bot := filepath.Join(t.TempDir(), "bot")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	working := fmt.Sprintf("#!/bin/sh\nexec %q %s", self, playWord)
	install := func(script string) { // by another process: one that is forked here meanwhile would hold the file open
		if err := exec.Command("/bin/sh", "-c", `printf '%s\n' "$1" >"$2" && chmod 755 "$2"`, "sh", script, bot).Run(); err != nil {
			t.Error(err)
		}
	}
	install(working)
	file := describe(t, fmt.Sprintf("[[submission]]\nname = \"unlucky\"\nrun = [%q]\n", bot), "unlucky=honest", "honest")
	out := t.TempDir()
	o := grade(t, file, out, func(e Event) {
		if e.Submission == "unlucky" && e.Stage == "check" {
			install("#!/nowhere/interpreter")
		}
	})
	if len(o.Failures) != 1 || o.Failures[0].Name != "unlucky" || !errors.Is(o.Failures[0].Err, referee.ErrVoid) || len(o.Sheets) != 1 {
		t.Fatalf("failures are %v, of %d sheets", o.Failures, len(o.Sheets))
	}
	if csv := read(t, filepath.Join(out, "class/grades.csv")); !strings.Contains(csv, "unlucky,,100,,,,,\"could not be graded, which is not its fault\"") {
		t.Errorf("the gradebook is\n%s", csv)
	}
	install(working)
	if o := grade(t, file, out, nil); len(o.Failures) > 0 || len(o.Sheets) != 2 || o.Sheets[1].Items[0].Points != 10 {
		t.Errorf("mended: %v, %+v", o.Failures, o.Sheets)
	}
}
