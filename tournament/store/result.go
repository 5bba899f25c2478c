package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/process/load"
	"luzhanqi/process/sandbox"
	"luzhanqi/referee"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/standings"
	"luzhanqi/tournament/thinktime"
)

// Schema is the version of results, and of the jobs that they answer.
const Schema = 1

// Result is the result of one game, from the worker that played it, in the queue and in the store.
type Result struct {
	Schema int `json:"schema"`
	schedule.Place
	Attempt int             `json:"attempt"`
	Ending  *referee.Ending `json:"ending"`
	Took    float64         `json:"took_ms"`
	Ended   time.Time       `json:"ended"`
	Worker  string          `json:"worker"`
	Sides   [2]Effort       `json:"sides"`
	Course  string          `json:"course,omitempty"` // see course.Course; empty: not known, a void game, or of an earlier version
	Stored  bool            `json:"stored,omitempty"` // the record is in the queue's object store, being too long for a message
	Record  []byte          `json:"-"`                // zstd; empty: none
}

// Effort is the time and memory that one side's thinking took.
type Effort struct {
	Times      thinktime.Histogram `json:"times"`             // of its moves
	CPU        time.Duration       `json:"cpu_ns,omitempty"`  // of a program, with the children that it waited for
	MaxRSS     int64               `json:"max_rss,omitempty"` // bytes
	load.Given                     // because others had the processors
	sandbox.Traces
}

// Void says whether the game does not count.
func (r *Result) Void() bool { return r.Ending.Code == referee.Void }

// Outcome returns the result for the player at seat 1.
func (r *Result) Outcome() rating.Result { return Outcome(r.Ending) }

// Outcome returns the result that an ending is for the player at seat 1.
func Outcome(e *referee.Ending) rating.Result {
	switch {
	case e.Code == referee.Void:
		return rating.Void
	case e.Winner == nil:
		return rating.Draw
	case *e.Winner == game.First:
		return rating.Win
	}
	return rating.Loss
}

// Points returns the points of the player at seat 1.
func (r *Result) Points() float64 { return r.Outcome().Points() }

// Given is what both sides were given.
func (r *Result) Given() load.Given {
	sum := r.Sides[0].Given
	sum.Add(r.Sides[1].Given)
	return sum
}

// Standing is the result as standings count it.
func (r *Result) Standing() standings.Game {
	return standings.Game{
		First: r.Players[0], Second: r.Players[1], Result: r.Outcome(), Foul: r.Ending.Foul(),
	}
}

// Check refuses a result that no worker of ours can have sent, whoever sent or stored it. players is how many there are; 0: not known.
func (r *Result) Check(players int) error {
	e := r.Ending
	side := func(s *game.Side) bool { return s == nil || *s == game.First || *s == game.Second }
	switch {
	case r.ID == "" || r.Attempt < 1 || e == nil:
		return errors.New("it has no id, attempt or ending")
	case strings.ContainsFunc(r.ID, notInID) || len(r.ID) > maxID:
		return fmt.Errorf("the id %.40q is no name of a game", r.ID)
	case players > 0 && (min(r.Players[0], r.Players[1]) < 0 || max(r.Players[0], r.Players[1]) >= players):
		return fmt.Errorf("players %v, of %d", r.Players, players)
	case !slices.Contains(referee.Codes, e.Code):
		return fmt.Errorf("there is no ending %q", e.Code)
	case e.VoidBy != "" && (e.Code != referee.Void || !slices.Contains(referee.VoidsBy, e.VoidBy)):
		return fmt.Errorf("the ending %s is void by %q", e.Code, e.VoidBy)
	case e.Plies < 0 || !(r.Took >= 0):
		return fmt.Errorf("%d plies in %v ms", e.Plies, r.Took)
	case !side(e.Winner) || !side(e.Fault):
		return errors.New("a winner or a fault of no player")
	case e.Code == referee.Void && e.Winner != nil, (e.Code == referee.Won || e.Code == referee.AdjudicatedWin || e.Fault != nil) && e.Winner == nil:
		return fmt.Errorf("the ending %s with or without a winner", e.Code)
	}
	return errors.Join(r.Sides[0].Given.Check(), r.Sides[1].Given.Check())
}

// maxID bounds an id: those of schedules have up to some 30 characters.
const maxID = 100

// notInID says what no id has, which becomes the name of a file and part of a subject in the queue.
func notInID(c rune) bool {
	return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-')
}
