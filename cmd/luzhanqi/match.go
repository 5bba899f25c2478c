package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player/levels"
	"luzhanqi/process"
	"luzhanqi/process/sandbox"
	"luzhanqi/referee"
	"luzhanqi/referee/adjudication"
	"luzhanqi/referee/errlog"
	"luzhanqi/referee/opening"
	"luzhanqi/referee/record"
	"luzhanqi/referee/record/played"
	"luzhanqi/text"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/store"
)

type matchCommand struct {
	Players []string `arg:"" optional:"" name:"player" help:"Two players, each a command line such as './mybot' or 'java -jar bot.jar', or builtin:LEVEL. Without any: builtin:greedy, or what comes next to it in a game without, and builtin:random."`

	Game  string `help:"Game to play: ${games}." default:"${game}"`
	Games int    `short:"n" help:"Number of games. Players swap seats after each; the games of a pair share the seed of their set-ups." default:"1"`
	limitFlags
	sandboxFlags
	stderrFlag
	Keep        string         `help:"Directory for what programs write into the working directory, which is thrown away otherwise: a directory for each game and player." placeholder:"DIR"`
	MaxPlies    *int           `help:"Draw after so many moves, 0 for no cap. Default: the game's (${plies} for ${game})."`
	SPRT        string         `name:"sprt" help:"Stop as soon as a sequential test decides between two differences in logistic Elo, such as 0,10, with an error of 5 % each; --games is the most that are played. Write --sprt=-5,5 if negative." placeholder:"ELO0,ELO1"`
	Rules       string         `help:"Rules that differ from the defaults, as name=value,…; see luzhanqi match --help-rules." placeholder:"NAME=VALUE,…"`
	HelpRules   bool           `help:"List the rules that can be chosen, and exit."`
	Dialect1    string         `name:"dialect-1" help:"Protocol that the first player's program speaks, the game's first by default (${dialects})." placeholder:"NAME"`
	Dialect2    string         `name:"dialect-2" help:"Protocol that the second player's program speaks." placeholder:"NAME"`
	Adapter1    string         `name:"adapter-1" help:"Adapter of the first player's dialect: the name of a built-in one or a TOML file; luzhanqi games lists them." placeholder:"NAME|FILE"`
	Adapter2    string         `name:"adapter-2" help:"Adapter of the second player's dialect." placeholder:"NAME|FILE"`
	OneByOne1   bool           `name:"one-by-one-1" help:"Write each message to the first player's program by itself, not together with what follows at once: slower, for programs that fail the step joined-messages of luzhanqi check."`
	OneByOne2   bool           `name:"one-by-one-2" help:"Write each message to the second player's program by itself."`
	Name1       string         `name:"name-1" help:"Name of the first player in results. Default: its program's or level's." placeholder:"NAME"`
	Name2       string         `name:"name-2" help:"Name of the second player in results." placeholder:"NAME"`
	Openings    string         `help:"Begin games with the set-ups, positions and moves of this file (JSON Lines, docs/openings.md), one for each pair of games: both players have both sides of it." placeholder:"FILE"`
	RandomPlies int            `name:"random-plies" help:"Begin each pair of games with so many moves that are drawn." placeholder:"N"`
	TotalTime   *time.Duration `name:"total-time" help:"Time of each side for all its moves, instead of --time for each: for built-in levels, since no dialect has a word for what is left."`
	Increment   time.Duration  `help:"What each move adds to --total-time."`
	Adjudicate  string         `help:"End games whose result is clear: a level at fixed nodes, asked at each turn with what the mover sees, agrees for so many plies; such as strong@20000,win=0.9,plies=6. docs/endings.md says more." placeholder:"LEVEL@NODES,win=V,…"`
	Seed        *uint64        `help:"Seed of every random choice. Default: drawn, and shown."`
	Concurrency int            `short:"c" help:"Games played at a time." default:"1"`
	Pin         string         `help:"Play each game on one processor, the referee's thread and both programs: ${enum}. Auto: where games at a time fill the machine, and both programs have answered at once in the games before." enum:"auto,off" default:"auto"`
	Record      *string        `help:"Write a record of each game into this directory." placeholder:"DIR" xor:"record"`
	Resume      string         `help:"Go on with the match whose records are in this directory, and record into it: what was played is not played again. Give the command as it was, perhaps with more --games." placeholder:"DIR" xor:"record"`
	Explain     bool           `help:"Record why built-in players made their moves, as luzhanqi player --explain says it; needs --record."`
	Board       string         `help:"Draw the board after each move: ${enum}. Auto: on a terminal, one game at a time." enum:"auto,on,off" default:"auto"`
	Pace        time.Duration  `help:"Shortest time that a drawn board stays; no clock runs meanwhile." default:"80ms"`
	JSON        bool           `name:"json" help:"Write events as JSON Lines to standard output; the last is the summary."`
	Quiet       bool           `short:"q" help:"Show the summary only; with --json, its event only."`
}

// Help is shown below the first line of --help.
func (m *matchCommand) Help() string {
	return "Games of days, or of more than two players, are safer as a tournament (luzhanqi help tournament run): it loses none, and can grow."
}

func (m *matchCommand) Run(ctx context.Context, c *stdio, command *kong.Context) error {
	g, err := games.Find(m.Game)
	if err != nil {
		return usage(fmt.Errorf("--game: %w", err))
	}
	if m.HelpRules {
		for _, o := range append(g.Options(), referee.OwnRules...) {
			fmt.Fprintf(c.out, "%-8s %s (default %s)\n         %s\n", o.Name, strings.Join(o.Allowed, " | "), o.Default(), o.Help)
		}
		return nil
	}
	goOn, release, err := m.resumed()
	if err != nil {
		return usage(err)
	}
	defer release()
	match, err := m.match(g)
	if err != nil {
		return usage(err)
	}
	if err := match.Check(); err != nil {
		return usage(err)
	}
	if err := needed(match, given(command)); err != nil {
		return usage(err)
	}
	if match.Played, err = played.Results(match, goOn); err != nil {
		return usage(fmt.Errorf("--resume: %w", err))
	}
	if m.Keep != "" {
		if m.Sandbox == string(sandbox.Off) {
			return usage(errors.New("--keep has no effect with --sandbox off: what programs write stays where they write it"))
		}
		if match.Keep, err = filepath.Abs(m.Keep); err == nil {
			err = os.MkdirAll(match.Keep, 0o777)
		}
		if err != nil {
			return usage(fmt.Errorf("--keep %s: %w", m.Keep, err))
		}
	}
	records := ""
	if m.Record != nil {
		records = *m.Record
	}
	log, err := m.log(c)
	if err != nil {
		return usage(err)
	}
	secret := []string{records, match.Keep}
	if log != nil {
		secret = append(secret, log.Dir())
		match.Stderr = matchStderr(log)
	}
	if err := m.shutIn(c, match.Entrants[:], secret...); err != nil {
		return usage(err)
	}
	if m.Record != nil {
		folder, err := record.NewFolder(*m.Record)
		if err != nil {
			return usage(fmt.Errorf("--record %s: the directory for records cannot be used: %w", *m.Record, err))
		}
		match.Record = folder.Begin
		if release, err := folder.Play(); err == nil {
			defer release()
		} else {
			c.log.Info().Err(err).Msg("a server that shows the records cannot know when the match is over, and goes by their times")
		}
	}
	test, err := m.test()
	if err != nil {
		return usage(fmt.Errorf("--sprt: %w", err))
	}
	show := newShow(c, match, m)
	show.rating.Test = test
	match.Watch, match.Ended = show.watch, show.ended
	match.Enough = func() bool { return show.rating.Decided() || c.out.failed != nil }
	if !m.Quiet {
		c.loud(min(m.Concurrency, m.Games))
	}
	show.begin()
	match.SuitRuntime()
	score, err := match.Run(ctx)
	if errors.Is(err, referee.ErrStart) && !process.MachineFault(err) {
		return usage(err) // it was found and is executable, and the system still refused it
	}
	show.summary(score, err)
	if errors.Is(err, referee.ErrVoid) {
		return failure{exitVoid, err}
	}
	return err
}

// resumed finds what was played of the match that is gone on with, and lets nobody else do so until release is called.
func (m *matchCommand) resumed() (goOn []played.Found, release func(), err error) {
	if m.Resume == "" {
		return nil, func() {}, nil
	}
	lock, err := store.Lock(m.Resume, "goes on with the match")
	if err != nil {
		return nil, nil, fmt.Errorf("--resume: %w", err)
	}
	m.Record = &m.Resume
	if goOn, err = played.Folder(m.Resume); err != nil {
		lock.Unlock()
		return nil, nil, fmt.Errorf("--resume: %w", err)
	}
	if seed, ok := played.Seed(goOn); ok && m.Seed == nil {
		m.Seed = &seed
	}
	return goOn, func() { lock.Unlock() }, nil
}

// matchStderr names the standard error of a program after its game, as records are named.
func matchStderr(log *errlog.Log) func(*referee.Game, game.Side) io.WriteCloser {
	began := record.Stamp(time.Now())
	return func(g *referee.Game, side game.Side) io.WriteCloser {
		return log.Writer(fmt.Sprintf("game %d, %s", g.Number, g.Entrants[side].Name), fmt.Sprintf("%s-player-%v", record.Name(began, g), side))
	}
}

// match checks every flag.
func (m *matchCommand) match(g game.Game) (*referee.Match, error) {
	match := &referee.Match{Conditions: referee.Conditions{Game: g}, Games: m.Games, Concurrency: m.Concurrency, Pin: m.Pin == "auto", Version: version()}
	if m.Record != nil && *m.Record == "" {
		return nil, errors.New("--record \"\": give a directory")
	}
	if m.Explain && m.Record == nil {
		return nil, errors.New("--explain needs --record DIR: explanations are written into records")
	}
	err := match.SetRules(m.Rules)
	if err != nil {
		return nil, fmt.Errorf("--rules: %w", err)
	}
	if match.Limits, err = m.limits(g); err != nil {
		return nil, err
	}
	if err := m.total(&match.Limits); err != nil {
		return nil, err
	}
	if m.MaxPlies != nil {
		if match.Limits.MaxPlies = *m.MaxPlies; *m.MaxPlies < 0 {
			return nil, fmt.Errorf("--max-plies %d: allowed are whole numbers from 0", *m.MaxPlies)
		}
	}
	if m.Adjudicate != "" {
		if match.Adjudication, err = adjudication.ParseRule(g, m.Adjudicate); err != nil {
			return nil, fmt.Errorf("--adjudicate: %w", err)
		}
	}
	if err := m.shown(); err != nil {
		return nil, err
	}
	if m.Games < 1 {
		return nil, fmt.Errorf("--games %d: allowed are whole numbers from 1", m.Games)
	}
	if m.Concurrency < 1 || m.Concurrency > 1000 {
		return nil, fmt.Errorf("--concurrency %d: allowed are 1 to 1000", m.Concurrency)
	}
	match.Seed = rand.Uint64() >> 11 // whole in every language that reads the record, also where numbers are floating-point
	if m.Seed != nil {
		match.Seed = *m.Seed
	}
	players := m.Players
	usual := []string{"builtin:" + levels.Default(g).Name, "builtin:random"}
	switch len(players) {
	case 0:
		players = usual
	case 2:
	default:
		return nil, fmt.Errorf("found %s (%s): give two, or none for %s; "+
			"quote a command line with arguments, such as 'java -jar bot.jar'", text.Count(len(players), "player"), strings.Join(players, ", "), strings.Join(usual, " and "))
	}
	names, dialects, adapters := [2]string{m.Name1, m.Name2}, [2]string{m.Dialect1, m.Dialect2}, [2]string{m.Adapter1, m.Adapter2}
	oneByOne := [2]bool{m.OneByOne1, m.OneByOne2}
	for i, text := range players {
		if match.Entrants[i], err = referee.ParseEntrant(g, text, names[i]); err != nil {
			return nil, fmt.Errorf("player %q: %w", text, err)
		}
		match.Entrants[i].Explain = m.Explain
		if err := match.Entrants[i].FindDialect(g, dialects[i]); err != nil {
			return nil, fmt.Errorf("--dialect-%d: %w", i+1, err)
		}
		if err := match.Entrants[i].FindAdapter(g, adapters[i], ""); err != nil {
			return nil, fmt.Errorf("--adapter-%d: %w", i+1, err)
		}
		if oneByOne[i] {
			if err := match.Entrants[i].WriteOneByOne(); err != nil {
				return nil, fmt.Errorf("--one-by-one-%d: %w", i+1, err)
			}
		}
	}
	if m.StartTime != nil && !match.Entrants[0].OneShot() && !match.Entrants[1].OneShot() {
		return nil, fmt.Errorf("--start-time %v has no effect: neither player is a program that is started anew for each question", *m.StartTime)
	}
	if match.Openings, err = openingBook(m.Openings, m.RandomPlies, &match.Conditions); err != nil {
		return nil, err
	}
	if match.Entrants[0].Name == match.Entrants[1].Name {
		if m.Name1 != "" && m.Name2 != "" {
			return nil, fmt.Errorf("--name-1 and --name-2 are both %q: results could not be told apart", m.Name1)
		}
		referee.Number(&match.Entrants)
	}
	return match, nil
}

// openingBook reads what --openings and --random-plies say.
func openingBook(file string, random int, c *referee.Conditions) (*opening.Book, error) {
	if random < 0 || random > opening.MaxRandom {
		return nil, fmt.Errorf("--random-plies %d: allowed are 0 to %d", random, opening.MaxRandom)
	}
	book := &opening.Book{Random: random}
	if file == "" {
		return book, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("--openings: %w", err)
	}
	defer f.Close()
	if book.List, err = opening.Read(f, c.Game, c.Rules, c.Outcome); err != nil {
		return nil, fmt.Errorf("--openings %s: %w", file, err)
	}
	return book, nil
}

// total reads the total clock.
func (m *matchCommand) total(l *game.Limits) error {
	switch {
	case m.TotalTime == nil && m.Increment != 0:
		return fmt.Errorf("--increment %v has no effect without --total-time", m.Increment)
	case m.TotalTime == nil:
		return nil
	case m.Time != nil || m.FirstTime != nil:
		return errors.New("--total-time stands instead of --time and --first-time")
	case *m.TotalTime < referee.MinLimit || *m.TotalTime > referee.MaxLimit:
		return fmt.Errorf("--total-time %v: allowed are %v to %v", *m.TotalTime, referee.MinLimit, referee.MaxLimit)
	case m.Increment < 0 || m.Increment > referee.MaxLimit:
		return fmt.Errorf("--increment %v: allowed are 0s to %v", m.Increment, referee.MaxLimit)
	}
	l.Total, l.Increment = *m.TotalTime, m.Increment
	return nil
}

// needed refuses flags that would have no effect on these players.
func needed(match *referee.Match, flags map[string]bool) error {
	first, second := &match.Entrants[0], &match.Entrants[1]
	if first.IsProgram() || second.IsProgram() {
		return nil
	}
	for _, flag := range []string{"--keep", "--sandbox", "--stderr", "--clock", "--grace", "--setup-time", "--pin"} {
		if flags[flag] && !(flag == "--grace" && flags["--total-time"]) {
			return fmt.Errorf("%s has no effect: both players are built in, and it is for programs", flag)
		}
	}
	for _, flag := range []string{"--time", "--first-time"} {
		if flags[flag] && !first.Level.Timed && !second.Level.Timed {
			return fmt.Errorf("%s has no effect: neither %s nor %s looks at the clock", flag, first.Level.Name, second.Level.Name)
		}
	}
	return nil
}

// test is the test that was asked for; nil: none.
func (m *matchCommand) test() (*rating.SPRT, error) {
	if m.SPRT == "" {
		return nil, nil
	}
	if m.Games < 2 {
		return nil, errors.New("--games says how many games are played at most, and must be 2 at least")
	}
	elo0, elo1, err := rating.ParseHypotheses(m.SPRT)
	if err != nil {
		return nil, err
	}
	test, err := rating.NewSPRT(elo0, elo1, 0.05, 0.05, rating.Logistic)
	return &test, err
}

// shown refuses flags that would have no effect.
func (m *matchCommand) shown() error {
	switch {
	case m.Board == "on" && m.JSON:
		return errors.New("--board=on and --json exclude each other: boards are for people, JSON Lines for programs")
	case m.Board == "on" && m.Quiet:
		return errors.New("--board=on and --quiet exclude each other")
	case m.Pace < 0 || m.Pace > time.Hour:
		return fmt.Errorf("--pace %v: allowed are 0s to 1h", m.Pace)
	}
	return nil
}
