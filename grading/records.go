package grading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"luzhanqi/game"
	"luzhanqi/grading/marks"
	"luzhanqi/grading/report"
	"luzhanqi/tournament/store"
)

// records writes the records that a student is given into a folder: of the games that were lost by a
// foul first, then of other lost games, then of draws, then of failed steps of the check. It notes in the
// evidence where they are.
func (w *submissionRun) records(ctx context.Context, folder string) error {
	if w.recorded {
		return nil
	}
	w.recorded = true
	if err := errors.Join(os.RemoveAll(folder), os.RemoveAll(filepath.Join(filepath.Dir(folder), report.Boards))); err != nil {
		return err
	}
	var games []lostGame
	for n, s := range w.evidence.Matches {
		for i := range s.Games {
			games = append(games, lostGame{n, &s.Games[i]})
		}
	}
	slices.SortFunc(games, func(a, b lostGame) int {
		return cmp.Or(a.worth()-b.worth(), a.item-b.item, cmp.Compare(a.game.ID, b.game.ID))
	})
	// Every way of losing has one before any has a second, and failed steps have half of the room in between.
	seen := map[string]bool{}
	rest, err := w.writeRecords(ctx, games, folder, w.course.Records, func(g lostGame) bool {
		first := !seen[g.way()]
		seen[g.way()] = true
		return first
	})
	if err != nil {
		return err
	}
	room := (rest + 1) / 2
	left, err := w.checkRecords(folder, room)
	if err != nil {
		return err
	}
	if _, err = w.writeRecords(ctx, games, folder, rest-room+left, func(lostGame) bool { return true }); err != nil {
		return err
	}
	return w.writeBoards(ctx, games, filepath.Join(filepath.Dir(folder), report.Boards))
}

// writeBoards writes the pages of games that were lost, ply by ply, as many as the course wants.
func (w *submissionRun) writeBoards(ctx context.Context, games []lostGame, folder string) error {
	for i, g := range games {
		if i >= w.course.Boards || g.worth() > 2 {
			break
		}
		played, err := w.played(ctx, g)
		if err != nil {
			return err
		}
		if played == nil {
			continue
		}
		name := fmt.Sprintf("level-%d-%s", g.item+1, g.game.ID)
		kept := ""
		if g.game.Record != "" {
			kept = "../" + report.Records + "/" + g.game.Record
		}
		title := fmt.Sprintf("%s, game %s against %s", w.name, g.game.ID, w.course.Items[g.item].Name)
		text, err := report.BoardPage(title, kept, played, game.Side(g.game.Seat-1), false)
		if err != nil {
			return fmt.Errorf("record of game %s: %w", g.game.ID, err)
		}
		if err := report.WriteFile(filepath.Join(folder, name+".html"), text); err != nil {
			return err
		}
		g.game.Board = name + ".html"
	}
	return nil
}

// writeRecords writes the records of those games that are wanted, as long as there is room, and says how much is
// left.
func (w *submissionRun) writeRecords(ctx context.Context, games []lostGame, folder string, room int, wanted func(lostGame) bool) (left int, err error) {
	for _, g := range games {
		if room == 0 || g.worth() > 2 {
			break
		}
		if g.game.Record != "" || !wanted(g) {
			continue
		}
		file := fmt.Sprintf("level-%d-%s.jsonl", g.item+1, g.game.ID)
		written, err := w.record(ctx, g, filepath.Join(folder, file))
		if err != nil {
			return 0, err
		}
		if written {
			g.game.Record = file
			room--
		}
	}
	return room, nil
}

// lostGame is a game of an item.
type lostGame struct {
	item int
	game *marks.Game
}

// worth is how much its record tells: the less, the more.
func (k lostGame) worth() int {
	switch {
	case k.game.Foul():
		return 0
	case k.game.Points == 0:
		return 1
	case k.game.Points < 1:
		return 2
	}
	return 3
}

// way is how points were lost.
func (k lostGame) way() string { return fmt.Sprint(k.item, k.game.Code, k.game.Own) }

// record copies a record from the store of its games.
func (w *submissionRun) record(ctx context.Context, g lostGame, file string) (bool, error) {
	text, err := w.played(ctx, g)
	if err != nil || text == nil {
		return false, err
	}
	return true, report.WriteFile(file, text)
}

// played is the record of a game; nil: there is none any more.
func (w *submissionRun) played(ctx context.Context, g lostGame) ([]byte, error) {
	s, err := store.Open(ctx, w.store(g.item))
	if errors.Is(err, store.ErrNone) {
		return nil, nil // somebody has made room
	}
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return s.Record(ctx, g.game.ID, g.game.Attempt)
}

// checkRecords copies the records of failed steps, as long as there is room, and says how much is left.
func (w *submissionRun) checkRecords(folder string, room int) (left int, err error) {
	if w.evidence.Check == nil {
		return room, nil
	}
	for i := range w.evidence.Check.Steps {
		s := &w.evidence.Check.Steps[i]
		if s.Record == "" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(w.checkFolder(), s.Record))
		if errors.Is(err, fs.ErrNotExist) || room == 0 {
			s.Record = ""
			continue
		}
		if err != nil {
			return 0, err
		}
		s.Record = "check-" + s.Record
		if err := report.WriteFile(filepath.Join(folder, s.Record), text); err != nil {
			return 0, err
		}
		room--
	}
	return room, nil
}
