package tournament

import (
	"context"
	"maps"
	"slices"

	"luzhanqi/process/load"
	"luzhanqi/tournament/page"
	"luzhanqi/tournament/store"
)

// Given is what programs were given in a tournament because others had the processors, in all games, void ones too.
type Given struct {
	All     load.Given
	Players []load.Given // by their places in the plan
	Workers map[string]load.Given
}

// Given adds up what is in the store.
func (t *Tournament) Given(ctx context.Context, s *store.Store) (Given, error) {
	g := Given{Players: make([]load.Given, len(t.Players)), Workers: map[string]load.Given{}}
	err := s.Starved(ctx, func(r *store.Result) error {
		both := r.Given()
		g.All.Add(both)
		at := g.Workers[r.Worker]
		at.Add(both)
		g.Workers[r.Worker] = at
		for side, player := range r.Players {
			g.Players[player].Add(r.Sides[side].Given)
		}
		return nil
	})
	return g, err
}

// onPage is what the page of the tournament shows of it.
func (g *Given) onPage(names []string) page.Given {
	p := page.Given{All: g.All}
	for i, given := range g.Players {
		p.Players = append(p.Players, page.GivenRow{Name: names[i], Given: given})
	}
	for _, name := range slices.Sorted(maps.Keys(g.Workers)) {
		p.Workers = append(p.Workers, page.GivenRow{Name: name, Given: g.Workers[name]})
	}
	return p
}
