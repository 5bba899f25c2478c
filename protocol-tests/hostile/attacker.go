package main

import (
	"fmt"
	"io"
	"os"

	"luzhanqi/protocol-tests/hostile/assault"
)

// attacks lets the player try them at its first turn. It reports, and ends, at its fifth: an honest game lies between,
// in which it would show what they have done to others. An accomplice does not tell.
func (p *player) attacks(names string, referee int, tells bool) error {
	if err := assault.Check(names); err != nil {
		return err
	}
	report := ""
	leave := func(p *player, _ int) reply {
		io.WriteString(p.stderr, report)
		os.Exit(exitAttacked)
		return answered
	}
	p.cue = atMove1
	p.act = func(p *player, _ int) reply {
		report = assault.Run(names, referee)
		if !tells {
			return besides
		}
		p.cue, p.act = atMove5, leave
		return later
	}
	return nil
}

// attackNow is for programs that are not asked to play, such as a build.
func attackNow(names string, referee int, stdout, stderr io.Writer) int {
	if err := assault.Check(names); err != nil {
		fmt.Fprintf(stderr, "hostile: %v\n", err)
		return exitUsage
	}
	io.WriteString(stdout, assault.Run(names, referee))
	return exitAttacked
}
