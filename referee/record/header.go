package record

import (
	"fmt"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
	"luzhanqi/player/levels"
	"luzhanqi/process"
	"luzhanqi/process/sandbox"
	"luzhanqi/referee"
	"luzhanqi/referee/opening"
	"luzhanqi/text"
)

// HeaderOf is the header of a game that begins at start.
func HeaderOf(g *referee.Game, start time.Time) Header {
	h := Header{
		Event: "header", Schema: Schema, Version: g.Version,
		Game: g.Game.Name(), Rules: g.Rules.String(), Retries: g.Retries, Limits: limitsOf(g.Limits),
		Seed: g.Seed, Number: g.Number, Attempt: g.Attempt, Started: start.UTC(), Concurrency: g.Concurrency,
		Processor: g.Processor, Opening: opening.Of(g.Game, g.Opening), Adjudication: g.Adjudication,
	}
	for side := range g.Entrants {
		e := &g.Entrants[side]
		h.Players[side] = playerOf(e)
		if e.IsProgram() && e.Command.Sandbox.Profile != "" {
			h.Sandbox = sandboxOf(e.Command.Sandbox)
		}
	}
	return h
}

func sandboxOf(p sandbox.Policy) *Sandbox {
	s := &Sandbox{Profile: p.Profile}
	if p.On() {
		reached := process.Isolation()
		s.Level = reached.Level
		if reached.By == sandbox.ByBubblewrap || reached.By == sandbox.ByUserNamespace {
			s.By = reached.By.String()
		}
	}
	return s
}

func playerOf(e *referee.Entrant) Player {
	p := Player{Name: e.Name, Person: e.Person}
	switch {
	case e.Person:
	case e.Level != nil:
		p.Level, p.Nodes = e.Level.Name, e.Options.Nodes
	case e.Remote != nil:
		p.Protocol, p.Remote = e.Protocol.Name(), &Remote{Grace: text.Milliseconds(*e.Remote)}
	default:
		p.Command, p.Protocol, p.Adapter, p.OneByOne = e.Command.Args, e.Protocol.Name(), e.Adapter, e.OneByOne
	}
	if e.Limits != nil {
		own := limitsOf(*e.Limits)
		p.Limits = &own
	}
	return p
}

func limitsOf(l game.Limits) Limits {
	return Limits{
		SetUp: text.Milliseconds(l.SetUp), First: text.Milliseconds(l.First), Move: text.Milliseconds(l.Move),
		Start: text.Milliseconds(l.Start), Grace: text.Milliseconds(l.Grace), MaxPlies: l.MaxPlies, Clock: l.Clock,
		Total: text.Milliseconds(l.Total), Increment: text.Milliseconds(l.Increment),
	}
}

func (l Limits) limits() game.Limits {
	return game.Limits{
		SetUp: text.Duration(l.SetUp), First: text.Duration(l.First), Move: text.Duration(l.Move),
		Start: text.Duration(l.Start), Grace: text.Duration(l.Grace), MaxPlies: l.MaxPlies, Clock: l.Clock,
		Total: text.Duration(l.Total), Increment: text.Duration(l.Increment),
	}
}

// Conditions returns the conditions of the game. find looks the game up.
func (h *Header) Conditions(find func(name string) (game.Game, error)) (c referee.Conditions, err error) {
	if c.Game, err = find(h.Game); err != nil {
		return c, err
	}
	c.Retries, c.Limits, c.Adjudication = h.Retries, h.Limits.limits(), h.Adjudication
	if c.Adjudication != nil {
		if err := c.Adjudication.CheckNumbers(); err != nil {
			return c, fmt.Errorf("adjudication: %w", err)
		}
	}
	c.Rules, err = game.ParseRules(h.Rules, c.Game.Options())
	return c, err
}

// ToPlay is the game, to be played (again). find looks it up. Where programs run, with what environment and
// how confined is to be added. An error says what this program does not know.
func (h *Header) ToPlay(find func(name string) (game.Game, error)) (*referee.Game, error) {
	c, err := h.Conditions(find)
	if err != nil {
		return nil, err
	}
	g := &referee.Game{
		Conditions: c, Seed: h.Seed, Number: h.Number, Attempt: h.Attempt, Version: h.Version, Concurrency: h.Concurrency,
	}
	if g.Opening, err = h.Opening.Opening(c.Game, c.Rules); err != nil {
		return nil, fmt.Errorf("its opening: %w", err)
	}
	for side := range h.Players {
		p := &h.Players[side]
		if g.Entrants[side], err = p.entrant(c.Game); err != nil {
			return nil, fmt.Errorf("player %d (%s): %w", side+1, p.Name, err)
		}
	}
	return g, nil
}

func (p *Player) entrant(g game.Game) (referee.Entrant, error) {
	e := referee.Entrant{Name: p.Name, Options: player.Options{Nodes: p.Nodes}}
	if p.Limits != nil {
		own := p.Limits.limits()
		e.Limits = &own
	}
	var err error
	switch {
	case p.Level != "":
		var level player.Level
		level, err = levels.Find(g, p.Level)
		e.Level = &level
	case p.Remote != nil:
		err = fmt.Errorf("a program that played over a network cannot be seated")
	case p.Person:
		err = fmt.Errorf("a person cannot be seated")
	case len(p.Command) == 0:
		err = fmt.Errorf("neither a level nor a command is named")
	default:
		e.Command, e.Adapter, e.OneByOne = process.Command{Args: p.Command}, p.Adapter, p.OneByOne
		e.Protocol, err = p.protocol(g)
	}
	return e, err
}

// protocol returns the dialect of the player's program, adapted as it was.
func (p *Player) protocol(g game.Game) (game.Protocol, error) {
	protocol, err := games.FindProtocol(g, p.Protocol)
	if err != nil {
		return nil, fmt.Errorf("it speaks dialect %q, which %s does not have", p.Protocol, g.Name())
	}
	if p.Adapter == nil {
		return protocol, nil
	}
	return p.Adapter.Adapt(protocol)
}
