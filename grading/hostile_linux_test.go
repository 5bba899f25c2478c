package grading

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"luzhanqi/protocol-tests/protocoltest"
)

// TestNeighbours: whatever others do, the marks of an honest submission are what they are without them.
func TestNeighbours(t *testing.T) {
	t.Parallel()
	describe := describe
	if !protocoltest.Nightly() {
		describe = describeGames // without a check, which starts each of them some sixty times
	}
	alone := t.TempDir()
	grade(t, describe(t, "", "honest"), alone, nil)
	want := read(t, filepath.Join(alone, "honest/marks.json"))

	hostile := []string{"forks", "flood", "deletes", "writes"}
	file := describe(t, "[confine]\nprocesses = 12\nthreads = 200\n", append([]string{"honest"}, hostile...)...)
	dir := filepath.Join(filepath.Dir(file), "submissions")
	out := t.TempDir()
	o := grade(t, file, out, nil)
	if len(o.Failures) > 0 {
		t.Fatalf("failures are %v", o.Failures)
	}
	if got := read(t, filepath.Join(out, "honest/marks.json")); got != want {
		t.Errorf("alone\n%s\namong hostile ones\n%s", want, got)
	}
	for _, name := range append(hostile, "honest") {
		if role := read(t, filepath.Join(dir, name, "role")); role != name {
			t.Errorf("the submission of %s is %q by now", name, role)
		}
		if role := read(t, filepath.Join(out, workFolder, treesFolder, name, "role")); role != name {
			t.Errorf("the copy of %s is %q by now", name, role)
		}
	}
	if page := read(t, filepath.Join(out, "forks/index.html")); !strings.Contains(page, "more than 12 processes at once") {
		t.Error("the page does not say that it forked")
	}
}

// TestTampered: a program that was changed after it was built, by whomever, is built again.
func TestTampered(t *testing.T) {
	t.Parallel()
	file, out := describeGames(t, "", "honest"), t.TempDir()
	grade(t, file, out, nil)
	before := markFiles(t, out)
	tree := filepath.Join(out, workFolder, treesFolder, "honest")
	write(t, filepath.Join(tree, "role"), "late")
	var again int
	grade(t, file, out, func(e Event) {
		if e.Event == "again" {
			again++
		}
	})
	if role := read(t, filepath.Join(tree, "role")); role != "honest" || again != 1 {
		t.Errorf("the role is %q, told %d times", role, again)
	}
	if after := markFiles(t, out); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

// TestBuilds: builds that fail, hang or flood end in time, and their output reaches the student.
func TestBuilds(t *testing.T) {
	t.Parallel()
	file := describeGames(t, `
[build]
time = "2s"
[build.confine]
file_size = "1MiB"
[[submission]]
name = "fails"
build = ["/bin/sh", "-c", "echo compiling; echo 'line 7: no' >&2; exit 3"]
[[submission]]
name = "hangs"
build = ["/bin/sh", "-c", "echo thinking; sleep 1000 & sleep 1000"]
[[submission]]
name = "floods"
build = ["/bin/sh", "-c", "yes no"]
[[submission]]
name = "fills"
build = ["/bin/sh", "-c", "exec dd if=/dev/zero of=big bs=65536"]
[[submission]]
name = "vanishes"
build = ["/bin/sh", "-c", "true"]
run = "./bot"
[[submission]]
name = "script"
build = ["/bin/sh", "-c", "printf '#!/nowhere/python\\n' > bot; chmod +x bot"]
run = "./bot"
[[submission]]
name = "fine"
build = ["/bin/sh", "-c", "chmod 000 . ; chmod 755 ."]
`, "fails=honest", "hangs=honest", "floods=honest", "fills=honest", "vanishes=honest", "script=honest", "fine=honest")
	out := t.TempDir()
	start := time.Now()
	o := grade(t, file, out, nil)
	if len(o.Failures) > 0 {
		t.Fatalf("failures are %v", o.Failures)
	}
	t.Logf("took %v", time.Since(start))
	for _, s := range o.Sheets {
		if (s.Score > 0) != (s.Name == "fine") {
			t.Errorf("%s has %v points", s.Name, s.Score)
		}
	}
	for name, want := range map[string][]string{
		"fails":    {"exited with code 3", "compiling", "line 7: no"},
		"hangs":    {"took longer than 2s", "thinking"},
		"floods":   {"took longer than 2s", "left out"},
		"fills":    {"a file of more than 1 MiB"},
		"vanishes": {"&#34;./bot&#34; not found"},
		"script":   {"/nowhere/python"},
	} {
		text := read(t, filepath.Join(out, name, "index.html"))
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("the page of %s does not say %q", name, w)
			}
		}
		if len(text) > 100_000 {
			t.Errorf("the page of %s has %d bytes", name, len(text))
		}
	}
}

// TestKilled: a grader that is killed again and again loses nothing and gives the same marks.
func TestKilled(t *testing.T) {
	t.Parallel()
	enough := 4
	if protocoltest.Nightly() {
		enough = 20
	}
	// With a check, or most of its lives would end in the same build, which is given up then.
	file := describe(t, "[class]\nformat = \"round-robin\"\n[[item]]\nkind = \"class\"\npoints = 6\n", "honest", "crash")
	whole := t.TempDir()
	start := time.Now()
	grade(t, file, whole, nil)
	took, want := time.Since(start), markFiles(t, whole)
	kills := 0
	for round := 0; kills < enough; round++ {
		if round == 10 {
			t.Fatalf("killed %d times in %d rounds", kills, round)
		}
		out := t.TempDir()
		// Each life is longer than the one before, since a check is one stage, which is begun anew.
		for life := 1; ; life++ {
			if !killed(t, file, out, took*time.Duration(life)/20) {
				break
			}
			kills++
		}
		if got := markFiles(t, out); got != want {
			t.Fatalf("uninterrupted\n%s\nkilled\n%s", want, got)
		}
	}
	t.Logf("killed %d times; an uninterrupted run takes %v", kills, took)
}

// killed starts a grader and kills it after a time, unless it has ended.
func killed(t *testing.T, file, out string, after time.Duration) bool {
	grader := exec.Command(os.Args[0], gradeWord, file, out)
	var said strings.Builder
	grader.Stderr = &said
	if err := grader.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(after, func() { grader.Process.Kill() })
	err := grader.Wait()
	kill.Stop()
	switch {
	case err == nil:
		return false
	case grader.ProcessState.ExitCode() != -1:
		t.Fatalf("%v: %s", err, said.String())
	}
	return true
}
