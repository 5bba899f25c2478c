package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"luzhanqi/cmd/luzhanqi/interruption"
	"luzhanqi/process"
	"luzhanqi/referee"
	"luzhanqi/serve"
	"luzhanqi/serve/seat"
	"luzhanqi/tournament/queue"
)

type serveCommand struct {
	Config   string   `arg:"" optional:"" help:"What is served and where; see docs/serve.md. Default: this machine alone, with the records of the current folder and a game to watch." placeholder:"CONFIG.toml"`
	Listen   string   `help:"Address of the pages, of this machine. Default: as configured, or ${listen}; port 0 is any that is free." placeholder:"HOST:PORT"`
	NewToken bool     `help:"Print a new token, and how a configuration has it, and serve nothing."`
	Records  []string `help:"Folders whose records are shown, besides the configured ones." placeholder:"DIR" sep:"none"`
}

func (s *serveCommand) Run(ctx context.Context, c *stdio) error {
	if s.NewToken {
		token, hash := serve.NewToken()
		fmt.Fprintf(c.out, "token: %s\nsha256 = %q\n", token, hash)
		return nil
	}
	config := serve.Default()
	if s.Config != "" {
		var err error
		if config, err = serve.Load(s.Config); err != nil {
			return usage(err)
		}
	}
	if s.Listen != "" {
		config.Listen = s.Listen
	}
	if s.Config == "" && len(s.Records) > 0 {
		config.Records = nil
	}
	config.Records = append(config.Records, s.Records...)
	server, err := serve.New(config, version(), c.log)
	if err != nil {
		return usage(err)
	}
	err = server.Run(ctx, func(address string) { fmt.Fprintf(c.out, "%s\n", address) })
	if stopped := (interruption.Interruption{}); err == nil && errors.As(context.Cause(ctx), &stopped) {
		fmt.Fprintf(c.err, "luzhanqi: %v: drained\n", stopped) // the way in which a daemon ends
	}
	return err
}

type joinCommand struct {
	URL       string        `arg:"" help:"A table with a seat for programs elsewhere: http://HOST:PORT/tables/NAME, or https."`
	Program   []string      `arg:"" passthrough:"partial" help:"After --: the program and its arguments, which are started anew for each game."`
	TokenFile string        `help:"File with the token that the server has given you; of mode 600." placeholder:"FILE"`
	Name      string        `help:"What the program is called there. Default: as its file." placeholder:"NAME"`
	Games     int           `help:"How many games to play; 0: until it is stopped." default:"1"`
	Retry     time.Duration `help:"How long a server that cannot be reached, or has no seat, is asked again." default:"30s" placeholder:"TIME"`
}

func (j *joinCommand) Run(ctx context.Context, c *stdio) error {
	u, err := seat.ParseURL(j.URL)
	if err != nil {
		return usage(err)
	}
	args := j.Program
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 || j.Games < 0 || j.Retry < 0 {
		return usage(fmt.Errorf("%q, --games %d, --retry %v: allowed are a program after --, whole numbers and times from 0", args, j.Games, j.Retry))
	}
	command := process.Command{Args: args, Stderr: c.err}
	if err := command.Check(); err != nil {
		return usage(err)
	}
	door := seat.Door{URL: u, Name: cmp.Or(j.Name, referee.ProgramName(args)), Waits: func(why error) { c.log.Info().Err(why).Msg("asks again") }}
	if j.TokenFile != "" {
		if door.Token, err = queue.ReadToken(j.TokenFile); err != nil {
			return usage(err)
		}
	}
	for n := 1; j.Games == 0 || n <= j.Games; n++ {
		p, err := seat.Start(command, time.Second) // before a seat is asked for: what it takes to start is no time of its first move
		if err != nil {
			return err
		}
		sits := false
		err = door.Sit(ctx, j.Retry, func(ctx context.Context, l *seat.Link) error {
			sits = true
			return seat.Bridge(ctx, l, p)
		})
		if !sits {
			p.Close()
		}
		lost, gone := (*seat.Lost)(nil), (*seat.Refused)(nil)
		switch {
		case errors.As(err, &gone) && gone.Code == http.StatusGone && sits && j.Games != 1: // the server was started anew
			fmt.Fprintf(c.out, "game %d: the server knows it no longer: %s\n", n, gone.Why)
		case errors.As(err, &lost):
			fmt.Fprintf(c.out, "game %d: %s\n", n, lost.Why)
		case err != nil:
			return err
		default:
			fmt.Fprintf(c.out, "game %d: played to its end\n", n)
		}
	}
	return nil
}
