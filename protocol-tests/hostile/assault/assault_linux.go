package assault

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"luzhanqi/check/attack"
)

// An Attack is one try. What it gets is told in words: the evidence. No evidence is no success, as far as the
// attacker can know; whether anything has changed outside is for the test to find out.
type Attack struct {
	Name   string
	Threat string // its row in the list of threats; more: nobody had listed it
	Does   string
	try    func(*Scene) (evidence string, err error)
}

// Scene is what an attacker knows, which comes as JSON.
type Scene struct {
	attack.Scene
	Dir string // of the test: records, homes, the programs of both players; see the test for what is where
}

// sceneFile is beside the program.
const sceneFile = "scene.json"

// readScene reads it. The referee's process id is told apart: nobody knows it before there is a referee.
func readScene(referee int) (*Scene, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(self), sceneFile))
	if err != nil {
		return nil, err
	}
	var s Scene
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("read %s: %w", sceneFile, err)
	}
	s.Referee = attack.Someone{Name: "the referee", PID: referee}
	s.Look()
	return &s, nil
}

// near is a path of the test's directory.
func (s *Scene) near(elements ...string) string {
	return filepath.Join(append([]string{s.Dir}, elements...)...)
}

// Separator is between the names of several attacks.
const Separator = ","

// limit is the time that one attack gets.
const limit = 8 * time.Second

func find(name string) (Attack, bool) {
	i := slices.IndexFunc(Table, func(a Attack) bool { return a.Name == name })
	if i < 0 {
		return Attack{}, false
	}
	return Table[i], true
}

// Check says whether all these attacks are known.
func Check(names string) error {
	for name := range strings.SplitSeq(names, Separator) {
		if _, found := find(name); !found && !slices.Contains(attack.Names(), name) {
			return fmt.Errorf("there is no attack %q; hostile -attacks prints them all", name)
		}
	}
	return nil
}

// The words that begin a line of a report.
const (
	Stolen = "STOLEN"
	Denied = "denied"
	Broken = "broken" // the attack itself ended otherwise than it should
)

// Run tries the attacks and returns a line for each success, and one that counts the rest. Whoever wants to see
// every line sets HOSTILE_VERBOSE.
func Run(names string, referee int) string {
	var report strings.Builder
	scene, err := readScene(referee)
	if err != nil {
		return fmt.Sprintf("%s all: %v\n", Broken, err)
	}
	tried := 0
	for name := range strings.SplitSeq(names, Separator) {
		tried++
		line := ""
		if _, own := find(name); own {
			line = inProcess(name, referee)
		} else {
			line = lineOf(scene.Try(name)[0])
		}
		if !strings.HasPrefix(line, Denied) || os.Getenv("HOSTILE_VERBOSE") != "" {
			report.WriteString(line + "\n")
		}
	}
	fmt.Fprintf(&report, "tried %d\n", tried)
	return report.String()
}

// lineOf is the line of a report. An attack that is killed at once was denied, too.
func lineOf(s attack.Said) string {
	word, what := Denied, s.Err
	if s.Evidence != "" {
		word, what = Stolen, s.Evidence
	}
	return fmt.Sprintf("%s %s: %.300s", word, s.Attack, strings.ReplaceAll(what, "\n", "; "))
}

// inProcess tries an attack in a child, whose fate is not that of the player.
func inProcess(name string, referee int) string {
	self, err := os.Executable()
	if err != nil {
		return fmt.Sprintf("%s %s: %v", Broken, name, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, self, "-pids", "", "-referee", strconv.Itoa(referee), "-descendant", attackKind+name)
	c.WaitDelay = 100 * time.Millisecond // a descendant may hold the pipe
	var said bytes.Buffer
	c.Stdout = &limited{&said}
	err = c.Run()
	for line := range strings.Lines(said.String()) {
		if strings.HasPrefix(line, Stolen) || strings.HasPrefix(line, Denied) {
			return strings.TrimSpace(line)
		}
	}
	return fmt.Sprintf("%s %s: %v %.200q", Broken, name, err, said.String())
}

// limited keeps the first 64 KiB.
type limited struct{ to *bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	l.to.Write(p[:min(len(p), max(0, 64<<10-l.to.Len()))])
	return len(p), nil
}

// The kinds of descendant, as `hostile -descendant` has them: what tries an attack, and what an attack has left.
const (
	attackKind = "attack:"
	daemonKind = "daemon:"
)

// Descend is the life of a descendant, if it is of one of these kinds.
func Descend(kind string, referee int) (status int, known bool) {
	if order, found := strings.CutPrefix(kind, daemonKind); found {
		return serve(order), true
	}
	name, found := strings.CutPrefix(kind, attackKind)
	if !found {
		return 0, false
	}
	a, found := find(name)
	if !found {
		return 64, true
	}
	said := attack.Said{Attack: name}
	scene, err := readScene(referee)
	if err == nil {
		said.Evidence, err = a.try(scene)
	}
	said.Err = fmt.Sprint(err)
	fmt.Println(lineOf(said))
	return 0, true
}

// Print writes the table, a line each, and the names of the attacks of package attack.
func Print(w io.Writer) {
	for _, a := range Table {
		fmt.Fprintf(w, "%s\t%s\t%s\n", a.Name, a.Threat, a.Does)
	}
	for _, name := range attack.Names() {
		fmt.Fprintln(w, name)
	}
}

// daemonLife is a safety net: the referee should end them long before.
const daemonLife = 60 * time.Second

// daemon starts a process that has left its family: a session of its own, no environment, another name, an orphan. It
// holds the player's standard streams, as they are those of this process's parent.
func daemon(s *Scene, does, argument string, keep ...*os.File) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	c := &exec.Cmd{
		Path: self, Args: []string{"hostile", "-pids", "", "-descendant", daemonKind + does + ":" + argument}, Env: []string{},
		ExtraFiles: keep, SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	for fd := range 3 { // the player's own, which a daemon that wants to hold up the end of a game keeps
		f, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/%d", s.Player(), fd), os.O_RDWR|syscall.O_NONBLOCK, 0)
		if err != nil {
			continue
		}
		defer f.Close()
		switch fd {
		case 0:
			c.Stdin = f
		case 1:
			c.Stdout = f
		case 2:
			c.Stderr = f
		}
	}
	return "", c.Start()
}
