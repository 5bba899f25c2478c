package referee

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/referee/opening"
)

// Match is a number of games between the same two entrants, in pairs: both games of a pair have
// the same seeds for the set-ups of the two seats, and the entrants swap seats.
type Match struct {
	Conditions
	Entrants    [2]Entrant
	Games       int
	Seed        uint64
	Openings    *opening.Book                                // nil: none
	Concurrency int                                          // games at a time
	Pin         bool                                         // games between programs that answer at once may be played on one processor each
	Version     string                                       // written into records
	Keep        string                                       // see Game.Keep
	Stderr      func(g *Game, side game.Side) io.WriteCloser // see Game.Stderr
	// Played are results of games of this match that were played before, and are not played again.
	Played []Result
	// Record begins to keep a game; nil: none is kept. Its error ends the match.
	Record func(*Game) (Recorder, error)
	// Watch returns an observer of a game, or nil.
	Watch func(*Game) Observer
	// Ended is called after each game with its result and the score so far: one call at a time, in the order in
	// which the games end.
	Ended func(Result, Score)
	// Enough, if not nil, ends the match before its last game: it is asked before each, never at the
	// same time as Ended is called. Games that have begun are played to their end.
	Enough func() bool
}

// ErrStart: a program could not be started for its first game.
var ErrStart = errors.New("cannot start")

// Check says why the match cannot be played, as far as that can be known without playing.
func (m *Match) Check() error {
	for _, e := range m.Entrants {
		if err := e.Check(); err != nil {
			return err
		}
		if err := m.CheckTotal(&e); err != nil {
			return err
		}
		if m.Openings.None() {
			continue
		}
		if err := e.CheckOpening(m.Openings); err != nil {
			return err
		}
	}
	return nil
}

// Run plays the match. Void games are played again; after too many of one game, by
// [GivenUp], the match stops with an error. The score counts what was played until then.
func (m *Match) Run(ctx context.Context) (score Score, err error) {
	if err := m.Check(); err != nil {
		return score, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer clock.Watch()()
	var mu sync.Mutex // guards score, err, next
	next, played := 1, map[int]bool{}
	for _, r := range m.Played {
		score.add(r)
		played[r.Number] = true
	}
	skip := func() {
		for played[next] {
			next++
		}
	}
	skip()
	first := next // a program that cannot be started for it is an error
	ready := process.NewReserve(func() bool {
		mu.Lock()
		defer mu.Unlock()
		return next <= m.Games && ctx.Err() == nil
	})
	defer func() {
		if left := ready.Close(); err == nil {
			err = left
		}
	}()
	take := func() (number int, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if next > m.Games || ctx.Err() != nil || m.Enough != nil && m.Enough() {
			return 0, false
		}
		number = next
		next++
		skip()
		return number, true
	}
	count := func(r Result) {
		mu.Lock()
		defer mu.Unlock()
		score.add(r)
		if m.Ended != nil {
			m.Ended(r, score)
		}
	}
	fail := func(cause error) {
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			err = cause
		}
		stop(cause)
	}
	process.AtATime(2 * m.Concurrency)
	pins := newPinning(m)
	var workers sync.WaitGroup
	seated := make(chan struct{}) // closed when both entrants have taken their seats in the first game
	for worker := range max(1, min(m.Concurrency, m.Games)) {
		workers.Go(func() {
			if worker > 0 { // a program that cannot be started at all must not become void games
				select {
				case <-seated:
				case <-ctx.Done():
					return
				}
			}
			for {
				number, ok := take()
				if !ok {
					return
				}
				if err := m.playOut(ctx, number, number == first, ready, func() *int { return pins.processor(worker) }, seated, func(r Result) { pins.saw(r); count(r) }); err != nil {
					fail(err)
					return
				}
			}
		})
	}
	workers.Wait()
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return score, err
}

// playOut plays a game until it counts, and again as long as it is void.
func (m *Match) playOut(ctx context.Context, number int, first bool, ready *process.Reserve, processor func() *int, seated chan struct{}, count func(Result)) error {
	var voids []Voided
	for attempt := 1; ; attempt++ {
		r, err := m.play(ctx, number, attempt, first && attempt == 1, ready, processor(), seated)
		if err != nil {
			return err
		}
		count(r)
		if r.Ending.Code != Void || ctx.Err() != nil {
			return nil
		}
		if voids = append(voids, r.Ending.Voided()); GivenUp(voids) {
			return fmt.Errorf("game %d was %w: %s", number, ErrVoid, r.Ending.Reason)
		}
	}
}

// play plays a game once. An error means that there was none, or that it could not be kept.
func (m *Match) play(ctx context.Context, number, attempt int, first bool, ready *process.Reserve, processor *int, seated chan struct{}) (Result, error) {
	g, err := m.Numbered(number, attempt)
	if err != nil {
		return Result{}, err
	}
	g.Processor = processor
	for seat := range g.Entrants {
		g.Entrants[seat].Command.Ready = ready
	}
	var watching Observers
	if m.Watch != nil {
		if o := m.Watch(g); o != nil {
			watching = append(watching, o)
		}
	}
	var recorder Recorder
	if m.Record != nil {
		if recorder, err = m.Record(g); err != nil {
			return Result{}, err
		}
		watching = append(watching, recorder)
	}
	var watch Observer
	if len(watching) > 0 {
		watch = watching
	}
	if first {
		g.seated = func() { close(seated) }
	}
	r, err := g.Play(ctx, watch)
	r.Seats = Seats(number)
	if err != nil && first { // a program that never ran is an error, not a result
		if recorder != nil {
			recorder.Discard()
		}
		return r, err
	}
	if recorder == nil {
		return r, nil
	}
	r.Record = recorder.Name()
	if err := recorder.Close(); err != nil {
		return r, fmt.Errorf("write the record %s: %w", r.Record, err)
	}
	return r, nil
}

// Seats are the entrants that play first and second in a game: they swap after each.
func Seats(number int) [2]int {
	if number%2 == 0 {
		return [2]int{1, 0}
	}
	return [2]int{0, 1}
}

// Numbered is a game of the match as it is to be played.
func (m *Match) Numbered(number, attempt int) (*Game, error) {
	at := Seats(number)
	g := &Game{
		Conditions: m.Conditions, Entrants: [2]Entrant{m.Entrants[at[0]], m.Entrants[at[1]]},
		Seed: m.Seed, Number: number, Attempt: attempt, Version: m.Version, Concurrency: m.Concurrency, Keep: m.Keep, Stderr: m.Stderr,
	}
	var err error
	g.Opening, err = m.Openings.For(m.Game, m.Rules, Pair(number), m.Seed, number, m.Outcome)
	return g, err
}
