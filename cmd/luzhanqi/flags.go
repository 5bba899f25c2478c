package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/alecthomas/kong"

	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/process/load"
	"luzhanqi/process/sandbox"
	"luzhanqi/referee"
	"luzhanqi/referee/errlog"
	"luzhanqi/tournament/store"
)

// limitFlags are the time limits that match and check have in common.
type limitFlags struct {
	Time      *time.Duration `help:"Time for a move. Default: the game's (${time} for ${game})."`
	FirstTime *time.Duration `name:"first-time" help:"Time for each side's first move. Default: the game's, or that of the others if it has none."`
	SetUpTime *time.Duration `name:"setup-time" help:"Time for the set-up, from the first message. Default: the game's (${setup} for ${game})."`
	StartTime *time.Duration `name:"start-time" help:"Time for starting, added to each limit of a program that is started anew for each question. Default: the game's (${start} for ${game})."`
	Clock     string         `help:"The clock of programs: ${enum}. Own: time in which a program could run and others had the processors is not its own, and is given back, where the system counts it (Linux); wall: it is its own." enum:"own,wall" default:"own"`
	Grace     *time.Duration `help:"Tolerance added to every limit, and time to exit after the end. Default: the game's (${grace} for ${game})."`
}

// limits are those of a game, but for what the flags say. A flag that has no effect in the game is an error.
func (f *limitFlags) limits(g game.Game) (l game.Limits, err error) {
	l = g.Limits()
	if f.SetUpTime != nil && !g.HasSetUp() {
		return l, fmt.Errorf("--setup-time %v has no effect: %s has no set-ups", *f.SetUpTime, g.Name())
	}
	for _, flag := range []struct {
		name         string
		given, limit *time.Duration
		min          time.Duration
	}{
		{"--time", f.Time, &l.Move, referee.MinLimit},
		{"--first-time", f.FirstTime, &l.First, referee.MinLimit},
		{"--setup-time", f.SetUpTime, &l.SetUp, referee.MinLimit},
		{"--start-time", f.StartTime, &l.Start, 0},
		{"--grace", f.Grace, &l.Grace, 0},
	} {
		if flag.given == nil {
			continue
		}
		if *flag.given < flag.min || *flag.given > referee.MaxLimit {
			return l, fmt.Errorf("%s %v: allowed are %v to %v", flag.name, *flag.given, flag.min, referee.MaxLimit)
		}
		*flag.limit = *flag.given
	}
	l.Clock, _ = game.ParseClock(f.Clock)
	if f.FirstTime == nil && l.First < l.Move { // the game's own is for limits like its own
		l.First = 0
	}
	return l, nil
}

// sandboxFlags say how far programs are shut in.
type sandboxFlags struct {
	Sandbox string   `help:"How far programs are shut in: ${enum}. Guarded: away from the referee, each other and what is hidden; sealed: also without network, and with only the system's files and their own; off: not at all." enum:"guarded,sealed,off" default:"guarded"`
	dirs    []string // of programs, but for the one where this runs
}

// stderrFlag says what becomes of programs' standard error.
type stderrFlag struct {
	Stderr string `help:"Keep all that programs write to standard error, in a file for each game and player in this directory, up to 16 MiB each; or show it as it comes. Default: the end of it is kept after a fault." placeholder:"DIR|show"`
}

// log is what the flag asks for; nil: nothing.
func (f *stderrFlag) log(c *stdio) (*errlog.Log, error) {
	if f.Stderr == "" {
		return nil, nil
	}
	log, err := errlog.Open(f.Stderr, c.err)
	if err != nil {
		return nil, fmt.Errorf("--stderr %s: %w; allowed are a directory and %s", f.Stderr, err, errlog.Show)
	}
	return log, nil
}

// policy is that of each program; hidden files and directories are kept from it. Below what was asked for, and
// without any, it says so on standard error.
func (f *sandboxFlags) policy(c *stdio, hidden ...string) (sandbox.Policy, error) {
	p := sandbox.Policy{Profile: sandbox.Profile(f.Sandbox)}
	for _, path := range hidden {
		if path == "" {
			continue
		}
		whole, err := filepath.Abs(path)
		if err != nil {
			return p, fmt.Errorf("hide %s from programs: %w", path, err)
		}
		p.Hidden = append(p.Hidden, whole)
	}
	if !p.On() {
		fmt.Fprintln(c.err, "luzhanqi: --sandbox off: programs have all your powers, over this referee too")
		return p, nil
	}
	if here, err := os.Getwd(); err == nil {
		p.Hidden = append(p.Hidden, store.Others(append([]string{here}, f.dirs...)...)...)
	}
	reached := process.Isolation()
	if p.Profile == sandbox.Sealed {
		if err := reached.Sealed(); err != nil {
			return p, fmt.Errorf("--sandbox sealed: %w", err)
		}
	}
	if reached.Level != sandbox.Isolated {
		fmt.Fprintf(c.err, "luzhanqi: isolation %v\n", reached)
	}
	return p, nil
}

// shutIn gives a policy to the programs among the entrants.
func (f *sandboxFlags) shutIn(c *stdio, entrants []referee.Entrant, hidden ...string) error {
	var programs bool
	for _, e := range entrants {
		programs = programs || e.IsProgram()
	}
	if !programs {
		return nil
	}
	policy, err := f.policy(c, hidden...)
	if err != nil {
		return err
	}
	where, err := os.Getwd()
	if err != nil {
		return err
	}
	if err := policy.Check(where); err != nil {
		return err
	}
	for i := range entrants {
		if entrants[i].IsProgram() {
			entrants[i].Command.Sandbox = policy
			entrants[i].Command.Confine.Total = cmp.Or(entrants[i].Command.Confine.Total, f.totalMemory())
		}
	}
	return nil
}

// totalMemory is how much memory in all a program has of which nothing else is said; 0: no limit.
func (f *sandboxFlags) totalMemory() int64 {
	if f.Sandbox == string(sandbox.Sealed) {
		return process.SealedTotal
	}
	return 0
}

// given are the flags of a command line, as they are written.
func given(command *kong.Context) (flags map[string]bool) {
	flags = map[string]bool{}
	for _, element := range command.Path {
		if element.Flag != nil {
			flags["--"+element.Flag.Name] = true
		}
	}
	return flags
}

// begin begins a run of games; tests know how busy the machine is.
var begin = load.Begin

// loud says on standard error, before games begin, that so many at a time need more processors than there are, or that this
// machine is loaded already.
func (c *stdio) loud(concurrency int) load.Run {
	run := begin(concurrency)
	for _, note := range run.Notes() {
		fmt.Fprintf(c.err, "luzhanqi: note: %s\n", note)
	}
	return run
}
