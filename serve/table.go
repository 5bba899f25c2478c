package serve

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/referee"
	"luzhanqi/serve/live"
)

// entrants are the players of a table.
func (t *Table) entrants() (both [2]referee.Entrant, err error) {
	g, err := games.Find(t.Game)
	if err != nil {
		return both, err
	}
	for i, name := range t.Players {
		if name == Elsewhere {
			continue
		}
		if !strings.HasPrefix(name, "builtin:") {
			return both, fmt.Errorf("player %q: allowed are builtin:LEVEL, with one of %s, and %s", name, strings.Join(levelNames(t.Game), ", "), Elsewhere)
		}
		if both[i], err = referee.ParseEntrant(g, name, ""); err != nil {
			return both, err
		}
	}
	if both[0].Name == both[1].Name && both[0].Name != "" {
		referee.Number(&both)
	}
	return both, nil
}

// startTables lets the tables be played.
func (s *Server) startTables() {
	for i := range s.config.Tables {
		if s.config.Tables[i].remotes() {
			s.play.Go(func() { s.runRemote(&s.config.Tables[i]) })
			continue
		}
		s.play.Go(func() { s.runTable(&s.config.Tables[i]) })
	}
}

// runTable plays one game after another, and the players change seats after each. When nobody looks on, a table waits.
func (s *Server) runTable(t *Table) {
	both, err := t.entrants()
	if err != nil {
		return // the configuration was checked
	}
	g, _ := games.Find(t.Game)
	for number := 1; s.ending.Err() == nil; number++ {
		played := &referee.Game{
			Conditions: referee.Conditions{Game: g, Limits: g.Limits()}, Entrants: both,
			Seed: rand.Uint64() >> 1, Number: 1, Attempt: 1, Version: s.version, Concurrency: len(s.config.Tables),
		}
		if err := played.SetRules(""); err != nil {
			return
		}
		l := live.New(s.newID(), played, false)
		l.Next = "/tables/" + t.Name
		h := &hosted{Game: l, table: t.Name}
		s.mu.Lock()
		s.tables[t.Name] = h
		s.mu.Unlock()
		s.add(h)
		s.run(h, played, &pace{server: s, live: l, table: t})
		both[0], both[1] = both[1], both[0]
		wait(s.ending, min(4*time.Duration(t.Pace), 10*time.Second)) // the end is worth a look
	}
}

// run plays a game to its end, and keeps its record.
func (s *Server) run(h *hosted, g *referee.Game, more ...referee.Observer) {
	s.counts.games.Add(1)
	keeping := s.records.begin(g)
	watch := append(referee.Observers{h.Game, counting{counts: &s.counts}, keeping}, more...)
	result, err := g.Play(s.playing, watch)
	name, failed := keeping.end()
	if err := errors.Join(err, failed); err != nil {
		s.log.Error().Err(err).Str("game", h.ID).Msg("a game could not be played or kept")
	}
	s.mu.Lock()
	h.kept = name
	s.mu.Unlock()
	h.Close()
	s.counts.ended(string(result.Ending.Code))
	s.log.Info().Str("game", h.ID).Str("code", string(result.Ending.Code)).Int("plies", result.Ending.Plies).Str("record", name).Msg(result.Ending.Reason)
}

// counting counts what is told to operators.
type counting struct {
	referee.NoObserver
	counts *counts
}

func (c counting) Moved(_, _ game.Position, p referee.Played) {
	c.counts.plies.Add(1)
	if !p.Opening {
		c.counts.moved(p.Took, p.Starved)
	}
}

// pace holds a game up, so that people can follow it, and while nobody does.
type pace struct {
	referee.NoObserver
	server *Server
	live   *live.Game
	table  *Table
}

func (p *pace) Moved(_, _ game.Position, _ referee.Played) {
	every := max(time.Duration(p.table.Pace), time.Millisecond)
	if p.table.Pace == 0 && p.table.Always {
		return
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-p.server.ending.Done(): // it ends soon enough
			return
		}
		if p.table.Always || p.live.Watching() > 0 {
			return
		}
	}
}

// wait is what a table does between two games; a context ends it.
func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
