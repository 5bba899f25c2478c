package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"luzhanqi/check"
	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/process"
	"luzhanqi/referee"
	"luzhanqi/text"
)

type checkCommand struct {
	Command string `arg:"" optional:"" name:"command" help:"Command line of the program, such as './mybot' or 'java -jar bot.jar'; with --referee that of the referee."`

	Referee bool   `help:"Check a referee: {1} and {2} in its command line become two programs, each a path without arguments."`
	Game    string `help:"Game to play: ${games}." default:"${game}"`
	Dialect string `help:"Dialect that is spoken, the game's first by default (${dialects})." placeholder:"NAME"`
	Adapter string `help:"Adapter of the program's dialect: the name of a built-in one or a TOML file." placeholder:"NAME|FILE"`
	Rules   string `help:"Rules that differ from the defaults." placeholder:"NAME=VALUE,…"`
	limitFlags
	sandboxFlags
	stderrFlag
	Games   int      `short:"n" help:"Number of full games, a multiple of 4, which are played again with half the time." default:"20"`
	Seed    *uint64  `help:"Seed of every random choice. Default: drawn, and shown."`
	Attacks bool     `help:"Try, on this machine and without a program, what programs might try against the referee, and print what is stopped under each profile, or under that of --sandbox."`
	Only    []string `help:"Run only these steps, and what they need." placeholder:"STEP,…"`
	List    bool     `help:"List the steps, and exit."`
	Record  string   `help:"Write records of the games in which steps fail into this directory." placeholder:"DIR"`
	TAP     bool     `name:"tap" help:"Write TAP version 14 to standard output instead of text."`
	JSON    bool     `name:"json" help:"Write JSON to standard output instead of text."`
	JUnit   string   `name:"junit" help:"Write JUnit XML to this file, besides the rest." placeholder:"FILE"`
}

// errSteps: steps of a check failed.
var errSteps = errors.New("failed")

// maxRecognised is how many findings of an adapter are shown: those of a few moves.
const maxRecognised = 16

func (k *checkCommand) Run(ctx context.Context, c *stdio, command *kong.Context) error {
	if k.List {
		if err := alone(command, "--list, which plays nothing", "--list", "--referee", "--json"); err != nil {
			return err
		}
		if len(k.Command) > 0 {
			return usage(fmt.Errorf("--list plays nothing: there is nothing to do with %q", k.Command))
		}
		return k.list(c)
	}
	if k.Attacks {
		return k.attacks(ctx, c, command)
	}
	o, err := k.options()
	if err != nil {
		return usage(err)
	}
	people := &check.Text{Out: c.out, Color: colorful(os.Stdout)}
	if !k.TAP && !k.JSON {
		o.Each = people.Line
		o.Recognised = func(lines []string) {
			fmt.Fprintln(c.out, "The adapter recognises in the output of a game:")
			for _, line := range lines[:min(len(lines), maxRecognised)] {
				fmt.Fprintf(c.out, "  %s\n", line)
			}
			if more := len(lines) - maxRecognised; more > 0 {
				fmt.Fprintf(c.out, "  and %d more of the same kinds; --json has all\n", more)
			}
			fmt.Fprintln(c.out)
		}
	}
	r, err := k.run(ctx, c, o)
	if errors.Is(err, check.ErrSubject) {
		return usage(err)
	}
	if err != nil && len(r.Steps) == 0 {
		return err
	}
	if wrong := k.write(c, people, &r); wrong != nil {
		return errors.Join(err, wrong)
	}
	if err == nil && r.Failed > 0 {
		return failure{exitDisagrees, fmt.Errorf("%d of %s %w", r.Failed, text.Count(len(r.Steps), "step"), errSteps)}
	}
	return err
}

func (k *checkCommand) list(c *stdio) error {
	steps := check.Steps()
	if k.Referee {
		steps = check.RefereeSteps()
	}
	lines := json.NewEncoder(c.out)
	for _, s := range steps {
		if k.JSON {
			if err := lines.Encode(s); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(c.out, "%-20s %s\n", s.Name, s.Title)
	}
	return nil
}

// options checks the flags that do not depend on what is checked.
func (k *checkCommand) options() (o check.Options, err error) {
	switch {
	case k.Command == "":
		return o, errors.New("no command line is given: name the program that is to be checked, such as 'python3 bot.py'")
	case k.TAP && k.JSON:
		return o, errors.New("--tap and --json exclude each other: both write to standard output")
	case k.Referee && k.Adapter != "":
		return o, fmt.Errorf("--adapter %s has no effect with --referee: the referee adapts itself to its programs", k.Adapter)
	case k.Referee && k.Clock == game.WallClock.String():
		return o, fmt.Errorf("--clock %s has no effect with --referee: the clock is that referee's", k.Clock)
	}
	o = check.Options{Games: k.Games, Seed: rand.Uint64() >> 11, Only: k.Only, Records: k.Record, Version: version()}
	if k.Seed != nil {
		o.Seed = *k.Seed
	}
	o.Again = k.again(o.Seed)
	return o, nil
}

// again is the command line of this check, with its seed.
func (k *checkCommand) again(seed uint64) string {
	words := []string{"check"}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, flag, value)
		}
	}
	if k.Referee {
		words = append(words, "--referee")
	}
	add("--game", k.Game)
	add("--dialect", k.Dialect)
	add("--adapter", k.Adapter)
	add("--rules", k.Rules)
	for _, limit := range []struct {
		flag string
		d    *time.Duration
	}{{"--time", k.Time}, {"--first-time", k.FirstTime}, {"--setup-time", k.SetUpTime}, {"--start-time", k.StartTime}, {"--grace", k.Grace}} {
		if limit.d != nil {
			add(limit.flag, limit.d.String())
		}
	}
	if k.Games != check.DefaultGames {
		add("--games", strconv.Itoa(k.Games))
	}
	add("--seed", strconv.FormatUint(seed, 10))
	return typed() + " " + check.CommandLine(append(words, k.Command)...)
}

// run checks what is asked for.
func (k *checkCommand) run(ctx context.Context, c *stdio, o check.Options) (r check.Report, err error) {
	g, err := games.Find(k.Game)
	if err != nil {
		return r, usage(fmt.Errorf("--game: %w", err))
	}
	under := referee.Conditions{Game: g}
	if under.Rules, err = game.ParseRules(k.Rules, g.Options()); err != nil {
		return r, usage(fmt.Errorf("--rules: %w", err))
	}
	under.Limits, err = k.limits(g)
	if err != nil {
		return r, usage(err)
	}
	e := referee.Entrant{}
	if e.Command, err = process.ParseCommand(k.Command); err != nil {
		return r, usage(err)
	}
	e.Name = referee.ProgramName(e.Command.Args)
	log, err := k.log(c)
	if err != nil {
		return r, usage(err)
	}
	entrants, secret := []referee.Entrant{e}, ""
	if log != nil {
		secret = log.Dir()
		w := log.Writer(e.Name, "check")
		defer w.Close()
		entrants[0].Command.Stderr = w
	}
	if err := k.shutIn(c, entrants, secret, k.Record); err != nil {
		return r, usage(err)
	}
	e = entrants[0]
	if err := e.FindDialect(g, k.Dialect); err != nil {
		return r, usage(fmt.Errorf("--dialect: %w", err))
	}
	c.loud(1)
	if k.Referee {
		return check.RunReferee(ctx, check.Subject{Program: e, Conditions: under}, o)
	}
	if slices.ContainsFunc(e.Command.Args, func(word string) bool { return strings.Contains(word, "{1}") }) {
		return r, usage(errors.New("the command line has {1}, which is for --referee"))
	}
	if err := e.FindAdapter(g, k.Adapter, ""); err != nil {
		return r, usage(fmt.Errorf("--adapter: %w", err))
	}
	if k.StartTime != nil && !e.OneShot() {
		return r, usage(fmt.Errorf("--start-time %v has no effect: the program is not started anew for each question", *k.StartTime))
	}
	return check.Run(ctx, check.Subject{Program: e, Conditions: under}, o)
}

// write prints the report in the forms that are asked for, each whatever becomes of the other.
func (k *checkCommand) write(c *stdio, people *check.Text, r *check.Report) (err error) {
	switch {
	case k.TAP:
		err = r.WriteTAP(c.out)
	case k.JSON:
		err = c.lines().Encode(r)
	default:
		people.Summary(r)
	}
	if k.JUnit != "" {
		if failed := writeJUnit(k.JUnit, r); failed != nil {
			err = errors.Join(err, fmt.Errorf("--junit: %w", failed))
		}
	}
	return err
}

func writeJUnit(file string, r *check.Report) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(r.WriteJUnit(f), f.Close())
}
