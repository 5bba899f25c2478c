package main

import (
	"fmt"
	"slices"

	"luzhanqi/game"
	"luzhanqi/referee"
	"luzhanqi/tournament/plan"
)

// adapt gives the dialect of a program the adapter of a built-in name, or of a file.
func adapt(g game.Game, e *referee.Entrant, text string) error {
	if text == "" {
		return nil
	}
	if e.Level != nil {
		return fmt.Errorf("found %q for %s: a built-in player needs no adapter", text, e.Name)
	}
	return plan.Adapt(g, e, text, "")
}

// startsAnew says whether any of the entrants is a program that is started for each question.
func startsAnew(all [2]referee.Entrant) bool {
	return slices.ContainsFunc(all[:], func(e referee.Entrant) bool { return e.Level == nil && e.Protocol.Kind() == game.OneShot })
}
