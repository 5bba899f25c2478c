package referee

import (
	"fmt"

	"luzhanqi/game"
	"luzhanqi/player"
	"luzhanqi/process"
)

// ToPlay is the game that a header describes, to be played (again). find looks up the game. A header
// does not say where and as what a program runs: directory, environment and confinement are to be
// added. An error says what this program does not know.
func (h *Header) ToPlay(find func(name string) (game.Game, error)) (*Game, error) {
	g, err := find(h.Game)
	if err != nil {
		return nil, err
	}
	rules, err := game.ParseRules(h.Rules, g.Options())
	if err != nil {
		return nil, err
	}
	f := &Game{
		Conditions: Conditions{Game: g, Rules: rules, Retries: h.Retries, Limits: h.Limits.limits()},
		Seed:       h.Seed, Number: h.Number, Attempt: h.Attempt, Version: h.Version, Concurrency: h.Concurrency,
	}
	for side, p := range h.Players {
		if f.Entrants[side], err = p.entrant(g); err != nil {
			return nil, fmt.Errorf("player %d (%s): %w", side+1, p.Name, err)
		}
	}
	return f, nil
}

// entrant is who played.
func (p *RecordPlayer) entrant(g game.Game) (Entrant, error) {
	e := Entrant{Name: p.Name, Options: player.Options{Nodes: p.Nodes}}
	if p.Limits != nil {
		own := p.Limits.limits()
		e.Limits = &own
	}
	switch {
	case p.Level != "":
		level, err := player.FindLevel(g, p.Level)
		e.Level = &level
		return e, err
	case p.Person:
		return e, fmt.Errorf("a person cannot be seated")
	case len(p.Command) == 0:
		return e, fmt.Errorf("neither a level nor a command is named")
	}
	var err error
	e.Command = process.Command{Args: p.Command}
	e.Protocol, err = p.protocol(g)
	e.Adapter = p.Adapter
	return e, err
}
