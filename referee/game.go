package referee

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"luzhanqi/game"
)

// Game is one game that is to be played: everything that decides it, and nothing that is running.
// Matches and tournaments are made of games.
type Game struct {
	Conditions
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

// Play plays the game. Both record, which the record is written to, and watch may be nil. An error that is
// ErrStart means that a program could not be started and nothing was played; the result has a void
// ending that says why. Any other error is about writing the record of a game that was played.
func (g *Game) Play(ctx context.Context, record io.Writer, watch Observer) (Result, error) {
	r := Result{Number: g.Number, Attempt: g.Attempt, Seats: [2]int{0, 1}}
	start := time.Now()
	l := &loop{Conditions: g.Conditions, entrants: g.Entrants, draws: drawsOf(g.Seed, g.Number)}
	var watching observers
	if watch != nil {
		watching = append(watching, watch)
	}
	var recorder *recorder
	if record != nil {
		recorder = newRecorder(record, g.Game, g.Header(start))
		watching = append(watching, recorder)
	}
	if len(watching) > 0 {
		l.observer = watching
	}
	unseated := g.sit(ctx, l)
	if unseated != nil {
		r.Ending = l.void(unseated.Error())
		if l.observer != nil {
			l.observer.Ended(nil, r.Ending)
		}
	} else {
		if g.seated != nil {
			g.seated()
		}
		r.Ending = l.play(ctx)
		r.Postmortems = l.left
	}
	r.Took = time.Since(start)
	if recorder != nil && recorder.err != nil {
		return r, recorder.err
	}
	return r, unseated
}

// sit seats both entrants.
func (g *Game) sit(ctx context.Context, l *loop) error {
	var watch func(Message)
	if l.observer != nil {
		watch = l.observer.Message
	}
	for seat, e := range g.Entrants {
		side := game.Side(seat)
		if e.Level != nil {
			if e.Options.Threads == 0 { // games at a time share the processors
				e.Options.Threads = max(1, runtime.GOMAXPROCS(0)/max(1, g.Concurrency))
			}
			l.seats[seat] = newBuiltin(&g.Conditions, e, g.Seed, g.Number, side)
			continue
		}
		p, err := newSeat(ctx, e.Command, e.Protocol, side, l.limits(side), watch)
		if err != nil {
			if l.seats[0] != nil {
				l.seats[0].Close(0)
			}
			return fmt.Errorf("%w player %v (%s): %w", ErrStart, side, e.Name, err)
		}
		l.seats[seat] = p
	}
	return nil
}

// Header is the first line of the game's record.
func (g *Game) Header(start time.Time) Header {
	return Header{
		Version: g.Version, Game: g.Game.Name(), Rules: g.Rules.String(), Retries: g.Retries,
		Limits:  recordLimits(g.Limits),
		Players: [2]RecordPlayer{g.Entrants[0].record(), g.Entrants[1].record()},
		Seed:    g.Seed, Number: g.Number, Attempt: g.Attempt, Started: start.UTC(), Concurrency: g.Concurrency,
	}
}
