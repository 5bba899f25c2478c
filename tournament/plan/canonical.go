package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/process"
	"luzhanqi/referee/opening"
	"luzhanqi/tournament/plan/strict"
	"luzhanqi/tournament/schedule"
)

// growing is the schedule of formats that can grow; those of earlier versions have none.
const growing = 2

// seedBits are those of the seeds of games; earlier versions did not say that they had 63.
const seedBits = 53

// hiddenSeeds is how those of games are made; earlier versions did not hide that of the tournament.
const hiddenSeeds = "sha256"

// canonicalVersion is that of the text below. A change of it, or of what the text says of the same plan, keeps
// tournaments that were begun before from being resumed.
const canonicalVersion = 1

// Canonical is everything in the plan that decides results, one key = value a line, with all defaults
// filled in: a store keeps it. Not in it are the tournament's name, concurrency, pinning, the queue and what is
// recorded; nor can it hold what the plan does not know, such as the content of programs.
func (p *Plan) Canonical() string {
	var c canon
	c.line("plan", canonicalVersion)
	c.line("game", p.Game.Name())
	c.line("rules", p.Rules.String())
	c.line("retries", p.Retries)
	if p.Adjudication != nil { // what older plans could not say
		c.line("adjudicate", p.Adjudication.String())
	}
	c.schedule(p.Schedule)
	c.limits("limits", p.Limits)
	c.line("limits.max_plies", p.Limits.MaxPlies)
	if p.Test != nil {
		c.line("sprt", p.Test.String())
	}
	c.openings(p)
	for i := range p.Players {
		c.player(fmt.Sprintf("player.%d", i+1), &p.Players[i], p.Limits)
	}
	return c.String()
}

// Fingerprint is the SHA-256 of Canonical, in hexadecimal.
func (p *Plan) Fingerprint() string {
	return Digest(p.Canonical())
}

// canon writes the canonical text.
type canon struct{ strings.Builder }

// line writes a value as JSON, so that it stays on its line whatever it is.
func (c *canon) line(key string, value any) {
	c.WriteString(key)
	c.WriteString(" = ")
	text, err := json.Marshal(value)
	if err != nil { // only numbers, texts, flags and lists of texts are written
		panic(err)
	}
	c.Write(text)
	c.WriteByte('\n')
}

// openings writes what older plans could not say.
func (c *canon) openings(p *Plan) {
	if len(p.Openings.List) > 0 {
		digest := sha256.New()
		for _, o := range p.Openings.List {
			text, err := json.Marshal(opening.Of(p.Game, o))
			if err != nil { // texts alone
				panic(err)
			}
			digest.Write(append(text, '\n'))
		}
		c.line("openings_sha256", hex.EncodeToString(digest.Sum(nil)))
	}
	if p.Openings.Random > 0 {
		c.line("random_plies", p.Openings.Random)
	}
}

func (c *canon) schedule(s schedule.Spec) {
	c.line("format", s.Format.String())
	if s.Growing { // how its games are named
		c.line("schedule", growing)
	}
	c.line("games", s.Games)
	switch s.Format {
	case schedule.RoundRobin, schedule.Gauntlet:
		c.line("cycles", s.Cycles)
	case schedule.Swiss:
		c.line("rounds", s.Rounds)
		c.line("drawn", s.Drawn)
	case schedule.Knockout:
		c.line("replays", s.Replays)
		c.line("drawn", s.Drawn)
	}
	c.line("seed", s.Seed)
	if s.Seeds != schedule.Wide {
		c.line("seed_bits", seedBits)
	}
	if s.Seeds == schedule.Hidden {
		c.line("seeds", hiddenSeeds)
	}
}

func (c *canon) limits(key string, l game.Limits) {
	for _, limit := range []struct {
		name string
		time time.Duration
	}{{"setup", l.SetUp}, {"first", l.First}, {"move", l.Move}, {"start", l.Start}, {"grace", l.Grace}} {
		c.line(key+"."+limit.name, limit.time.String())
	}
	if l.Total > 0 {
		c.line(key+".total", l.Total.String())
		c.line(key+".increment", l.Increment.String())
	}
	if l.Clock != game.OwnClock { // what older plans could not say
		c.line(key+".clock", l.Clock.String())
	}
}

func (c *canon) player(key string, p *Player, general game.Limits) {
	c.line(key+".name", p.Name)
	if p.Level != nil {
		c.line(key+".level", p.Level.Name)
		c.line(key+".nodes", p.Options.Nodes)
	} else {
		c.program(key, p)
	}
	if p.Limits != nil && *p.Limits != general {
		c.limits(key+".limits", *p.Limits)
	}
	if p.Challenger {
		c.line(key+".hero", true) // as version 1 of the text has it
	}
}

func (c *canon) program(key string, p *Player) {
	c.line(key+".command", p.Command.Args)
	c.line(key+".dir", p.Dir)
	c.line(key+".dialect", games.FormerName(p.Protocol.Name()))
	if p.Adapter != nil {
		c.line(key+".adapter", p.Adapter.Name)
		if p.Adapter.Text != "" {
			sum := sha256.Sum256([]byte(p.Adapter.Text))
			c.line(key+".adapter_sha256", hex.EncodeToString(sum[:]))
		}
	}
	if p.OneByOne {
		c.line(key+".one_by_one", true)
	}
	for _, variable := range p.Command.Env {
		name, value, _ := strings.Cut(variable, "=")
		text, err := json.Marshal(name)
		if err != nil {
			panic(err)
		}
		c.line(fmt.Sprintf("%s.env.%s", key, text), value)
	}
	c.confinement(key+".confine", p.Command.Confine)
}

// confinement writes the limits that there are, but for the processors, which the pinning gives.
func (c *canon) confinement(key string, f process.Confinement) {
	for _, limit := range []struct {
		name string
		text string
	}{
		{"memory", strict.FormatSize(f.Memory)},
		{"total_memory", strict.FormatSize(f.Total)},
		{"processes", fmt.Sprint(f.Processes)},
		{"threads", fmt.Sprint(f.Threads)},
		{"cpu", f.CPU.String()},
		{"file_size", strict.FormatSize(f.FileSize)},
		{"files", fmt.Sprint(f.Files)},
	} {
		if limit.text != "0" && limit.text != "0s" {
			c.line(key+"."+limit.name, limit.text)
		}
	}
	if f.Private {
		c.line(key+".private", true)
	}
}
