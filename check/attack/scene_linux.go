package attack

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"luzhanqi/process"
)

// Scene is what an attacker is told: more than any stranger would know. It comes as JSON.
type Scene struct {
	Mark string // names what was made for this run; see [Secret]

	Referee  Someone
	Opponent Someone // zero: it is looked for below the referee
	Memory   uintptr // where the secret is in the referee's memory; 0: a set-up is looked for
	Length   int     // of the secret

	Own       string   // the attacker's working directory; empty: where it is
	Writes    bool     // it may write there
	Other     string   // the opponent's
	Hidden    []string // files and folders that are hidden
	Links     []string // to hidden files and folders, which were there before
	Elsewhere string   // a file of the user in another directory
	Roots     string   // a file that only root may read; empty: none could be made
	Temporary []string // files in places for temporary files
	Shared    string   // a file in /dev/shm
	SetUID    string   // a program that would print user id 0; empty: none could be made
	Terminal  string   // of the referee; empty: it is looked for

	Abstract   string   // names of sockets
	Sockets    []string // in places for temporary files
	PathSocket string
	TCP, UDP   string // addresses

	Key     int    // of System V shared memory, semaphores and messages; 0: there are none
	Queue   string // name of a POSIX message queue
	Ring    string // description of a key in the referee's keyring of the session; empty: it has none
	Disk    int64  // how many bytes may be written; 0: that is not tried
	Outlive string // names what is to outlive the game; empty: that is not tried

	table              map[int]process.Entry // see processes
	player, supervisor int                   // whoever plays is the parent of whoever tries an attack
}

// Secret is what only the referee knows: it is in its memory, in files, and what its servers answer.
func Secret(mark string) string { return "luzhanqi-secret-" + mark }

// Someone is a process outside.
type Someone struct {
	Name    string
	PID     int
	Started uint64 // in ticks since the machine was started: two processes may have one id, in different namespaces; 0: not known
}

func (o Someone) String() string { return o.Name }

// Proc is a path below its directory in /proc.
func (o Someone) Proc(name string) string { return fmt.Sprintf("/proc/%d/%s", o.PID, name) }

// Look finds out who is who. It is to be called by what tries an attack, a child of whoever plays.
func (s *Scene) Look() {
	s.player = os.Getppid()
}

// processes are those that can be seen when they are first asked for.
func (s *Scene) processes() map[int]process.Entry {
	if s.table == nil {
		s.table = maps.Collect(process.Processes())
		s.supervisor = s.table[s.player].Parent
	}
	return s.table
}

// Seen says whether an id means this process here.
func (s *Scene) Seen(o Someone) bool {
	if o.Started == 0 {
		return o.PID > 0 && slices.Contains(s.ancestors(s.player), o.PID)
	}
	e, ok := s.processes()[o.PID]
	return ok && e.Started == o.Started
}

// other says whether its id means another process here.
func (s *Scene) other(o Someone) bool {
	_, ok := s.processes()[o.PID]
	return ok && !s.Seen(o)
}

// Opponents are the one that the attacker was told of, or the referee's other programs and their supervisors.
func (s *Scene) Opponents() (all []Someone) {
	if s.Opponent.PID > 0 {
		return []Someone{s.Opponent}
	}
	if !s.Seen(s.Referee) {
		return nil
	}
	for pid, e := range s.processes() {
		line := append(s.ancestors(pid), pid)
		if slices.Contains(line[:len(line)-1], s.Referee.PID) && !slices.Contains(line, s.player) && pid != s.supervisor {
			all = append(all, Someone{fmt.Sprintf("the opponent or its supervisor, %d", pid), pid, e.Started})
		}
	}
	return all
}

// Supervisor is the attacker's own; its id is 0 where there is none.
func (s *Scene) Supervisor() Someone {
	if s.processes() == nil || s.supervisor <= 0 || s.supervisor == s.Referee.PID {
		return Someone{}
	}
	return Someone{Name: "the supervisor", PID: s.supervisor}
}

// Targets are all whose processes are none of the attacker's, by their ids even where they cannot be seen.
func (s *Scene) Targets() (all []Someone) {
	for _, o := range append([]Someone{s.Referee}, s.Opponents()...) {
		if o.PID > 0 && !s.other(o) { // else the id means somebody else here
			all = append(all, o)
		}
	}
	if o := s.Supervisor(); o.PID > 0 {
		all = append(all, o)
	}
	return all
}

// Enclosed says that no process can be seen but the attacker's own family: a signal to everybody hurts nobody else.
func (s *Scene) Enclosed() bool {
	return !s.Seen(s.Referee) && slices.Contains(append(s.ancestors(s.player), s.player), 1) && len(s.processes()) < 20
}

// Player is the process that plays.
func (s *Scene) Player() int { return s.player }

// each tries something on all targets.
func (s *Scene) each(try func(Someone) (string, error)) (string, error) {
	var tries []func() (string, error)
	for _, o := range s.Targets() {
		tries = append(tries, func() (string, error) { return try(o) })
	}
	if tries == nil {
		return "", errors.New("nobody else is to be seen")
	}
	return Every(tries...)
}

// secret says whether some text is what only the referee knows.
func (s *Scene) secret(text []byte) bool { return string(bytes.TrimSpace(text)) == Secret(s.Mark) }

// reads reads a file and says whether the secret, or a player's set-up, is in it.
func (s *Scene) reads(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if !bytes.Contains(text, []byte(Secret(s.Mark))) && !bytes.Contains(text, []byte(`"event":"setup"`)) {
		return "", fmt.Errorf("%s holds something else here", path)
	}
	return "read " + path, nil
}

func (s *Scene) ancestors(pid int) (line []int) {
	for p := s.processes()[pid].Parent; p > 0 && len(line) < 100; p = s.table[p].Parent {
		line = append(line, p)
	}
	return line
}

func commandLine(pid int) []string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return strings.Split(strings.TrimRight(string(text), "\x00"), "\x00")
}
