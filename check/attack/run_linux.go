package attack

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"luzhanqi/process"
	"luzhanqi/process/sandbox"
	"luzhanqi/text"
)

// maxWhy bounds, in bytes, what is Said of why an attack failed.
const maxWhy = 400

// Run tries all attacks under each profile. An error means that they could not be tried.
func Run(ctx context.Context, o Options) (Report, error) {
	if err := process.CanPlay(Attacker); err != nil {
		return Report{}, err
	}
	if o.Dir == "" {
		o.Dir = place()
	}
	r := Report{Isolation: process.Isolation(), User: os.Geteuid()}
	for _, profile := range o.Profiles {
		c := Column{Profile: profile, Cells: []Cell{}}
		if profile == sandbox.Sealed {
			if err := r.Isolation.Sealed(); err != nil {
				c.Unavailable = err.Error()
				r.Columns = append(r.Columns, c)
				continue
			}
		}
		if err := c.fill(ctx, o.Dir, r.Isolation); err != nil {
			return r, fmt.Errorf("attack under profile %s: %w", profile, err)
		}
		r.Columns = append(r.Columns, c)
	}
	return r, nil
}

// place is where programs of this user are likely to play: here, if something can be made here.
func place() string {
	if here, err := os.Getwd(); err == nil && unix.Faccessat(unix.AT_FDCWD, here, unix.W_OK|unix.X_OK, unix.AT_EACCESS) == nil {
		return here
	}
	return os.TempDir()
}

// fill lays a scene and tries all attacks in it.
func (c *Column) fill(ctx context.Context, dir string, isolation sandbox.Report) error {
	stage, err := SetUp(dir)
	if err != nil {
		return err
	}
	defer stage.Clear()
	if err := stage.inProcess(); err != nil {
		return err
	}
	stage.Writes = c.Profile == sandbox.Off || isolation.Level == sandbox.Isolated // in a layer
	policy := sandbox.Policy{Profile: c.Profile, Hidden: stage.Hidden, Disk: stage.Disk}
	opponent, err := stage.seat(policy)
	if err != nil {
		return err
	}
	defer opponent.Stop(0)
	all, reported, err := stage.attack(ctx, policy)
	if err != nil {
		return err
	}
	c.Reported = reported
	bombed, err := stage.bomb(policy)
	if err != nil {
		return err
	}
	all = append(all, bombed)
	left := stage.Left()
	for _, a := range table {
		cell := Cell{Attack: a.name, Gets: a.gets, Outcome: Stopped}
		cell.Promised, cell.Because = a.holds(c.Profile, isolation)
		for _, s := range append(all, stage.observe(a.name, opponent), Said{Attack: a.name, Evidence: left[a.name]}) {
			switch {
			case s.Attack != a.name:
			case s.Evidence != "":
				cell.Outcome, cell.Why = Open, s.Evidence
			case s.Untried:
				cell.Outcome, cell.Why = Untried, s.Err
			case cell.Outcome == Stopped && s.Err != "":
				cell.Why = text.OneLine(s.Err, maxWhy)
			}
		}
		if cell.Promised || cell.Outcome != Open {
			cell.Because = ""
		}
		c.Cells = append(c.Cells, cell)
	}
	return nil
}

// command is this binary in a role.
func (s *Stage) command(does, dir string, policy sandbox.Policy) (process.Command, error) {
	told, err := json.Marshal(s.Scene)
	if err != nil {
		return process.Command{}, err
	}
	return process.Command{Args: []string{s.self, attackerWord, does, string(told)}, Dir: dir, Sandbox: policy}, nil
}

// seat starts the opponent, and finds it among the processes.
func (s *Stage) seat(policy sandbox.Policy) (*process.Process, error) {
	c, err := s.command(doesOpponent, s.Other, policy)
	if err != nil {
		return nil, err
	}
	c.Env = append(c.Env, "LUZHANQI_ATTACKED="+Secret(s.Mark))
	p, err := process.Start(c)
	if err != nil {
		return nil, err
	}
	first := make([]byte, 64)
	n, err := p.Read(first, time.Now().Add(10*time.Second))
	if err != nil || string(first[:n]) != "ready\n" {
		p.Stop(0)
		return nil, fmt.Errorf("the program that plays the opponent said %q: %w", first[:n], err)
	}
	for pid, e := range process.Processes() {
		if words := commandLine(pid); len(words) > 3 && words[2] == doesOpponent && strings.Contains(words[3], s.Mark) {
			s.Opponent = Someone{Name: "the opponent", PID: pid, Started: e.Started}
		}
	}
	if s.Opponent.PID == 0 {
		p.Stop(0)
		return nil, errors.New("the program that plays the opponent is not among the processes")
	}
	return p, nil
}

// attack has all attacks tried that are tried together.
func (s *Stage) attack(ctx context.Context, policy sandbox.Policy) (all []Said, reported int, err error) {
	c, err := s.command(doesAll, s.Own, policy)
	if err != nil {
		return nil, 0, err
	}
	r := process.Run(ctx, c, process.RunLimits{Time: 2 * time.Minute, Head: 1 << 20})
	if !r.OK() {
		return nil, 0, errors.Join(r.Err, fmt.Errorf("the attacker %v: %s", r.Exit, r.Stderr))
	}
	for lines := bufio.NewScanner(strings.NewReader(r.Stdout.String())); lines.Scan(); {
		var one Said
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, 0, fmt.Errorf("the attacker Said %q: %w", lines.Text(), err)
		}
		all = append(all, one)
	}
	for _, refused := range r.Exit.Refused {
		reported += refused.Count
	}
	return all, reported, nil
}

// bomb has more processes started than a limit allows.
func (s *Stage) bomb(policy sandbox.Policy) (Said, error) {
	c, err := s.command(doesBomb, s.Own, policy)
	if err != nil {
		return Said{}, err
	}
	c.Confine.Processes = bombsLimit
	p, err := process.Start(c)
	if err != nil {
		return Said{}, err
	}
	p.Read(make([]byte, 1), time.Now().Add(patience)) // it says nothing
	exit, err := p.Stop(0)
	if err != nil {
		return Said{}, err
	}
	if exit.Exceeded == process.LimitProcesses {
		return Said{Attack: forkBomb}, nil
	}
	return Said{Attack: forkBomb, Evidence: fmt.Sprintf("started %d processes, where %d are allowed, and %v", bombs, bombsLimit, exit)}, nil
}

// observe is what can be seen from outside of what an attack has done.
func (s *Stage) observe(name string, opponent *process.Process) Said {
	seen := Said{Attack: name}
	switch name {
	case "opponent-output":
		line := make([]byte, 64)
		if n, _ := opponent.Read(line, time.Now().Add(10*time.Millisecond)); n > 0 {
			seen.Evidence = fmt.Sprintf("the referee read %q from the opponent", line[:n])
		}
	case "opponent-directory":
		if now := listing(s.Other); now != s.others {
			seen.Evidence = "changed it from " + s.others + " to " + now
		}
	case "opponent-modes":
		if now := attributes(s.Other); now != s.modes {
			seen.Evidence = "changed them from " + s.modes + " to " + now
		}
	case "own-directory":
		if now := listing(s.Own); now != s.own {
			seen.Evidence = "changed " + s.own + " to " + now
		}
	case "core-dump":
		if cores, _ := filepath.Glob(filepath.Join(s.Own, "core*")); len(cores) > 0 {
			seen.Evidence = "left " + filepath.Base(cores[0])
		}
	case "outlive":
		for pid := range process.Processes() {
			if words := commandLine(pid); len(words) > 3 && words[2] == doesOutlive && words[3] == s.Mark {
				seen.Evidence = fmt.Sprintf("process %d is still there", pid)
			}
		}
	}
	return seen
}
