package grading

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"luzhanqi/game"
	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
	"luzhanqi/player"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
	"luzhanqi/text"
	"luzhanqi/tournament"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

// levelStage is the name of the stage in which the games of an item are played. It does not depend on the place of the item
// in the rubric, so that others may be put before it.
func levelStage(item course.Item) string {
	return fmt.Sprintf("level-%s-%d-%d", item.Name, item.Nodes, item.Games)
}

// store is the folder of the games of an item.
func (w *submissionRun) store(n int) string {
	return filepath.Join(w.dir, levelStage(w.course.Items[n]))
}

// level lets the submission play against a staff level.
func (w *submissionRun) level(ctx context.Context, n int, item course.Item) error {
	inputs := digest("level", w.playing(), item.Name, item.Nodes, item.Games)
	found, fresh, err := stage(ctx, w.state, levelStage(item), inputs, func() (*marks.LevelGames, error) {
		w.executes()
		t, err := w.match(item, inputs)
		if err != nil {
			return nil, err
		}
		if err := w.play(ctx, t, w.store(n), 1, w.progress(item.Name)); err != nil {
			return nil, err
		}
		found, err := playedMatch(ctx, t, w.store(n))
		if err == nil {
			found.Traces, err = w.own(found.Traces)
		}
		return found, err
	})
	if err != nil {
		return err
	}
	w.evidence.Matches[n] = found
	w.evidence.Times.Merge(found.Times)
	if fresh {
		points := 0.0
		for _, g := range found.Games {
			points += g.Points
		}
		w.say("level", "", fmt.Sprintf("%s of %d points against %s", marks.Format(points), len(found.Games), item.Name))
	}
	return nil
}

// progress tells how many games are played; nil: nobody asks.
func (w *submissionRun) progress(level string) func(tournament.Event) {
	if w.o.Played == nil {
		return nil
	}
	return func(e tournament.Event) {
		if e.Kind == tournament.EventResult {
			w.o.Played(w.name, level, e.Progress.Finished)
		}
	}
}

// match is the submission against the level.
func (w *submissionRun) match(item course.Item, inputs string) (*tournament.Tournament, error) {
	me, err := w.planned()
	if err != nil {
		return nil, err
	}
	level := item.Level
	name := item.Name
	if name == w.name {
		name += " (staff)"
	}
	staff := plan.Player{Entrant: referee.Entrant{Name: name, Level: &level, Options: player.Options{Nodes: item.Nodes}}}
	return w.tournament([]plan.Player{me, staff}, schedule.Spec{Format: schedule.Match, Games: item.Games, Seed: w.seed(inputs)}, inputs)
}

// tournament fills in what all games of the course have in common.
func (r *run) tournament(players []plan.Player, spec schedule.Spec, inputs string) (*tournament.Tournament, error) {
	c := r.course
	spec.Players = len(players)
	t, _, err := tournament.FromPlan(&plan.Plan{
		Name: c.Title, Conditions: c.Conditions, Players: players,
		Schedule: spec, Concurrency: 1, Pin: plan.PinOff, Records: true,
	}, r.o.Version)
	if err != nil {
		return nil, err
	}
	t.Text, t.Fingerprint = t.Text+"inputs = "+inputs+"\n", inputs
	return t, nil
}

// play plays what is missing of a tournament. What was stored of another one, before something changed, is
// removed.
func (r *run) play(ctx context.Context, t *tournament.Tournament, dir string, concurrency int, events func(tournament.Event)) error {
	if s, err := t.Open(ctx, dir); err == nil {
		s.Close()
	} else if errors.Is(err, tournament.ErrPlan) {
		if err := remove(dir); err != nil {
			return err
		}
	} // otherwise there is none, or Run says what is wrong with it
	_, err := tournament.Run(ctx, t, tournament.Options{
		Dir: dir, Concurrency: concurrency, Pin: plan.PinOff, Sandbox: r.shutIn(filepath.Join(r.o.Out, workFolder, treesFolder)),
		Warn: func(said string) { r.tell(Event{Event: "again", Text: said}) }, Events: events,
	})
	return err
}

// playedMatch is what the store of a match says, from the side of the submission, which is player 0.
func playedMatch(ctx context.Context, t *tournament.Tournament, dir string) (*marks.LevelGames, error) {
	s, err := t.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	found := &marks.LevelGames{Games: []marks.Game{}}
	var results []*store.Result
	if err := s.Results(ctx, false, func(r *store.Result) error {
		results = append(results, r)
		return nil
	}); err != nil {
		return nil, err
	}
	for _, r := range results {
		record, err := s.Record(ctx, r.ID, r.Attempt)
		if err != nil {
			return nil, err
		}
		g := seen(r)
		if g.Moves, g.Slowest, err = pace(record, game.Side(g.Seat-1), allowed(t)); err != nil {
			return nil, fmt.Errorf("record of game %s: %w", r.ID, err)
		}
		found.Games = append(found.Games, g)
		found.Times.Merge(r.Sides[g.Seat-1].Times)
		found.Given.Add(r.Sides[g.Seat-1].Given)
		found.Traces.Merge(r.Sides[g.Seat-1].Traces)
	}
	err = s.Results(ctx, true, func(r *store.Result) error {
		found.Given.Add(r.Given()) // the level is never given any
		found.Voids++
		return nil
	})
	return found, err
}

// seen is a result from the side of player 0.
func seen(r *store.Result) marks.Game {
	seat, points := 0, r.Points()
	if r.Players[0] != 0 {
		seat, points = 1, 1-points
	}
	e := r.Ending
	g := marks.Game{
		ID: r.ID, Attempt: r.Attempt, Seat: seat + 1, Points: points, Code: e.Code, Reason: text.PrintableLines(e.Reason), Plies: e.Plies, Course: r.Course,
		Own: e.Winner != nil && int(*e.Winner) != seat && e.Code != referee.Won,
	}
	if g.Own {
		g.Lines, g.Exit, g.Stderr = printable(e.LastLines), e.Exit, endOf(e.StderrTail)
	}
	return g
}

// allowed are the limits of the submission's moves: a program that is started for each of them has time to
// start.
func allowed(t *tournament.Tournament) game.Limits {
	l := t.Limits
	if t.Players[0].OneShot() {
		l.First, l.Move = l.ForMove(0)+l.Start, l.Move+l.Start
	}
	return l
}

// pace reads from a record how many moves a side made, and the greatest share of its limit that one took, less what others took
// of it.
func pace(played []byte, side game.Side, limits game.Limits) (moves int, slowest float64, err error) {
	lines := json.NewDecoder(bytes.NewReader(played))
	for {
		var line record.Line
		if err := lines.Decode(&line); err == io.EOF {
			return moves, slowest, nil
		} else if err != nil {
			return 0, 0, err
		}
		if line.Event != "move" || line.Side != side.Number() {
			continue
		}
		moves++
		limit := limits.ForMove(line.Ply - 1)
		slowest = max(slowest, float64(text.Duration(line.Took-line.Starved))/float64(limit))
	}
}
