package main

import (
	"fmt"
	"os"
	"path/filepath"

	"luzhanqi/process"
	"luzhanqi/process/sandbox"
	"luzhanqi/referee"
)

// sandboxFlags say how far programs are shut in.
type sandboxFlags struct {
	Sandbox string `help:"How far programs are shut in: ${enum}. Guarded: away from the referee, each other and what is hidden; sealed: also without network, and with only the system's files and their own; off: not at all." enum:"guarded,sealed,off" default:"guarded"`
}

// policy is that of each program; hidden files and directories are kept from it. Below what was asked for, and
// without any, it says so on standard error.
func (f *sandboxFlags) policy(c *stdio, hidden ...string) (sandbox.Policy, error) {
	p := sandbox.Policy{Profile: sandbox.Profile(f.Sandbox)}
	for _, path := range hidden {
		if path == "" {
			continue
		}
		whole, err := filepath.Abs(path)
		if err != nil {
			return p, fmt.Errorf("hide %s from programs: %w", path, err)
		}
		p.Hidden = append(p.Hidden, whole)
	}
	if !p.On() {
		fmt.Fprintln(c.err, "luzhanqi: --sandbox off: programs have all your powers, over this referee too")
		return p, nil
	}
	reached := process.Isolation()
	if p.Profile == sandbox.Sealed {
		if err := reached.Sealed(); err != nil {
			return p, fmt.Errorf("--sandbox sealed: %w", err)
		}
	}
	if reached.Level != sandbox.Isolated {
		fmt.Fprintf(c.err, "luzhanqi: isolation %v\n", reached)
	}
	return p, nil
}

// shutIn gives a policy to the programs among the entrants.
func (f *sandboxFlags) shutIn(c *stdio, entrants []referee.Entrant, hidden ...string) error {
	var programs bool
	for _, e := range entrants {
		programs = programs || e.IsProgram()
	}
	if !programs {
		return nil
	}
	policy, err := f.policy(c, hidden...)
	if err != nil {
		return err
	}
	where, err := os.Getwd()
	if err != nil {
		return err
	}
	if err := policy.Check(where); err != nil {
		return err
	}
	for i := range entrants {
		if entrants[i].IsProgram() {
			entrants[i].Command.Sandbox = policy
		}
	}
	return nil
}
