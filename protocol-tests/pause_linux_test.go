package protocoltests

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"luzhanqi/process/processtest"
	"luzhanqi/protocol-tests/protocoltest"
)

// pausedFor is longer than a program below has for a move, grace included; buildPausedFor than a build has, which on a crowded machine
// needs some seconds to begin.
const (
	pausedFor      = 3 * time.Second
	buildPausedFor = 8 * time.Second
)

// A pausable is a command that Ctrl-Z pauses. In its words and files HOSTILE is the hostile program, and ADDRESS where a queue listens.
type pausable struct {
	name, words string
	files       map[string]string // in its directory
	beside      string            // the words of a command that runs beside it, and after whose end it is to be ended by Ctrl-C
	shown       string            // before it is paused
	running     []string          // the programs that must run then, and are stopped with it
	pausedFor   time.Duration     // 0: pausedFor
	typed       [][2]string       // after fg: what is typed, and what is shown then
	end         string            // is shown
	judge       func(t *testing.T, dir string)
}

// pausedPlan is a tournament of which nothing is void and nobody late, however long it is paused.
const pausedPlan = `
name = "paused"
game = "luzhanqi"
format = "match"
games = 2
seed = 4
[limits]
setup = "30s"
move = "700ms"
max_plies = 8
[queue]
listen = "ADDRESS"
[[player]]
name = "one"
command = "HOSTILE late 300"
[[player]]
name = "other"
command = "HOSTILE late 300"
`

// pausedCourse has one submission, which has half of its points if nothing of it is void or late.
const pausedCourse = `
title = "Paused"
game = "luzhanqi"
submissions = "in"
seed = 7
limits = { setup = "30s", move = "700ms", max_plies = 8 }
[[language]]
name = "script"
detect = "build.sh"
build = ["/bin/sh", "build.sh"]
run = "./hostile late 300"
[[item]]
kind = "builds"
points = 10
[[item]]
kind = "level"
level = "random"
games = 2
points = 90
`

// drawnGames guards that a tournament was played as if nothing had been.
func drawnGames(t *testing.T, dir string) {
	t.Helper()
	out, err := exec.Command(command, "tournament", "report", filepath.Join(dir, "plan.toml"), "--store", filepath.Join(dir, "store"), "--games", "-").CombinedOutput()
	if err != nil || strings.Count(string(out), ",drawn,") != 2 {
		t.Errorf("want two draws: %v, %s", err, out)
	}
}

var (
	one       = []string{"hostile"}
	two       = []string{"hostile", "hostile"}
	pausables = []pausable{
		{
			name: "match", words: "match 'HOSTILE late 300' 'HOSTILE late 300' --time=700ms --seed=1 --max-plies=8 --board=off", shown: "against",
			running: two, end: "; endings: drawn 1; ",
		},
		{
			name: "tournament", words: "tournament run plan.toml --store=store --concurrency=1", files: map[string]string{"plan.toml": pausedPlan},
			running: two, judge: drawnGames,
		},
		{
			name: "worker", words: "worker nats://ADDRESS --token-file=store/worker.token --concurrency=1", files: map[string]string{"plan.toml": pausedPlan},
			beside: "tournament run plan.toml --store=store --concurrency=0", running: two, judge: drawnGames,
		},
		{name: "check", words: "check 'HOSTILE habit-slow-start 2400' --setup-time=2700ms --only=setup-in-time", running: one, end: "1 passed, 0 failed"},
		{
			name: "grade", words: "grade course.toml --out=out --concurrency=1", files: map[string]string{"course.toml": pausedCourse, "in/ann/build.sh": "true\n"},
			shown: "ann: it builds and starts", running: one, end: "ann: 55 of 100 points",
		},
		{
			name: "build", words: "grade course.toml --out=out --concurrency=1", running: []string{"sleep"}, pausedFor: buildPausedFor, end: "ann: 55 of 100 points",
			files: map[string]string{"course.toml": strings.Replace(pausedCourse, "[[item]]", "[build]\ntime = \"7s\"\n[[item]]", 1), "in/ann/build.sh": "sleep 1.2\n"},
		},
		{
			name: "play", words: "play --game=jungle --against=easy --side=1 --seed=1", shown: "your move", typed: [][2]string{{"resign\n", "resigned"}},
		},
	}
)

// TestCtrlZ: at a terminal, Ctrl-Z stops the programs and the clocks with the command, and fg lets all go on. Nothing is void.
func TestCtrlZ(t *testing.T) {
	for n, p := range pausables {
		for i, s := range settings()[1:] {
			if !protocoltest.Nightly() && len(settings()) > 2 && (n+i)%2 != 0 {
				continue
			}
			for _, shell := range [][]string{{"bash", "--norc", "-i"}, {"sh", "-i"}} {
				if shell[0] == "sh" && p.name != "match" { // what is different is the shell's
					continue
				}
				t.Run(fmt.Sprintf("%s/%v/%s", p.name, s, shell[0]), func(t *testing.T) {
					t.Parallel()
					processtest.Need(t, shell[0])
					p.pause(t, s, shell)
				})
			}
		}
	}
}

func (p pausable) pause(t *testing.T, s setting, shell []string) {
	c, dir := s.command(t)
	address := freeAddress(t)
	fill := strings.NewReplacer("HOSTILE", hostile, "ADDRESS", address).Replace
	p.lay(t, s, dir, fill)
	if p.beside != "" {
		beside, _ := s.command(t, strings.Fields(p.beside)...)
		beside.Dir = dir
		var said strings.Builder
		beside.Stdout, beside.Stderr = &said, &said
		if err := beside.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- beside.Wait() }()
		defer func() {
			beside.Process.Signal(os.Interrupt)
			if err := <-ended; err != nil && !t.Failed() {
				t.Errorf("%s: %v: %s", p.beside, err, &said)
			}
		}()
		if !eventually(20*time.Second, func() bool { return contents(filepath.Join(dir, "store")) != "" && listensAt(address) }) {
			t.Fatalf("%s does not begin: %s", p.beside, &said)
		}
	}
	c.Path, _ = exec.LookPath(shell[0])
	c.Args = shell
	pids := filepath.Join(dir, "pids")
	c.Env = append(c.Env, append(withPIDs(pids), "PS1=ready$ ", "TERM=dumb", "ENV=")...)
	terminal, err := pty.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	defer func() { c.Process.Kill(); c.Wait() }()
	heard := &protocoltest.Transcript{}
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		io.Copy(heard, terminal)
	}()
	seen := 0
	say := func(text, answer string) {
		t.Helper()
		fmt.Fprint(terminal, text)
		if !eventually(60*time.Second, func() bool { return strings.Contains(heard.String()[seen:], answer) }) {
			t.Fatalf("no %q after %q:\n%s", answer, text, heard.String())
		}
		seen += strings.Index(heard.String()[seen:], answer) + len(answer)
	}
	say("", "ready$ ")
	say(fill(command+" "+p.words+"\n"), "\n")
	say("", p.shown)
	states := func() string { return strings.Join(programsBelow(c.Process.Pid), " ") }
	running := func(wanted []string) bool {
		found := states()
		for _, name := range wanted {
			if !strings.Contains(found, name) {
				return false
			}
			found = strings.Replace(found, name, "", 1)
		}
		return true
	}
	if !eventually(30*time.Second, func() bool { return running(p.running) }) {
		t.Fatalf("the programs are %q, want %q\n%s", states(), p.running, heard.String())
	}
	time.Sleep(200 * time.Millisecond)
	say("\x1a", "paused, with all programs and clocks")
	say("", "ready$ ")
	stopped := func() bool {
		all := programsBelow(c.Process.Pid)
		return len(all) >= len(p.running) && !slices.ContainsFunc(all, func(p string) bool { return !strings.HasSuffix(p, "(T)") })
	}
	if !eventually(2*time.Second, stopped) {
		t.Errorf("the programs in a pause are %q", states())
	}
	time.Sleep(cmp.Or(p.pausedFor, pausedFor))
	if !stopped() {
		t.Errorf("the programs later in a pause are %q", states())
	}
	say("fg\n", "goes on after ")
	for _, exchange := range p.typed {
		say(exchange[0], exchange[1])
	}
	code := 0
	if p.beside != "" {
		if !eventually(60*time.Second, func() bool { return !listensAt(address) }) {
			t.Errorf("the tournament does not end: %s", heard.String())
		}
		fmt.Fprint(terminal, "\x03")
		code = 130
	}
	say("", "ready$ ")
	if said := heard.String(); !strings.Contains(said, p.end) {
		t.Errorf("want %q: %s", p.end, said)
	}
	say("echo code $?.\n", fmt.Sprintf("code %d.", code))
	fmt.Fprint(terminal, "exit\n")
	if alive := survivors(pids); len(alive) > 1 { // the shell
		t.Errorf("outlive the command: %q", alive)
	}
	if p.judge != nil {
		p.judge(t, dir)
	}
}

// lay writes the files of a command, and for a submission its program.
func (p pausable) lay(t *testing.T, s setting, dir string, fill func(string) string) {
	t.Helper()
	write := func(name string, text []byte, mode os.FileMode) {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, text, mode)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range p.files {
		write(name, []byte(fill(text)), 0o644)
		if filepath.Base(name) == "build.sh" {
			program, err := os.ReadFile(hostile)
			if err != nil {
				t.Fatal(err)
			}
			write(filepath.Join(filepath.Dir(name), "hostile"), program, 0o755)
		}
	}
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Chown(path, s.uid, s.uid))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// programsBelow are the processes that a shell's command has started, its supervisors, which bear the name of /proc/self/exe, apart: names
// and states.
func programsBelow(shell int) (found []string) {
	type process struct {
		name, state string
		parent      int
	}
	all := map[int]process{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, err := os.ReadFile(path)
		open, end := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
		if err != nil || open < 0 || end < open {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		fields := strings.Fields(string(text[end+1:]))
		parent, _ := strconv.Atoi(fields[1])
		all[pid] = process{string(text[open+1 : end]), fields[0], parent}
	}
	for _, p := range all {
		for ancestor := p.parent; p.name != "luzhanqi" && p.name != "exe"; ancestor = all[ancestor].parent {
			if ancestor == shell {
				found = append(found, fmt.Sprintf("%s(%s)", p.name, p.state))
			}
			if ancestor <= 1 {
				break
			}
		}
	}
	return found
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func listensAt(address string) bool {
	c, err := net.Dial("tcp", address)
	if err == nil {
		c.Close()
	}
	return err == nil
}
