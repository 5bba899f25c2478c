package referee

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"luzhanqi/game"
)

// Fixture is one game that is to be played: everything that decides it, and nothing that is running.
// Series and tournaments are made of fixtures.
type Fixture struct {
	Game     game.Game
	Rules    game.Rules
	Retries  int // how many illegal moves in one turn may be taken back
	Limits   game.Limits
	Entrants [2]Entrant // at seat 1 and at seat 2
	// Seed and Number decide every random choice. Numbers 1 and 2, 3 and 4, … are pairs: the set-ups
	// of a pair's two games stay with the seats.
	Seed    uint64
	Number  int
	Attempt int // 1, or more after void games
	// Version and Concurrency are written into the record.
	Version     string
	Concurrency int

	seated func() // called when both have taken their seats; may be nil
}

// Outcome is what has come of a fixture.
type Outcome struct {
	Ending  *Ending
	Reports [2]Report // by seat; of players of ours: empty
	Took    time.Duration
}

// Play plays the game. Both record, which the record is written to, and watch may be nil. An error that is
// ErrStart means that a program could not be started and nothing was played; the outcome is a void
// ending that says why. Any other error is about writing the record of a game that was played.
func (f *Fixture) Play(ctx context.Context, record io.Writer, watch Observer) (Outcome, error) {
	start := time.Now()
	m := &Match{
		Game: f.Game, Rules: f.Rules, Retries: f.Retries, Limits: f.Limits, Draws: drawsOf(f.Seed, f.Number),
		Names: [2]string{f.Entrants[0].Name, f.Entrants[1].Name},
		Own:   [2]*game.Limits{f.Entrants[0].Limits, f.Entrants[1].Limits},
	}
	var watching observers
	if watch != nil {
		watching = append(watching, watch)
	}
	var recorder *recorder
	if record != nil {
		recorder = newRecorder(record, f.Game, f.Header(start))
		watching = append(watching, recorder)
	}
	if len(watching) > 0 {
		m.Observer = watching
	}
	var o Outcome
	unseated := f.sit(ctx, m)
	if unseated != nil {
		o.Ending = m.void(unseated.Error())
		if m.Observer != nil {
			m.Observer.Ended(nil, o.Ending)
		}
	} else {
		if f.seated != nil {
			f.seated()
		}
		o.Ending = m.Play(ctx)
		o.Reports = m.Reports
	}
	o.Took = time.Since(start)
	if recorder != nil && recorder.err != nil {
		return o, recorder.err
	}
	return o, unseated
}

// sit seats both entrants.
func (f *Fixture) sit(ctx context.Context, m *Match) error {
	var watch func(Message)
	if m.Observer != nil {
		watch = m.Observer.Message
	}
	for seat, e := range f.Entrants {
		side := game.Side(seat)
		if e.Level != nil {
			if e.Options.Threads == 0 { // games at a time share the processors
				e.Options.Threads = max(1, runtime.GOMAXPROCS(0)/max(1, f.Concurrency))
			}
			m.Seats[seat] = newBuiltin(f.Game, f.Rules, f.Limits.MaxPlies, e, f.Seed, f.Number, side)
			continue
		}
		p, err := newSeat(ctx, e.Command, e.Protocol, side, m.limits(side), watch)
		if err != nil {
			if m.Seats[0] != nil {
				m.Seats[0].Close(0)
			}
			return fmt.Errorf("%w player %v (%s): %w", ErrStart, side, e.Name, err)
		}
		m.Seats[seat] = p
	}
	return nil
}

// Header is the first line of the game's record.
func (f *Fixture) Header(start time.Time) Header {
	return Header{
		Version: f.Version, Game: f.Game.Name(), Rules: f.Rules.String(), Retries: f.Retries,
		Limits:  recordLimits(f.Limits),
		Players: [2]RecordPlayer{f.Entrants[0].record(), f.Entrants[1].record()},
		Seed:    f.Seed, Number: f.Number, Attempt: f.Attempt, Started: start.UTC(), Concurrency: f.Concurrency,
	}
}
