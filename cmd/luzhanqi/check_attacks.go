package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

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
	flags := given(command)
	if flags["--sandbox"] {
		o.Profiles = []sandbox.Profile{sandbox.Profile(k.Sandbox)}
	}
	for _, flag := range slices.Sorted(maps.Keys(flags)) {
		if !slices.Contains([]string{"--attacks", "--sandbox", "--json", "--log-level", "--log-json"}, flag) {
			return usage(fmt.Errorf("%s has no effect with --attacks, which tries this machine and plays nothing; allowed are --sandbox and --json", flag))
		}
	}
	var err error
	if o.Dir, err = placeForAttacks(); err != nil {
		return usage(err)
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

// placeForAttacks is where programs of this user are likely to play: here, if something can be made here.
func placeForAttacks() (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for _, dir := range []string{here, os.TempDir()} {
		var made string
		if made, err = os.MkdirTemp(dir, "luzhanqi-attacks-"); err == nil {
			return dir, os.Remove(made)
		}
	}
	return "", fmt.Errorf("make a folder for what is attacked: %w", err)
}
