package main

import (
	"context"
	"errors"
	"fmt"

	"luzhanqi/cmd/luzhanqi/interruption"
	"luzhanqi/serve"
)

type serveCommand struct {
	Config  string   `arg:"" optional:"" help:"What is served and where; see docs/serve.md. Default: this machine alone, with the records of the current folder and a game to watch." placeholder:"CONFIG.toml"`
	Listen  string   `help:"Address of the pages, of this machine. Default: as configured, or ${listen}; port 0 is any that is free." placeholder:"HOST:PORT"`
	Records []string `help:"Folders whose records are shown, besides the configured ones." placeholder:"DIR" sep:"none"`
}

func (s *serveCommand) Run(ctx context.Context, c *stdio) error {
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
