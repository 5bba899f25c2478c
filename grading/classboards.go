package grading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"luzhanqi/grading/report"
	"luzhanqi/tournament/store"
)

// classRecords bounds the records of the class tournament on the disk, compressed; those of later games are not kept. A game
// takes some 5 KiB, so that sixty submissions that meet four times each fit.
const classRecords = 256 << 20

// lostInClass are the games of the class tournament that each submission lost, by name, fouls first; nil: their records are not
// there, or of a tournament before the one that counts.
func (r *run) lostInClass(ctx context.Context) (lost map[string][]*store.Result, s *store.Store, err error) {
	if r.course.Class == nil || r.found == nil || r.course.Boards == 0 {
		return nil, nil, nil
	}
	s, err = store.Open(ctx, r.classGames())
	if errors.Is(err, store.ErrNone) {
		return nil, nil, nil // somebody has made room
	}
	if err != nil {
		return nil, nil, err
	}
	identity, err := s.Identity(ctx)
	if err != nil || identity.Fingerprint != r.played.Stages["class"].Inputs {
		return nil, nil, errors.Join(err, s.Close())
	}
	lost = map[string][]*store.Result{}
	if err := s.Results(ctx, false, func(result *store.Result) error {
		if w := result.Ending.Winner; w != nil && !result.Void() {
			name := r.found.Players[result.Players[w.Other()]].Name
			lost[name] = append(lost[name], result)
		}
		return nil
	}); err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	foul := func(a *store.Result) int {
		if a.Ending.Foul() {
			return 0
		}
		return 1
	}
	for _, games := range lost {
		slices.SortStableFunc(games, func(a, b *store.Result) int { return cmp.Compare(foul(a), foul(b)) })
	}
	return lost, s, nil
}

// classBoards writes the pages of games that a submission lost in the class tournament, as many as the course wants. They do
// not name the other submission.
func (w *submissionRun) classBoards(ctx context.Context, s *store.Store, lost []*store.Result, folder string) (all []report.ClassGame, err error) {
	for i, result := range lost {
		if i >= w.course.Boards {
			break
		}
		seat := result.Ending.Winner.Other()
		g := report.ClassGame{
			ID: result.ID, Seat: seat, Code: string(result.Ending.Code), Plies: result.Ending.Plies,
			Reason: report.Unnamed(result.Ending.Reason, seat.Other(), w.found.Players[result.Players[seat.Other()]].Name),
		}
		played, err := s.Record(ctx, result.ID, result.Attempt)
		if err != nil {
			return nil, err
		}
		if played != nil {
			text, err := report.BoardPage(fmt.Sprintf("%s, game %s of the class tournament", w.name, result.ID), "", played, seat, true)
			if err != nil {
				return nil, fmt.Errorf("record of game %s of the class tournament: %w", result.ID, err)
			}
			g.Board = "class-" + result.ID + ".html"
			if err := report.WriteFile(filepath.Join(folder, g.Board), text); err != nil {
				return nil, err
			}
		}
		all = append(all, g)
	}
	return all, nil
}
