package isolation

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"luzhanqi/check/attack"
	"luzhanqi/protocol-tests/hostile/assault"
	"luzhanqi/protocol-tests/protocoltest"
)

// submissions are those that attack, by name: the script that builds each, and the program that plays, if it is another than
// an honest one. WITH stands for what attacks are told. A build that attacks is the child of its supervisor, and fails.
var submissions = map[string][2]string{
	"probes":      {"exec ./hostile -attack PROBES WITH -now"},
	"vandal":      {"exec ./hostile -attack vandalise,litter,leave-family WITH -now"},
	"kills":       {"exec ./hostile -attack kill-referee,abort-referee,quit-referee,segv-referee,kill-by-pipe WITH -now"},
	"stops":       {"exec ./hostile -attack stop-referee,stop-by-pipe,stop-supervisor,hold-lifelines WITH -now"},
	"plays":       {"true", "exec ./hostile -attack PROBES,vandalise,litter,leave-family,stop-referee,kill-referee WITH"},
	"rewrites":    {"true", "echo changed >>build.sh\nexec ./hostile -seed 3 honest"},
	"storms":      {"exec ./hostile -attack storm WITH -now"},
	"fills":       {"i=0; while [ $i -lt 3000 ]; do echo x >f$i || exit 1; i=$((i+1)); done"},
	"kills-outer": {"kill -9 $PPID; sleep 1"},
	"link":        {"rm bot; ln -s ../../honest/tree/bot bot; rm hostile; ln -s ../../honest/tree/hostile hostile"},
	"tree":        {"cd ..; mv tree gone; ln -s ../honest/tree tree; ln -sfn ../honest/tree ."},
	"state":       {"cp ../honest/state.json ../state.json; echo '{}' >../honest/state.json; rm -rf ../honest DIR/submissions/honest"},
}

// checked has a course check its submissions, too: each of them starts some sixty times more.
const checked = "[check]\ngames = 4\n"

// courseText is what they are graded by. The games are as few as may be and short, and draws then: an honest program has half of their points.
const courseText = `
title = "Attacked"
game = "luzhanqi"
submissions = "submissions"
seed = 7
records = 2
limits = { setup = "30s", move = "30s", grace = "2s", max_plies = 40 }
[build]
time = "60s"
files = 2500
[[language]]
name = "script"
detect = "build.sh"
build = ["/bin/sh", "build.sh"]
run = "./bot"
[[item]]
kind = "builds"
points = 10
[[item]]
kind = "level"
level = "random"
games = 2
points = 90
`

// handIn writes a submission.
func (p *playground) handIn(t *testing.T, name, build, bot string) {
	t.Helper()
	dir := p.path("submissions", name)
	program, err := os.ReadFile(hostile)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	for file, text := range map[string][]byte{
		"build.sh": []byte(build + "\n"), "bot": []byte("#!/bin/sh\n" + bot + "\n"), "hostile": program,
		"notes": []byte(attack.Secret(p.Mark) + "\n"),
	} {
		if name != "honest" && file == "notes" {
			continue
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, file), text, 0o755)
		}
	}
	if err == nil && os.Getuid() == 0 {
		err = filepath.WalkDir(p.path("submissions"), func(path string, _ fs.DirEntry, _ error) error { return os.Chown(path, p.uid, p.uid) })
	}
	if err != nil {
		t.Fatal(err)
	}
	p.tell(t, dir)
}

// grade runs the command over the submissions of these names, with more text of the course.
func (p *playground) grade(t *testing.T, prefix []string, more string, names ...string) finding {
	t.Helper()
	p.Hidden = []string{p.path("submissions", "honest"), p.path("out", "work", "honest"), p.path("out", "honest")}
	with := "-referee $(cat pid)"
	probes := strings.Join(slices.DeleteFunc(attack.Names(), func(name string) bool { return name == "fill-disk" || name == "many-files" }), assault.Separator)
	const honest = "exec ./hostile -seed 3 honest"
	p.handIn(t, "honest", "true", honest)
	for _, name := range names {
		s := submissions[name]
		for i, text := range s {
			s[i] = strings.NewReplacer("PROBES", probes, "WITH", with, "DIR", p.dir).Replace(text)
		}
		if s[1] == "" {
			s[1] = honest
		}
		p.handIn(t, name, s[0], s[1])
	}
	return order{
		Args: p.graded(t, prefix, more),
		Dir:  p.path("cwd"), UID: p.uid, Mark: p.Mark, Leak: p.Elsewhere, Limit: 5 * time.Minute, StopAfter: time.Second,
		Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.path("home"), "TMPDIR=" + p.path("tmp")},
	}.run(t)
}

// graded writes the course, with more text of it, and returns the words of the command that grades it.
func (p *playground) graded(t *testing.T, prefix []string, more string) []string {
	t.Helper()
	if err := os.WriteFile(p.path("course.toml"), []byte(courseText+more), 0o644); err != nil {
		t.Fatal(err)
	}
	os.Mkdir(p.path("out"), 0o755)
	os.Chown(p.path("out"), p.uid, p.uid)
	// The attackers are told the process id in a file of their own.
	announce := `for d in "$0"/*/; do echo $$ >"$d/pid"; done; exec "$@"`
	return slices.Concat([]string{"/bin/sh", "-c", announce, p.path("submissions")}, prefix,
		[]string{command, "grade", p.path("course.toml"), "--out", p.path("out"), "--concurrency=16"})
}

// TestGradingAmongAttackers: whatever builds and programs of others do, an honest submission gets the marks that it gets
// alone, nobody reads or changes what is another's, and everybody is graded. At night they are checked as each user, else as
// the last one.
func TestGradingAmongAttackers(t *testing.T) {
	for i, l := range isolations() {
		for j, uid := range users() {
			names, more := slices.Sorted(maps.Keys(submissions)), ""
			if protocoltest.Nightly() || i == 0 && j == len(users())-1 {
				more = checked
			}
			if i > 0 && !protocoltest.Nightly() { // ways that must stop the same
				names = []string{"plays"}
			}
			if l.root && uid != 0 || i > 0 && uid != 0 && !protocoltest.Nightly() {
				continue
			}
			t.Run(fmt.Sprintf("%s/user_%d", l.name, uid), func(t *testing.T) {
				t.Parallel()
				l.check(t, uid)
				gradeAmongAttackers(t, l.prefix(), uid, more, names)
			})
		}
	}
}

// TestGuardedBuilds: what is built by --sandbox guarded plays at each level, also where root's programs are other users whose owners
// nobody maps, as Gradescope has it; and nothing that it leaves runs as its owner.
func TestGuardedBuilds(t *testing.T) {
	for _, l := range levels {
		for _, uid := range users() {
			if (l.root || !protocoltest.Nightly()) && uid != 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s/user_%d", l.name, uid), func(t *testing.T) {
				t.Parallel()
				l.check(t, uid)
				p := newPlayground(t, uid)
				p.handIn(t, "builds", "cp hostile built && chmod 700 built || exit 1\nif chmod u+s built || chmod g+s built; then exit 2; fi", "exec ./built -seed 3 honest")
				f := order{
					Args: append(p.graded(t, l.prefix(), ""), "--sandbox=guarded"), Dir: p.path("cwd"), UID: uid, Mark: p.Mark, Limit: time.Minute,
					Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.path("home"), "TMPDIR=" + p.path("tmp")},
				}.run(t)
				if f.Code != 0 || !strings.Contains(f.Stdout, "builds: 55 of 100 points") {
					t.Errorf("exit code %d: %s%s", f.Code, f.Stdout, f.Stderr)
				}
				info, err := os.Stat(p.path("out", "work", "trees", "builds", "built"))
				if err != nil || int(info.Sys().(*syscall.Stat_t).Uid) != uid {
					t.Errorf("what was built does not belong to user %d: %v, %+v", uid, err, info)
				}
			})
		}
	}
}

// TestClosedToolChain: a folder that the course declares and that programs cannot read is a fault of the course, not of submissions.
func TestClosedToolChain(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root has folders that its programs cannot read")
	}
	for _, l := range isolations() {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			l.check(t, 0)
			p := newPlayground(t, 0)
			if err := os.Mkdir(p.path("chain"), 0o700); err != nil {
				t.Fatal(err)
			}
			f := p.grade(t, l.prefix(), fmt.Sprintf("[sandbox]\nread = [%q]\n", p.path("chain")))
			refused := f.Code == 2 && strings.Contains(f.Stderr, "[sandbox] read: "+p.path("chain")) && strings.Contains(f.Stderr, "chmod") && marksOf(t, p, "honest") == ""
			if mapped := l.name == "isolated"; refused == mapped || mapped && f.Code != 0 {
				t.Errorf("exit code %d: %s%s", f.Code, f.Stdout, f.Stderr)
			}
		})
	}
}

func gradeAmongAttackers(t *testing.T, prefix []string, uid int, more string, names []string) {
	alone := newPlayground(t, uid)
	if f := alone.grade(t, prefix, more); f.Code != 0 {
		t.Fatalf("the grading of an honest submission ends with %d: %s%s", f.Code, f.Stdout, f.Stderr)
	}
	want := marksOf(t, alone, "honest")
	if !strings.Contains(want, `"score": 55`) {
		t.Fatalf("the honest submission has not half of the points: %s", want)
	}
	p := newPlayground(t, uid)
	f := p.grade(t, prefix, more, names...)
	if f.Signal != 0 || f.Overdue || f.Stopped > 0 {
		t.Errorf("the grader ended with code %d, signal %d, stopped %d times, killed by the test: %v", f.Code, f.Signal, f.Stopped, f.Overdue)
	}
	if got := marksOf(t, p, "honest"); got != want {
		t.Errorf("the honest submission gets alone\n%s\namong attackers\n%s", want, got)
	}
	for _, name := range names {
		if marksOf(t, p, name) == "" {
			t.Errorf("%s is not graded", name)
		}
	}
	for _, line := range p.evidence(t) {
		t.Error(line)
	}
	if files, _ := filepath.Glob(p.path("out", "work", "fills", "*", "f[0-9]*")); len(files) > 0 {
		t.Errorf("%d files are kept of a build that made more than it may", len(files))
	}
	if page, err := os.ReadFile(p.path("out", "fills", "index.html")); slices.Contains(names, "fills") && !strings.Contains(string(page), "allowed are 2500") {
		t.Errorf("the page does not say what was refused: %v, %.2000s", err, page)
	}
	for _, of := range []string{"plays", "class"} { // the student's page and the teacher's
		if page, err := os.ReadFile(p.path("out", of, "index.html")); !strings.Contains(string(page), "add_key") {
			t.Errorf("the page of %s does not say which system calls were refused: %v, %.2000s", of, err, page)
		}
	}
	for _, of := range []string{"rewrites", "class"} {
		if page, err := os.ReadFile(p.path("out", of, "index.html")); slices.Contains(names, "rewrites") && !strings.Contains(string(page), "changed its own files while it ran: build.sh") {
			t.Errorf("the page of %s does not say which files were changed: %v, %.2000s", of, err, page)
		}
	}
	for what, left := range map[string][]string{"processes": f.Left, "things": p.leftovers(), "keys": f.Keys, "the terminal": f.Terminal} {
		if left != nil {
			t.Errorf("left, %s: %.2000s", what, strings.Join(left, "\n"))
		}
	}
	if text, err := os.ReadFile(p.path("submissions", "honest", "build.sh")); err != nil || string(text) != "true\n" {
		t.Errorf("the source of the honest submission is now %q, %v", text, err)
	}
	if t.Failed() {
		t.Logf("%.4000s\n%.4000s", f.Stdout, f.Stderr)
	}
}

// TestStrangersNeedASeal: where nothing can be sealed, grade does not run submissions unless it is told to, and says so.
func TestStrangersNeedASeal(t *testing.T) {
	for _, uid := range users() {
		p := newPlayground(t, uid)
		f := p.grade(t, []string{nonamespaces}, checked)
		if f.Code != 2 || !strings.Contains(f.Stderr, "--sandbox") || marksOf(t, p, "honest") != "" {
			t.Errorf("user %d: exit code %d, marks %q: %s", uid, f.Code, marksOf(t, p, "honest"), f.Stderr)
		}
		t.Logf("%s", f.Stderr)
	}
}

func marksOf(t *testing.T, p *playground, name string) string {
	t.Helper()
	text, _ := os.ReadFile(p.path("out", name, "marks.json"))
	return string(text)
}

// evidence is what attackers have told on their pages and in the records of their games.
func (p *playground) evidence(t *testing.T) (lines []string) {
	t.Helper()
	filepath.WalkDir(p.path("out"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil
		}
		switch filepath.Ext(path) {
		case ".html", ".json", ".jsonl":
			text, _ := os.ReadFile(path)
			for line := range bytes.SplitSeq(bytes.ReplaceAll(text, []byte(`\n`), []byte("\n")), []byte("\n")) {
				if at := bytes.Index(line, []byte(assault.Stolen+" ")); at >= 0 {
					name, _ := filepath.Rel(p.path("out"), path)
					lines = append(lines, fmt.Sprintf("%s: %.300s", name, line[at:]))
				}
			}
		}
		return nil
	})
	return lines
}
