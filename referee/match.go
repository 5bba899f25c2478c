package referee

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Match is a number of games between the same two entrants, in pairs: both games of a pair have
// the same seeds for the set-ups of the two seats, and the entrants swap seats.
type Match struct {
	Conditions
	Entrants    [2]Entrant
	Games       int
	Seed        uint64
	Concurrency int    // games at a time
	Records     string // directory; empty: no records
	Version     string // written into the records
	// Watch returns an observer of a game, or nil.
	Watch func(number int, names [2]string) Observer
	// Ended is told of each game that has ended, one at a time, in the order in which they end.
	Ended func(Result)
	// Enough, if not nil, ends the match before its last game: it is asked before each, never at the
	// same time as Ended is called. Games that have begun are played to their end.
	Enough func() bool
}

// Result is what has come of a game.
type Result struct {
	Number      int    // of the game in its match, from 1
	Attempt     int    // 1, or more after void games
	Seats       [2]int // which entrant of the match played first, and second
	Ending      *Ending
	Postmortems [2]Postmortem // by seat; of players of ours: empty
	Took        time.Duration
	Record      string // file; empty: none
}

// Score counts results for each entrant.
type Score struct {
	Wins, Losses, Draws [2]int
	Voids               int
	Games               int // that count
	Endings             map[Code]int
}

// Add counts a result.
func (s *Score) Add(r Result) {
	if s.Endings == nil {
		s.Endings = map[Code]int{}
	}
	s.Endings[r.Ending.Code]++
	switch {
	case r.Ending.Code == Void:
		s.Voids++
		return
	case r.Ending.Draw():
		s.Draws[0]++
		s.Draws[1]++
	default:
		s.Wins[r.Seats[*r.Ending.Winner]]++
		s.Losses[r.Seats[r.Ending.Winner.Other()]]++
	}
	s.Games++
}

// ErrStart is what Run returns when a program could not be started for its first game.
var ErrStart = errors.New("cannot start")

// ErrRecords is what Check returns when records cannot be written.
var ErrRecords = errors.New("the directory for records cannot be used")

// ErrVoid is what stops a match when a game was void again and again.
var ErrVoid = errors.New("void again")

// mostVoids is how often one game may be void, for whatever reasons.
const mostVoids = 5

// Check says why the match cannot be played, as far as that can be known without playing. It makes
// the directory for records.
func (m *Match) Check() error {
	for _, e := range m.Entrants {
		if err := e.Check(); err != nil {
			return err
		}
	}
	if m.Records == "" {
		return nil
	}
	if err := os.MkdirAll(m.Records, 0o777); err != nil {
		return fmt.Errorf("%w: %w", ErrRecords, err)
	}
	probe, err := os.CreateTemp(m.Records, ".probe")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRecords, err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// Run plays the match. Void games are played again; two in a row for the same reason, or five for any, stop
// the match with an error. The score counts what was played until then.
func (m *Match) Run(ctx context.Context) (score Score, err error) {
	if err := m.Check(); err != nil {
		return score, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	began := time.Now()
	var mu sync.Mutex // guards score, err, next
	next := 1
	take := func() (number int, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if next > m.Games || ctx.Err() != nil || m.Enough != nil && m.Enough() {
			return 0, false
		}
		next++
		return next - 1, true
	}
	fail := func(cause error) {
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			err = cause
		}
		stop(cause)
	}
	var workers sync.WaitGroup
	seated := make(chan struct{}) // closed when both entrants have taken their seats in game 1
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
				last := ""
				for attempt := 1; ; attempt++ {
					r, gameErr := m.play(ctx, number, attempt, began, seated)
					if gameErr != nil {
						fail(gameErr)
						return
					}
					mu.Lock()
					score.Add(r)
					if m.Ended != nil {
						m.Ended(r)
					}
					mu.Unlock()
					if r.Ending.Code != Void || ctx.Err() != nil {
						break
					}
					if r.Ending.Reason == last || attempt == mostVoids {
						fail(fmt.Errorf("game %d was %w: %s", number, ErrVoid, r.Ending.Reason))
						return
					}
					last = r.Ending.Reason
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

// play plays one game. An error means that there was none.
func (m *Match) play(ctx context.Context, number, attempt int, began time.Time, seated chan struct{}) (Result, error) {
	g := m.game(number, attempt)
	var watch Observer
	if m.Watch != nil {
		watch = m.Watch(number, [2]string{g.Entrants[0].Name, g.Entrants[1].Name})
	}
	var record io.Writer
	var name string
	if m.Records != "" {
		file, err := m.create(number, attempt, began)
		if err != nil {
			return Result{}, err
		}
		defer file.Close()
		record, name = file, file.Name()
	}
	first := number == 1 && attempt == 1
	if first {
		g.seated = func() { close(seated) }
	}
	r, err := g.Play(ctx, record, watch)
	r.Seats, r.Record = seats(number), name
	switch {
	case errors.Is(err, ErrStart) && first: // a program that never ran is an error, not a result
		if r.Record != "" {
			os.Remove(r.Record)
		}
		return r, err
	case err != nil && !errors.Is(err, ErrStart):
		return r, fmt.Errorf("write the record %s: %w", r.Record, err)
	}
	return r, nil
}

// create makes the file of a record; it never overwrites one.
func (m *Match) create(number, attempt int, began time.Time) (*os.File, error) {
	name := fmt.Sprintf("%s-%d-game-%05d", began.UTC().Format("20060102T150405.000"), m.Seed, number)
	if attempt > 1 {
		name += fmt.Sprintf("-attempt-%d", attempt)
	}
	path := filepath.Join(m.Records, name+".jsonl")
	for again := 2; ; again++ {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			return file, nil
		}
		if !errors.Is(err, os.ErrExist) {
			return nil, fmt.Errorf("create a record: %w", err)
		}
		path = filepath.Join(m.Records, fmt.Sprintf("%s-%d.jsonl", name, again)) // a match begun in the same instant
	}
}

// seats are the entrants that play first and second in a game: they swap after each.
func seats(number int) [2]int {
	if number%2 == 0 {
		return [2]int{1, 0}
	}
	return [2]int{0, 1}
}

func (m *Match) game(number, attempt int) *Game {
	at := seats(number)
	return &Game{
		Conditions: m.Conditions, Entrants: [2]Entrant{m.Entrants[at[0]], m.Entrants[at[1]]},
		Seed: m.Seed, Number: number, Attempt: attempt, Version: m.Version, Concurrency: m.Concurrency,
	}
}
