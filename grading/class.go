package grading

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"luzhanqi/grading/report"
	"luzhanqi/process/load"
	"luzhanqi/process/sandbox"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/standings"
	"luzhanqi/tournament/store"
	"luzhanqi/tournament/thinktime"
)

// classWork is the folder of the class tournament among those of submissions, none of which begins so.
const classWork = ".class"

// classFound is the result of the class tournament.
type classFound struct {
	Players []classPlayer    `json:"players"`
	Games   []standings.Game `json:"games"`
	Byes    []standings.Bye  `json:"byes,omitempty"`
	Endings []classEnding    `json:"endings,omitempty"` // of the games
}

// classGames is the folder of its games.
func (r *run) classGames() string {
	return filepath.Join(r.o.Out, workFolder, stateFolder, classWork, "games")
}

type classPlayer struct {
	Name       string              `json:"name"`
	Built      string              `json:"built"` // digest of the program
	Times      thinktime.Histogram `json:"times"`
	load.Given                     // because others had the processors
	sandbox.Traces
}

// class plays the class tournament, of all submissions that could be built.
func (r *run) class(ctx context.Context, works []*submissionRun) (*report.Class, error) {
	if r.course.Class == nil {
		return &report.Class{}, nil
	}
	var players []*submissionRun
	inputs := []any{"class", r.course.Class}
	for _, w := range works {
		if w.err == nil && w.evidence.Built() && w.last { // of whoever has several attempts, the last one plays
			players = append(players, w)
			inputs = append(inputs, w.name, w.playing())
		}
	}
	if len(players) < 2 {
		return &report.Class{}, nil
	}
	found, fresh, err := stage(ctx, r.played, "class", digest(inputs...), func() (*classFound, error) {
		r.executes()
		return r.playClass(ctx, players, r.classGames(), digest(inputs...))
	})
	if err != nil {
		return nil, err
	}
	if fresh {
		r.tell(Event{Event: "class", Text: fmt.Sprintf("%d games of the class tournament are played", len(found.Games))})
	}
	r.found = found
	return found.ranked(r.order())
}

// order returns the order by which the class is ranked.
func (r *run) order() standings.Order {
	if r.course.Class != nil && r.course.Class.Format == schedule.Swiss {
		return standings.Swiss
	}
	return standings.RoundRobin
}

func (r *run) playClass(ctx context.Context, works []*submissionRun, dir, inputs string) (*classFound, error) {
	found := &classFound{}
	var players []plan.Player
	for _, w := range works {
		p, err := w.planned()
		if err != nil {
			return nil, err
		}
		players = append(players, p)
		found.Players = append(found.Players, classPlayer{Name: w.name, Built: w.built})
	}
	c := r.course.Class
	spec := schedule.Spec{Format: c.Format, Games: c.Games}
	if c.Format == schedule.Swiss {
		spec.Rounds, spec.Rematches = c.Rounds, true
	} else {
		spec.Cycles = 1
	}
	spec.Seed = r.course.Seed
	t, err := r.tournament(players, spec, inputs)
	if err != nil {
		return nil, err
	}
	t.RecordSpace = classRecords
	if err := r.play(ctx, t, dir, r.o.Concurrency, nil); err != nil {
		return nil, err
	}
	s, err := t.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := s.Results(ctx, false, func(result *store.Result) error {
		found.Games, found.Endings = append(found.Games, result.Standing()), append(found.Endings, endingOf(result))
		for seat, who := range result.Players {
			found.Players[who].Times.Merge(result.Sides[seat].Times)
			found.Players[who].Given.Add(result.Sides[seat].Given)
			found.Players[who].Traces.Merge(result.Sides[seat].Traces)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	for i, w := range works {
		if found.Players[i].Traces, err = w.own(found.Players[i].Traces); err != nil {
			return nil, err
		}
	}
	rounds, err := t.Rounds(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, bye := range rounds.Byes {
		found.Byes = append(found.Byes, standings.Bye{Player: bye.Player, Points: t.Schedule.ByePoints()})
	}
	return found, nil
}

// ranked is the standings and places.
func (f *classFound) ranked(order standings.Order) (*report.Class, error) {
	c := &report.Class{Games: f.Games}
	for _, p := range f.Players {
		c.Names, c.Times, c.Traces = append(c.Names, p.Name), append(c.Times, p.Times), append(c.Traces, p.Traces)
		c.Given = append(c.Given, p.Given)
	}
	tally := standings.NewTally(c.Names)
	var wrong []error
	for _, g := range f.Games {
		wrong = append(wrong, tally.Add(g))
	}
	for _, b := range f.Byes {
		wrong = append(wrong, tally.AddBye(b))
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	var err error
	c.Table, err = tally.Table(order)
	return c, err
}

// placed is the class tournament as it was played last, as far as it concerns submissions that have not
// changed since.
func (r *run) placed(works []*submissionRun) (*report.Class, error) {
	if r.course.Class == nil {
		return nil, nil
	}
	found := recalled[classFound](r.played, "class", r.played.Stages["class"].Inputs)
	if found == nil {
		return nil, nil
	}
	for _, w := range works {
		if w.err != nil {
			continue
		}
		for i, p := range found.Players {
			if p.Name == w.name && p.Built != w.built {
				found.Players[i].Name = "" // another program
			}
		}
	}
	r.found = found
	return found.ranked(r.order())
}
