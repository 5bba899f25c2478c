package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"luzhanqi/check/attack"
	"luzhanqi/process/sandbox"
	"luzhanqi/text"
)

// attacks tries what programs might try, and says what this machine stops.
func (k *checkCommand) attacks(ctx context.Context, c *stdio, command *kong.Context) error {
	if k.Command != "" {
		return usage(fmt.Errorf("--attacks tries this machine, not a program: there is nothing to do with %q", k.Command))
	}
	o := attack.Options{Profiles: sandbox.Profiles}
	if given(command)["--sandbox"] {
		o.Profiles = []sandbox.Profile{sandbox.Profile(k.Sandbox)}
	}
	if err := alone(command, "--attacks, which tries this machine and plays nothing", "--attacks", "--sandbox", "--json"); err != nil {
		return err
	}
	r, err := attack.Run(ctx, o)
	if errors.Is(err, attack.ErrNothing) {
		_, err = fmt.Fprintln(c.out, err)
		return err
	}
	if err != nil {
		return err
	}
	if len(r.Columns) == 1 && r.Columns[0].Unavailable != "" {
		return usage(errors.New(r.Columns[0].Unavailable))
	}
	if k.JSON {
		err = c.lines().Encode(r)
	} else {
		err = r.WriteText(c.out)
	}
	if n := r.Failed(); n > 0 && err == nil {
		err = failure{exitDisagrees, fmt.Errorf("%s succeeded that should have been stopped", text.Count(n, "attack"))}
	}
	return err
}

// alone refuses flags beside one that leaves them nothing to do, and those that it allows.
func alone(command *kong.Context, with string, allowed ...string) error {
	for _, flag := range slices.Sorted(maps.Keys(given(command))) {
		if !slices.Contains(append(allowed, "--log-level", "--log-json"), flag) {
			return usage(fmt.Errorf("%s has no effect with %s; allowed are %s", flag, with, strings.Join(allowed[1:], " and ")))
		}
	}
	return nil
}
