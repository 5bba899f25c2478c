package referee

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/referee/adjudication"
	"luzhanqi/referee/chance"
	"luzhanqi/referee/course"
	"luzhanqi/referee/opening"
	"luzhanqi/referee/totalclock"
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
	// Opening is how it begins. Whether its players can be told so is for [Entrant.CheckOpening].
	Opening game.Opening
	// Keep is an existing directory that gets what programs in a sandbox have written into their directories, in a
	// directory for each seat; empty: it is thrown away.
	Keep string
	// Stderr returns what gets the standard error of the program at a seat, and is closed after the game; nil: its end is kept alone.
	Stderr func(g *Game, side game.Side) io.WriteCloser
	// Version and Concurrency are written into the record.
	Version     string
	Concurrency int

	// Processor is where the game's thread and both programs run; nil: anywhere.
	Processor *int

	closing []io.Closer // what Stderr has returned
	seated  func()      // called when both have taken their seats; may be nil
}

// Play plays the game; watch may be nil. An error is ErrStart: a program could not be started and nothing
// was played. The result then has a void ending that says why.
func (g *Game) Play(ctx context.Context, watch Observer) (Result, error) {
	r := Result{Number: g.Number, Attempt: g.Attempt, Seats: [2]int{0, 1}}
	start := time.Now()
	var heard func(Message)
	if watch == nil {
		watch = NoObserver{}
	} else {
		heard = watch.Message
	}
	defer clock.Watch()()
	l := g.loop(watch)
	g.startClocks(l)
	unseated := g.preside(l)
	if unseated == nil {
		unseated = g.sit(ctx, l, heard)
	}
	defer func() {
		for _, c := range g.closing {
			c.Close()
		}
		g.closing = nil
	}()
	if unseated != nil {
		r.Ending = l.void(ByMachine, unseated.Error())
		watch.Ended(nil, r.Ending)
	} else {
		if g.seated != nil {
			g.seated()
		}
		if g.Processor != nil {
			defer process.PinThread(*g.Processor)()
		}
		r.Ending = l.play(ctx)
		r.Postmortems, r.turns = l.postmortems, l.turns
		if r.Given = l.given; r.Ending.Code != Void {
			r.Course = l.course.Digest(string(r.Ending.Code), r.Ending.Winner)
		}
	}
	r.Took = time.Since(start)
	return r, unseated
}

func (g *Game) loop(observer Observer) *loop {
	return &loop{
		Conditions: g.Conditions, entrants: g.Entrants, draws: Draws(g.Seed, g.Number), observer: observer, people: g.people(),
		opening: g.Opening, random: opening.Random(g.Seed, g.Number), course: course.Course{Position: g.Opening.Position},
	}
}

// people says whether people play, and nobody against them whom they do not trust.
func (g *Game) people() bool {
	some := false
	for i := range g.Entrants {
		if g.Entrants[i].IsProgram() {
			return false
		}
		some = some || g.Entrants[i].Person
	}
	return some
}

// startClocks gives total clocks to those for whom a clock runs.
func (g *Game) startClocks(l *loop) {
	for side := range g.Entrants {
		if limits := l.limits(game.Side(side)); limits.Total > 0 && g.Entrants[side].Timed() {
			l.totals[side] = totalclock.New(limits.Total, limits.Increment)
		}
	}
}

// preside brings in who adjudicates.
func (g *Game) preside(l *loop) (err error) {
	if r := g.Adjudication; r != nil {
		l.bench, err = adjudication.NewBench(r, g.Game, g.Rules, g.Limits.MaxPlies, g.Seed, g.Number)
	}
	return err
}

// keep makes the directory for what a program writes. A program that is started for each question keeps what the last
// of its processes has written.
func (g *Game) keep(c process.Command, side game.Side) (process.Command, error) {
	if g.Keep == "" || !c.Sandbox.On() || c.Sandbox.Own {
		return c, nil
	}
	c.Sandbox.Keep = filepath.Join(g.Keep, fmt.Sprintf("game-%d-%d-player-%v", g.Number, g.Attempt, side))
	return c, os.MkdirAll(c.Sandbox.Keep, 0o777)
}

// sit seats both entrants. heard is called with their messages, and may be nil.
func (g *Game) sit(ctx context.Context, l *loop, heard func(Message)) error {
	for seat, e := range g.Entrants {
		side := game.Side(seat)
		if e.Level != nil {
			l.seats[seat] = newBuiltin(g, side)
			continue
		}
		var err error
		if e.Seat != nil {
			if l.seats[seat], err = e.Seat(ctx, g, side, heard); err == nil {
				continue
			}
			l.seats[seat] = nil
			if l.seats[0] != nil {
				l.seats[0].Close(0)
			}
			return fmt.Errorf("%w player %v (%s): %w", ErrStart, side, e.Name, err)
		}
		if g.Stderr != nil {
			w := g.Stderr(g, side)
			g.closing = append(g.closing, w)
			e.Command.Stderr = w
		}
		if e.Command, err = g.keep(e.Command, side); err != nil {
			return fmt.Errorf("keep what player %v (%s) writes: %w", side, e.Name, err)
		}
		e.Command = chance.Seeded(e.Command, chance.ProgramSeed(g.Seed, g.Number))
		if g.Processor != nil {
			e.Command.Confine.CPUs = []int{*g.Processor}
		}
		p, err := newSeat(ctx, e, side, l.limits(side), heard)
		if err != nil {
			if l.seats[0] != nil {
				l.seats[0].Close(0)
			}
			return fmt.Errorf("%w player %v (%s): %w", ErrStart, side, e.Name, err)
		}
		if d, ok := p.(*dialogue); ok {
			d.later = g.Processor != nil
		}
		l.seats[seat] = p
	}
	return nil
}
