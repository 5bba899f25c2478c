package attack

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// A Scene is what an attacker knows: more than any stranger would. It comes as NAME=VALUE separated by commas.
type Scene struct {
	Dir     string // of the test: records, homes, the programs of both players; see the test for what is where
	Mark    string // names what is made for this test, and what it leaves
	Referee int    // process id
	Warden  int    // process id of who started it
	TCP     int    // ports on the loopback that somebody listens on
	UDP     int

	player     int // the process that plays
	supervisor int // its parent
}

func newScene(know string) (*Scene, error) {
	s := &Scene{player: os.Getppid()}
	for pair := range strings.SplitSeq(know, ",") {
		name, value, _ := strings.Cut(pair, "=")
		number, err := strconv.Atoi(value)
		switch name {
		case "dir":
			s.Dir, err = value, nil
		case "mark":
			s.Mark, err = value, nil
		case "referee":
			s.Referee = number
		case "warden":
			s.Warden = number
		case "tcp":
			s.TCP = number
		case "udp":
			s.UDP = number
		default:
			err = nil
		}
		if err != nil {
			return nil, fmt.Errorf("-know %q: %w", know, err)
		}
	}
	s.supervisor = parent(s.player)
	if s.Referee == 0 {
		s.Referee = refereeAbove(s.player)
	}
	return s, nil
}

// refereeAbove finds the command that plays, where nobody has told its number; -1: it is not to be seen.
func refereeAbove(player int) int {
	for _, pid := range ancestors(player) {
		for _, word := range []string{" match ", " tournament run ", " worker ", " grade "} {
			if strings.Contains(command(pid), word) {
				return pid
			}
		}
	}
	return -1
}

// A target is a process that is none of the attacker's.
type target struct {
	name string
	pid  int
}

func (t target) String() string { return t.name }

func (t target) proc(name string) string { return fmt.Sprintf("/proc/%d/%s", t.pid, name) }

// targets are the referee, by its number even where it cannot be seen, the attacker's supervisor and all that can be
// seen of the referee's other programs.
func (s *Scene) targets() []target {
	var all []target
	if s.refereeSeen() || s.Referee > 0 && parent(s.Referee) < 0 { // else the number means somebody else here
		all = append(all, target{"the referee", s.Referee})
	}
	if s.supervisor > 0 && s.supervisor != s.Referee && s.supervisor != s.Warden {
		all = append(all, target{"the supervisor", s.supervisor})
	}
	return append(all, s.opponents()...)
}

// opponents are the referee's other programs and their supervisors.
func (s *Scene) opponents() (all []target) {
	if !s.refereeSeen() {
		return nil
	}
	for _, pid := range processes() {
		line := ancestors(pid)
		if slices.Contains(line, s.Referee) && !slices.Contains(line, s.player) && pid != s.player && pid != s.supervisor && pid != os.Getpid() {
			name := "the opponent"
			if !strings.Contains(command(pid), "hostile") || strings.HasPrefix(command(pid), "luzhanqi-") {
				name = "the opponent's supervisor"
			}
			all = append(all, target{name, pid})
		}
	}
	return all
}

// refereeSeen says whether its number means the referee here.
func (s *Scene) refereeSeen() bool {
	return s.Referee > 0 && slices.Contains(ancestors(s.player), s.Referee)
}

// enclosed says that no process can be seen but the attacker's own family: a signal to everybody hurts nobody else.
func (s *Scene) enclosed() bool {
	return !s.refereeSeen() && parent(s.Referee) < 0 && parent(s.Warden) < 0 && slices.Contains(append(ancestors(s.player), s.player), 1) &&
		len(processes()) < 20
}

// near is a path of the test's directory.
func (s *Scene) near(elements ...string) string {
	return filepath.Join(append([]string{s.Dir}, elements...)...)
}

func processes() (pids []int) {
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// parent is -1 if there is no such process.
func parent(pid int) int {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	at := bytes.LastIndexByte(stat, ')')
	if err != nil || at < 0 {
		return -1
	}
	ppid, err := strconv.Atoi(strings.Fields(string(stat[at+1:]))[1])
	if err != nil {
		return -1
	}
	return ppid
}

func ancestors(pid int) (line []int) {
	for p := parent(pid); p > 0 && len(line) < 100; p = parent(p) {
		line = append(line, p)
	}
	return line
}

func command(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return string(bytes.ReplaceAll(text, []byte{0}, []byte{' '}))
}

// each tries something on every target.
func (s *Scene) each(try func(target) (string, error)) (string, error) {
	var tries []func() (string, error)
	for _, t := range s.targets() {
		tries = append(tries, func() (string, error) { return try(t) })
	}
	return every(tries...)
}

// onTargets tries a system call on every target that does to it what is so already.
func onTargets(what string, call func(pid int) error) func(*Scene) (string, error) {
	return func(s *Scene) (string, error) {
		return s.each(func(t target) (string, error) { return got(call(t.pid), "%s on %v", what, t) })
	}
}

// errno is nil for 0.
func errno(e unix.Errno) error {
	if e == 0 {
		return nil
	}
	return e
}

// syscall3 is a system call of which only the error matters.
func syscall3(number uintptr, a, b, c uintptr) error {
	_, _, e := unix.Syscall(number, a, b, c)
	return errno(e)
}
