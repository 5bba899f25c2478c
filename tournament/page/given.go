package page

import (
	"html/template"
	"slices"

	"luzhanqi/process/load"
)

// Given is what programs were given because others had the processors.
type Given struct {
	All              load.Given
	Players, Workers []GivenRow
}

// GivenRow is what a player was given, or all that played at a worker.
type GivenRow struct {
	Name string
	load.Given
}

// GivenTime says whose turns were given time, and on which machines; empty: it did not matter.
func GivenTime(g Given) template.HTML {
	if !g.All.Mattered() {
		return ""
	}
	quiet := func(r GivenRow) bool { return !r.Mattered() }
	players, workers := slices.DeleteFunc(slices.Clone(g.Players), quiet), slices.DeleteFunc(slices.Clone(g.Workers), quiet)
	return render("given.html", map[string]any{
		"Sentences": g.All.Sentences(), "Affected": len(players), "Players": players[:min(len(players), maxPlayers)], "Workers": workers,
	})
}
