package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"luzhanqi/check"
	"luzhanqi/debug"
	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player/levels"
	"luzhanqi/process"
	"luzhanqi/process/sandbox"
	"luzhanqi/referee"
	"luzhanqi/referee/errlog"
	"luzhanqi/referee/record"
	"luzhanqi/text"
)

type debugCommand struct {
	Game    string `arg:"" name:"record|game" help:"A record, a directory of them with --only, or the name of a game."`
	Program string `arg:"" optional:"" name:"program" help:"Command line of the program. That of a record is run only when it is named here: it is what somebody wrote into a file."`

	Only    int            `help:"The game of this number: of the records in the directory, or of the match with this --seed, in which the program plays first in odd games." placeholder:"N"`
	Side    int            `help:"Which player the program is, 1 or 2. Default: by the number of the game; in a record, the program, or the one at fault if both are." placeholder:"1|2"`
	GoOn    bool           `help:"After an answer that is not the record's let a level go on for the opponent: its own if it was one, else --against."`
	Against string         `help:"Opponent, where the record does not say it: builtin:LEVEL or a command line. Default: builtin:random." placeholder:"PLAYER"`
	Seed    *uint64        `help:"Seed of the match, of a game that is not in a record. Default: drawn, and shown."`
	Time    *time.Duration `help:"Time for a move that the program is told, of a game that is not in a record. Default: the game's."`
	Dialect string         `help:"Dialect of the program. Default: the record's, or the game's first (${dialects})." placeholder:"NAME"`
	Adapter string         `help:"Adapter of its dialect: the name of a built-in one or a TOML file." placeholder:"NAME|FILE"`
	Clocks  bool           `help:"Judge its time as in a match. Default: no clock runs, since somebody may look at the program with a debugger."`
	From    int            `help:"Show messages from this ply on." placeholder:"PLY"`
	sandboxFlags
	Input string `help:"Write what the record's referee said to the player into this file instead of playing, for debuggers that can read a file." placeholder:"FILE"`
}

func (k *debugCommand) Run(ctx context.Context, c *stdio) error {
	s := &debug.Session{GoOn: k.GoOn, Clocks: k.Clocks, From: k.From, Color: colorful(os.Stdout), Out: c.out, Notice: c.err}
	_, err := os.Stat(k.Game)
	isGame := errors.Is(err, os.ErrNotExist) && !strings.ContainsAny(k.Game, "./")
	switch {
	case k.Side < 0 || k.Side > 2:
		return usage(fmt.Errorf("--side %d: allowed are 1 and 2", k.Side))
	case k.Only < 0 || k.From < 0:
		return usage(errors.New("--only and --from: allowed are whole numbers from 1"))
	case k.Input != "" && isGame:
		return usage(errors.New("--input writes what a record holds: name a record instead of a game"))
	case k.Input != "" && k.Sandbox != string(sandbox.Guarded):
		return usage(fmt.Errorf("--sandbox %s has no effect: --input starts no program", k.Sandbox))
	case isGame:
		err = k.fresh(s)
	default:
		err = k.recorded(s)
	}
	if err != nil {
		return usage(err)
	}
	if k.Input != "" {
		return k.writeInput(c, s)
	}
	e := &s.Game.Entrants[s.Side]
	log, err := errlog.Open(errlog.Show, c.err)
	if err != nil {
		return err
	}
	s.Game.Stderr = func(*referee.Game, game.Side) io.WriteCloser { return log.Writer("stderr", "") }
	if err := e.Check(); err != nil {
		return usage(err)
	}
	recorded := "" // which holds the opponent's pieces
	if !isGame {
		if recorded, err = k.record(); err != nil {
			return usage(err)
		}
	}
	if err := k.shutIn(c, s.Game.Entrants[:], recorded); err != nil {
		return usage(err)
	}
	what := "no clock runs"
	if k.Clocks {
		what = "its time is judged"
	}
	fmt.Fprintf(c.out, "%s: %s – %s, game %d of seed %d; %s is player %v, %s\n", s.Game.Game.Name(),
		s.Game.Entrants[0].Name, s.Game.Entrants[1].Name, s.Game.Number, s.Game.Seed, e.Command, s.Side, what)
	fine, err := s.Play(ctx)
	if errors.Is(err, referee.ErrStart) {
		return usage(err)
	}
	if err == nil && !fine {
		return failure{exitDisagrees, errors.New("the program answered differently, or lost by a fault: see above")}
	}
	return err
}

// fresh is a game that is in no record.
func (k *debugCommand) fresh(s *debug.Session) error {
	g, err := games.Find(k.Game)
	if err != nil {
		return fmt.Errorf("%q is no record, and no game: %w", k.Game, err)
	}
	if k.Program == "" {
		return errors.New("no program is given: name its command line, such as 'python3 bot.py'")
	}
	s.Game = &referee.Game{Conditions: referee.Conditions{Game: g, Limits: g.Limits()}, Seed: rand.Uint64() >> 11, Number: max(1, k.Only), Attempt: 1, Version: version()}
	if s.Game.Rules, err = game.ParseRules("", g.Options()); err != nil {
		return err
	}
	if k.Seed != nil {
		s.Game.Seed = *k.Seed
	}
	if k.Time != nil {
		s.Game.Limits.Move, s.Game.Limits.First = *k.Time, 0
	}
	if s.Side = game.Side((s.Game.Number + 1) % 2); k.Side > 0 {
		s.Side = game.Side(k.Side - 1)
	}
	if s.Game.Entrants[s.Side.Other()], err = referee.ParseEntrant(g, k.opponent(), ""); err != nil {
		return fmt.Errorf("--against: %w", err)
	}
	return k.seat(s, "")
}

func (k *debugCommand) opponent() string {
	if k.Against == "" {
		return "builtin:random"
	}
	return k.Against
}

// seat seats the program; dialect is the one of the record.
func (k *debugCommand) seat(s *debug.Session, dialect string) error {
	e := referee.Entrant{}
	var err error
	if e.Command, err = process.ParseCommand(k.Program); err != nil {
		return err
	}
	e.Name = referee.ProgramName(e.Command.Args)
	if k.Dialect != "" {
		dialect = k.Dialect
	}
	if err := e.FindDialect(s.Game.Game, dialect); err != nil {
		return fmt.Errorf("--dialect: %w", err)
	}
	if err := e.FindAdapter(s.Game.Game, k.Adapter, ""); err != nil {
		return fmt.Errorf("--adapter: %w", err)
	}
	s.Game.Entrants[s.Side] = e
	return nil
}

// recorded is the game of a record, with the opponent's moves from it.
func (k *debugCommand) recorded(s *debug.Session) error {
	switch {
	case k.Seed != nil:
		return errors.New("--seed has no effect: the record has its own")
	case k.Time != nil:
		return errors.New("--time has no effect: the record has its own")
	}
	file, err := k.record()
	if err != nil {
		return err
	}
	replay, err := readRecord(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	s.Record = replay
	if s.Game, err = replay.Header.ToPlay(games.Find); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if s.Side, err = k.side(s); err != nil {
		return err
	}
	if k.Input != "" {
		return nil
	}
	other := &s.Game.Entrants[s.Side.Other()]
	was, then := *other, other.Level
	if then == nil {
		level, builtin := strings.CutPrefix(k.opponent(), "builtin:")
		if !builtin {
			return fmt.Errorf("--against %s: with a record, allowed is builtin:LEVEL", k.opponent())
		}
		found, err := levels.Find(s.Game.Game, level)
		if err != nil {
			return fmt.Errorf("--against: %w", err)
		}
		then = &found
	} else if k.Against != "" {
		return fmt.Errorf("--against has no effect: the opponent of the record is the level %s", was.Name)
	}
	if s.Script, err = debug.NewScript(s.Game.Game, replay, s.Side.Other(), *then); err != nil {
		return err
	}
	*other = s.Script.Entrant(was.Name, was.Options)
	recorded := s.Game.Entrants[s.Side]
	if k.Program == "" {
		if !recorded.IsProgram() {
			return fmt.Errorf("player %v of the record is no program: name the command line of one", s.Side)
		}
		return fmt.Errorf("no program is given: that of the record, player %v, was started by the command line below, which whoever wrote the record "+
			"has chosen; to run it, name it:\n  %s", s.Side, k.named(s))
	}
	dialect := ""
	if recorded.IsProgram() {
		dialect = recorded.Protocol.Name()
	}
	if err := k.seat(s, dialect); err != nil {
		return err
	}
	if k.Adapter == "" && k.Dialect == "" && recorded.IsProgram() {
		s.Game.Entrants[s.Side].Protocol, s.Game.Entrants[s.Side].Adapter = recorded.Protocol, recorded.Adapter
	}
	s.Game.Entrants[s.Side].Limits, s.Game.Entrants[s.Side].OneByOne = recorded.Limits, recorded.OneByOne
	return nil
}

// named is the command line that names the program of the record. What could steer a terminal is escaped.
func (k *debugCommand) named(s *debug.Session) string {
	words := []string{"debug", k.Game}
	if k.Only > 0 {
		words = append(words, "--only", strconv.Itoa(k.Only))
	}
	if k.Side > 0 {
		words = append(words, "--side", strconv.Itoa(k.Side))
	}
	return typed() + " " + check.CommandLine(append(words, check.CommandLine(s.Game.Entrants[s.Side].Command.Args...))...)
}

// record is the file of the record that is meant.
func (k *debugCommand) record() (string, error) {
	info, err := os.Stat(k.Game)
	switch {
	case err != nil:
		return "", err
	case !info.IsDir() && k.Only > 0:
		return "", fmt.Errorf("--only %d has no effect: %s is one record", k.Only, k.Game)
	case !info.IsDir():
		return k.Game, nil
	case k.Only == 0:
		return "", fmt.Errorf("%s is a directory: say with --only which game of its records is meant", k.Game)
	}
	found, err := filepath.Glob(filepath.Join(k.Game, fmt.Sprintf("*-game-%05d*.jsonl", k.Only)))
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return "", fmt.Errorf("%s holds no record of a game %d: there is no file *-game-%05[2]d.jsonl", k.Game, k.Only)
	case len(found) > 1:
		return "", fmt.Errorf("%s holds %d records of game %d: name one of %s", k.Game, len(found), k.Only, strings.Join(found, ", "))
	}
	return found[0], nil
}

// side is which side of a record the program takes.
func (k *debugCommand) side(s *debug.Session) (game.Side, error) {
	first, second := s.Game.Entrants[0].IsProgram(), s.Game.Entrants[1].IsProgram()
	switch end := s.Record.Ending; {
	case k.Side > 0:
		return game.Side(k.Side - 1), nil
	case first != second && first:
		return game.First, nil
	case first != second:
		return game.Second, nil
	case end != nil && end.Fault != nil:
		return *end.Fault, nil
	}
	return 0, errors.New("both players of the record could be meant: say --side 1 or --side 2")
}

// writeInput writes what the referee said to a player.
func (k *debugCommand) writeInput(c *stdio, s *debug.Session) error {
	file, err := k.record()
	if err != nil {
		return usage(err)
	}
	f, err := os.Open(file)
	if err != nil {
		return usage(err)
	}
	defer f.Close()
	said, err := record.Said(f, s.Side)
	if err != nil {
		return usage(fmt.Errorf("%s: %w", file, err))
	}
	if len(said) == 0 {
		return usage(fmt.Errorf("the record holds nothing that was said to player %v: built-in players and people exchange no messages", s.Side))
	}
	if err := os.WriteFile(k.Input, said, 0o666); err != nil {
		return usage(fmt.Errorf("--input: %w", err))
	}
	fmt.Fprintf(c.out, "%s holds what was said to player %v: %s\n", k.Input, s.Side, text.Count(bytes.Count(said, []byte("\n")), "line"))
	return nil
}
