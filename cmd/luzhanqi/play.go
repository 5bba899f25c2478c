package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"golang.org/x/term"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
	"luzhanqi/player/levels"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
	"luzhanqi/referee/textui"
	"luzhanqi/referee/unfinished"
)

type playCommand struct {
	Continue string         `arg:"" optional:"" help:"Record of an unfinished game to go on with." placeholder:"RECORD"`
	Game     string         `help:"Game to play: ${games}." default:"${game}"`
	Against  string         `help:"Level of the opponent; luzhanqi games lists them. Default: easy, or in games made for it a second person at the same screen." placeholder:"LEVEL"`
	Side     string         `help:"Side to play, 1 (moves first) or 2. Default: 1, or the game asks." placeholder:"SIDE"`
	SetUp    string         `name:"setup" help:"Your set-up in your own frame, @ and a file that holds it, or random. Default: it is asked for." placeholder:"SETUP"`
	Rules    string         `help:"Rules that differ from the defaults; see luzhanqi games." placeholder:"NAME=VALUE,…"`
	Time     *time.Duration `help:"Time that the opponent has for a move; no clock runs for you. Default: the game's (${time} for ${game})."`
	Name     string         `help:"Your name." default:"you"`
	Seed     *uint64        `help:"Seed of every random choice. Default: drawn."`
	Record   *string        `help:"Write a record of the game into this file, which must not be there yet." placeholder:"FILE"`
	Resume   bool           `help:"Go on with the game that was left last."`
	Screen   string         `help:"One board at a time, on a screen of its own: on, off, or auto, on a terminal." enum:"auto,on,off" default:"auto"`

	resumed string // the file of the game that goes on
}

func (p *playCommand) Run(ctx context.Context, c *stdio) error {
	s, played, err := p.prepare()
	if err != nil {
		return usage(err)
	}
	s.Program, s.Style.Color = typed(), colorful(c.out.File)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.Terminal = textui.NewTerminal(ctx, c.in, c.out)
	s.Terminal.Screen = p.Screen == "on" || p.Screen == "auto" && term.IsTerminal(int(c.out.Fd())) && os.Getenv("TERM") != "dumb"
	if p.resumed == "" { // a new game
		side, shared, err := p.seat(ctx, played.Game, s.Terminal)
		if errors.Is(err, textui.ErrLeft) {
			fmt.Fprintln(c.out, "No game was begun.")
			return nil
		} else if err != nil {
			return err
		}
		p.sit(s, played, side, shared)
	}
	help(s, played)
	to, err := p.create()
	if err != nil {
		return usage(err)
	}
	if to != nil {
		defer to.Close()
	}
	var keep *unfinished.Keep
	var kept *record.Buffer
	end, err := s.Play(ctx, played, func() (referee.Observer, error) {
		kept, err = beginRecord(to, played)
		s.Save = kept.Save
		keep, err = p.keep(keep, kept, played, len(s.Begun.Moves), err)
		return keep, err
	})
	if err != nil {
		return err
	}
	if keep.Err != nil {
		fmt.Fprintf(c.err, "luzhanqi: the game is not kept for --resume: %v\n", keep.Err)
	} else if keep.Kept && end.Code == referee.Void {
		fmt.Fprintf(c.out, "It is kept: %s play --resume goes on with it.\n", typed())
	}
	if err := kept.Err(); err != nil {
		return fmt.Errorf("write the record: %w", err)
	}
	return context.Cause(ctx)
}

// prepare reads the game that goes on, or the flags of a new one.
func (p *playCommand) prepare() (*referee.Interactive, *referee.Game, error) {
	if !p.Resume && p.Continue == "" {
		g, err := games.Find(p.Game)
		if err != nil {
			return nil, nil, fmt.Errorf("--game: %w", err)
		}
		return p.interactive(g)
	}
	file := p.Continue
	if p.Resume {
		if file != "" {
			return nil, nil, errors.New("--resume is the game that was left last; give it or a record, not both")
		}
		folder, err := unfinished.Folder()
		if err == nil {
			file, err = unfinished.Latest(folder, "")
		}
		if err != nil {
			return nil, nil, fmt.Errorf("--resume: %w", err)
		}
	}
	p.resumed = file
	played, begun, err := unfinished.Read(file)
	if err != nil {
		return nil, nil, err
	}
	played.Version = version()
	return &referee.Interactive{Begun: begun}, played, nil
}

// help is what people are offered beside the rules.
func help(s *referee.Interactive, played *referee.Game) {
	g, adviser := played.Game, levels.Strongest(played.Game)
	var hints player.Player
	const pause = time.Second // for a hint
	s.Hint = func(v game.View) game.Move {
		if hints == nil {
			hints = adviser.New(g, player.Options{Rules: played.Rules})
		}
		return hints.Choose(v, time.Now().Add(pause), rand.New(rand.NewPCG(played.Seed, uint64(v.Side()))))
	}
	if levels.Coach(g) != nil {
		s.Coach = func(game.Side) player.Coach { return levels.Coach(g) }
	}
	s.Offers = func(side game.Side) (all []game.SetUp) {
		const offered = 3
		random := rand.New(rand.NewPCG(^played.Seed, uint64(side)))
		for range offered {
			all = append(all, adviser.New(g, player.Options{Rules: played.Rules}).SetUp(random))
		}
		return all
	}
}

// create makes the file of --record; nil without it.
func (p *playCommand) create() (*os.File, error) {
	if p.Record == nil {
		return nil, nil
	}
	file, err := os.OpenFile(*p.Record, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, fmt.Errorf("--record: %w", err)
	}
	return file, nil
}

// beginRecord begins the record, again after a move was taken back.
func beginRecord(file *os.File, played *referee.Game) (*record.Buffer, error) {
	if file == nil {
		return record.NewBuffer(nil, played), nil
	}
	err := file.Truncate(0)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	return record.NewBuffer(file, played), err
}

// keep has the game kept in the file of the one that goes on, or in a new one.
func (p *playCommand) keep(before *unfinished.Keep, kept *record.Buffer, played *referee.Game, begun int, err error) (*unfinished.Keep, error) {
	k := &unfinished.Keep{Observer: kept, Save: kept.Save, File: p.resumed, From: begun}
	switch {
	case err != nil:
		return k, err
	case before != nil:
		k.File, k.From = before.File, 0
	case k.File == "":
		var folder string
		if folder, k.Err = unfinished.Folder(); k.Err == nil {
			k.File, k.Err = unfinished.Name(folder, played.Game, time.Now().Format("20060102-150405"))
		}
	}
	return k, nil
}

// interactive checks the flags that do not depend on who sits where.
func (p *playCommand) interactive(g game.Game) (*referee.Interactive, *referee.Game, error) {
	s := &referee.Interactive{}
	played := &referee.Game{
		Conditions: referee.Conditions{Game: g, Retries: referee.PeopleRetries, Limits: g.Limits()},
		Seed:       rand.Uint64() >> 11, Number: 1, Attempt: 1, Version: version(), Concurrency: 1,
	}
	rules, err := game.ParseRules(p.Rules, g.Options())
	if err != nil {
		return nil, nil, fmt.Errorf("--rules: %w", err)
	}
	played.Rules = rules
	if p.Seed != nil {
		played.Seed = *p.Seed
	}
	if played.Limits, err = (&limitFlags{Time: p.Time}).limits(g); err != nil {
		return nil, nil, err
	}
	switch {
	case p.SetUp == "":
	case !g.HasSetUp():
		return nil, nil, fmt.Errorf("--setup: %s has no set-ups", g.Name())
	case p.SetUp == "random":
	default:
		if _, err := referee.ReadSetUp(g, p.SetUp); err != nil {
			return nil, nil, fmt.Errorf("--setup: %w", err)
		}
	}
	if p.Side != "" {
		if _, err := game.ParseSide(p.Side); err != nil {
			return nil, nil, fmt.Errorf("--side: %w", err)
		}
	}
	if p.Against != "" {
		if _, err := levels.Find(g, p.Against); err != nil {
			return nil, nil, fmt.Errorf("--against: %w", err)
		}
	}
	if p.Record != nil && *p.Record == "" {
		return nil, nil, errors.New("--record \"\": give a file")
	}
	return s, played, nil
}

// seat finds out which side the person plays, and whether a second person plays the other.
func (p *playCommand) seat(ctx context.Context, g game.Game, t *textui.Terminal) (side game.Side, shared bool, err error) {
	own, isOwn := g.(game.PersonGame)
	if shared = isOwn && own.SharedScreen() && p.Against == ""; shared {
		if p.Side != "" {
			return side, shared, usage(fmt.Errorf("--side %s: two people play both sides; name an opponent with --against", p.Side))
		}
		if p.SetUp != "" {
			return side, shared, usage(errors.New("--setup: two people play, and each is asked; name an opponent with --against"))
		}
		return side, shared, nil
	}
	if p.Side != "" {
		side, err = game.ParseSide(p.Side)
		return side, shared, err
	}
	if isOwn && own.SideQuestion() != "" {
		side, err = t.AskSide(ctx, own)
		return side, shared, err
	}
	return game.First, shared, nil
}

// sit names the players.
func (p *playCommand) sit(s *referee.Interactive, played *referee.Game, side game.Side, shared bool) {
	if shared {
		played.Entrants = [2]referee.Entrant{{Name: p.Name, Person: true}, {Name: p.Name, Person: true}}
		referee.Number(&played.Entrants)
		return
	}
	level := levels.Easiest(played.Game)
	if p.Against != "" {
		level, _ = levels.Find(played.Game, p.Against) // checked with the other flags
	}
	played.Entrants[side] = referee.Entrant{Name: p.Name, Person: true}
	played.Entrants[side.Other()] = referee.Entrant{Name: level.Name, Level: &level}
	s.SetUps[side] = p.SetUp
}
