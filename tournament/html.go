package tournament

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"luzhanqi/referee"
	"luzhanqi/tournament/page"
	"luzhanqi/tournament/store"
)

// maxListed is how many games a page lists.
const maxListed = 1000

// WriteHTML writes one self-contained page of the tournament as far as it was played.
func (t *Tournament) WriteHTML(ctx context.Context, s *store.Store, w io.Writer) error {
	table, err := t.Standings(ctx, s)
	if err != nil {
		return err
	}
	p := page.Tournament{Title: t.Name, Table: table, Settings: t.settings()}
	rounds, err := t.Rounds(ctx, s)
	if err != nil {
		return err
	}
	for _, d := range rounds.Decisions {
		p.Settings = append(p.Settings, page.Setting{
			Key: fmt.Sprintf("round %d", d.Round), Value: fmt.Sprintf("%s beat %s", t.Players[d.Winner].Name, t.Players[d.Loser].Name),
		})
	}
	if winner := t.Winner(rounds); winner >= 0 {
		p.Settings = append(p.Settings, page.Setting{Key: "winner", Value: t.Players[winner].Name})
	}
	if p.Title == "" {
		p.Title = t.Game.Title()
	}
	for _, name := range t.Names() {
		p.Players = append(p.Players, page.PlayerRow{Name: name, Endings: map[string]int{}})
	}
	if err := s.Results(ctx, false, func(r *store.Result) error {
		for side, player := range r.Players {
			p.Players[player].Times.Merge(r.Sides[side].Times)
		}
		if winner := r.Ending.Winner; winner != nil {
			how := string(r.Ending.Code)
			if r.Ending.Code == referee.Won {
				how = "by the rules" // won would be who has not lost
			}
			p.Players[r.Players[winner.Other()]].Endings[how]++
		}
		p.Total++
		if len(p.Games) < maxListed {
			p.Games = append(p.Games, t.pageGame(r))
		}
		return nil
	}); err != nil {
		return err
	}
	return page.Write(w, p)
}

func (t *Tournament) pageGame(r *store.Result) page.GameRow {
	return page.GameRow{
		ID: r.ID, First: t.Players[r.Players[0]].Name, Second: t.Players[r.Players[1]].Name,
		Result: r.Standing().Result, Code: string(r.Ending.Code), Reason: r.Ending.Reason, Plies: r.Ending.Plies,
	}
}

// settings are what was agreed.
func (t *Tournament) settings() []page.Setting {
	spec := t.Schedule.Spec()
	all := []page.Setting{
		{Key: "game", Value: t.Game.Title()},
		{Key: "rules", Value: t.Rules.String()},
		{Key: "format", Value: spec.Format.String()},
		{Key: "games an encounter", Value: strconv.Itoa(spec.Games)},
		{Key: "time for a move", Value: t.Limits.Move.String()},
		{Key: "grace", Value: t.Limits.Grace.String()},
		{Key: "seed", Value: strconv.FormatUint(spec.Seed, 10)},
		{Key: "version", Value: t.Version},
	}
	if t.Game.HasSetUp() {
		all = append(all, page.Setting{Key: "time for the set-up", Value: t.Limits.SetUp.String()})
	}
	return all
}
