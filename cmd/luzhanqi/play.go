package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player/levels"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

type playCommand struct {
	Game    string         `help:"Game to play: ${games}." default:"${game}"`
	Against string         `help:"Level of the opponent; luzhanqi games lists them. Default: the strongest, or in games made for it a second person at the same screen." placeholder:"LEVEL"`
	Side    string         `help:"Side to play, 1 (moves first) or 2. Default: 1, or the game asks." placeholder:"SIDE"`
	SetUp   string         `name:"setup" help:"Your set-up in your own frame, or random. Default: it is asked for." placeholder:"SETUP"`
	Rules   string         `help:"Rules that differ from the defaults; see luzhanqi games." placeholder:"NAME=VALUE,…"`
	Time    *time.Duration `help:"Time that the opponent has for a move; no clock runs for you. Default: the game's (${time} for ${game})."`
	Name    string         `help:"Your name." default:"you"`
	Seed    *uint64        `help:"Seed of every random choice. Default: drawn."`
	Record  *string        `help:"Write a record of the game into this file, which must not be there yet." placeholder:"FILE"`
}

func (p *playCommand) Run(ctx context.Context, c *stdio) error {
	g, err := games.Find(p.Game)
	if err != nil {
		return usage(fmt.Errorf("--game: %w", err))
	}
	s, played, err := p.interactive(g)
	if err != nil {
		return usage(err)
	}
	s.Style.Color = colorful(c.out.File)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.Terminal = referee.NewTerminal(ctx, c.in, c.out)
	side, shared, err := p.seat(ctx, g, s.Terminal)
	if errors.Is(err, referee.ErrLeft) {
		fmt.Fprintln(c.out, "No game was begun.")
		return nil
	} else if err != nil {
		return err
	}
	p.sit(s, played, side, shared)
	var to io.Writer
	if p.Record != nil {
		file, err := os.OpenFile(*p.Record, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err != nil {
			return usage(fmt.Errorf("--record: %w", err))
		}
		defer file.Close()
		to = file
	}
	kept := record.NewBuffer(to, played)
	s.Save = kept.Save
	if _, err := s.Play(ctx, played, kept); err != nil {
		return err
	}
	if err := kept.Err(); err != nil {
		return fmt.Errorf("write the record: %w", err)
	}
	return context.Cause(ctx)
}

// interactive checks the flags that do not depend on who sits where.
func (p *playCommand) interactive(g game.Game) (*referee.Interactive, *referee.Game, error) {
	s := &referee.Interactive{}
	played := &referee.Game{
		Conditions: referee.Conditions{Game: g, Retries: referee.PeopleRetries, Limits: g.Limits()},
		Seed:       rand.Uint64() >> 1, Number: 1, Attempt: 1, Version: version(), Concurrency: 1,
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
		setUp, err := g.ParseSetUp(p.SetUp)
		if err == nil {
			err = g.CheckSetUp(setUp)
		}
		if err != nil {
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
func (p *playCommand) seat(ctx context.Context, g game.Game, t *referee.Terminal) (side game.Side, shared bool, err error) {
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
	level := levels.Strongest(played.Game)
	if p.Against != "" {
		level, _ = levels.Find(played.Game, p.Against) // checked with the other flags
	}
	played.Entrants[side] = referee.Entrant{Name: p.Name, Person: true}
	played.Entrants[side.Other()] = referee.Entrant{Name: level.Name, Level: &level}
	s.SetUps[side] = p.SetUp
}
