package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"luzhanqi/clock"
	"luzhanqi/process"
)

// RunReferee checks a referee. Its errors are those of Run.
func RunReferee(ctx context.Context, subject Subject, options Options) (Report, error) {
	if err := options.check(RefereeSteps()); err != nil {
		return Report{}, err
	}
	if subject.Game == nil || subject.Program.Protocol == nil {
		return Report{}, fmt.Errorf("%w: it takes a game and a protocol", ErrSubject)
	}
	for _, place := range places {
		if !slices.ContainsFunc(subject.Program.Command.Args, func(word string) bool { return strings.Contains(word, place) }) {
			return Report{}, fmt.Errorf("%w: the command line %q has no %s, where the program of that player is to stand", ErrSubject, subject.Program.Command, place)
		}
	}
	dir, remove, err := Folder()
	if err != nil {
		return Report{}, err
	}
	defer remove()
	s := &refereeSession{ctx: ctx, subject: subject, options: options, dir: dir, played: map[string]*refereeGame{}, whole: boundWhole}
	r := subject.newReport("referee", options.Seed)
	return r, r.run(ctx, s.steps(), options)
}

// places stand for the programs in a referee's command line.
var places = [2]string{"{1}", "{2}"}

// refereeSession is one check of one referee.
type refereeSession struct {
	ctx     context.Context
	subject Subject
	options Options
	dir     string
	played  map[string]*refereeGame
	hung    int           // games that the check had to end
	whole   time.Duration // bounds a whole game
}

// refereeGame is one game of two probes under the referee.
type refereeGame struct {
	err       error // the machine's
	late      bool  // it had to be ended
	bound     time.Duration
	exit      process.Exit
	aftermath aftermath
	logs      [2][]logLine
	stderr    []byte
	bytes     int64 // of standard error
}

// The bounds of one game, besides the limits by which it is played: for starting all programs, and for a whole
// game.
const (
	boundSlack = 20 * time.Second
	boundWhole = 2 * time.Minute
)

// play plays a game once, with what the probes do, and remembers it.
func (s *refereeSession) play(name string, does [2]behaviour) *refereeGame {
	if c, ok := s.played[name]; ok {
		return c
	}
	c := &refereeGame{}
	s.played[name] = c
	c.err = s.run(c, filepath.Join(s.dir, name), does)
	if c.late {
		s.hung++
	}
	return c
}

func (s *refereeSession) run(c *refereeGame, dir string, does [2]behaviour) error {
	l := s.subject.Limits
	c.bound = boundSlack + l.SetUp + 3*(max(l.Move, l.First)+l.Grace+l.Start)
	if does == [2]behaviour{} || does[0].Does == stays || does[1].Does == stays {
		c.bound = s.whole
	}
	var paths [2]string
	for i, folder := range probeFolders {
		spec := probeSpec{
			Game: s.subject.Game.Name(), Dialect: s.subject.Program.Protocol.Name(), Rules: s.subject.Rules.String(),
			Seed: s.options.Seed + uint64(numberOf(filepath.Base(dir)))<<1 + uint64(i), Behaviour: does[i],
		}
		command, err := spec.command(filepath.Join(dir, folder))
		if err != nil {
			return err
		}
		if paths[i], err = script(filepath.Join(dir, "player-"+folder), command); err != nil {
			return err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	command := s.subject.Program.Command
	command.Sandbox.Write = append(slices.Clone(command.Sandbox.Write), dir) // for what the probes note
	words := []string{self, probeWord, refereeWord, dir}
	for _, word := range command.Args {
		words = append(words, strings.NewReplacer(places[0], paths[0], places[1], paths[1]).Replace(word))
	}
	command.Args = words
	p, err := process.Start(command)
	if err != nil {
		return err
	}
	defer context.AfterFunc(s.ctx, p.Interrupt)()
	p.CloseInput()
	c.follow(p)
	if c.exit, err = p.Stop(0); err != nil {
		return err
	}
	c.stderr, c.bytes = p.Stderr()
	for i, folder := range probeFolders {
		c.logs[i], err = readLog(filepath.Join(dir, folder, logFile))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if c.late {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(dir, aftermathFile))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, &c.aftermath)
}

// follow reads and drops what the referee writes, until it has ended or its time is over.
func (c *refereeGame) follow(p *process.Process) {
	deadline := clock.Now().Add(c.bound)
	buf := make([]byte, 16<<10)
	for {
		if _, err := p.Read(buf, deadline); err != nil {
			break
		}
	}
	c.late = !clock.Wait(p.Exited(), clock.Until(deadline))
}

// script writes a program without arguments that starts a command with its own: what any referee can start.
func script(path string, c process.Command) (string, error) {
	text := "#!/bin/sh\nexec " + CommandLine(c.Args...) + " \"$@\"\n"
	if runtime.GOOS == "windows" {
		path += ".bat"
		text = "@\"" + strings.Join(c.Args, "\" \"") + "\" %*\r\n"
	}
	if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
		return "", fmt.Errorf("write a program for the referee: %w", err)
	}
	return path, nil
}
