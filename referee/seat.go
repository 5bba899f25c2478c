package referee

import (
	"context"
	"fmt"
	"time"

	"luzhanqi/game"
	"luzhanqi/process"
)

// Seat is whoever answers for one side: a program, a player of ours, a person. The match loop
// cannot tell them apart. A seat serves one game and one goroutine at a time.
type Seat interface {
	// Tell passes an event on; v is what the side may know after it. It takes a bounded time and
	// reports nothing: whoever cannot hear will not answer.
	Tell(e game.Event, v game.View)
	// Ask waits for an answer until the deadline.
	Ask(ctx context.Context, q Question) (game.Answer, *Foul)
	// Close ends the seat. All that belongs to it is gone afterwards, or the postmortem's Err says what
	// is not. Grace is the time a program has to exit by itself.
	Close(grace time.Duration) Postmortem
}

// Question asks a seat for a set-up or a move.
type Question struct {
	Kind     game.AnswerKind // AnswerSetUp or AnswerMove
	View     game.View       // nil for a set-up
	Start    time.Time       // when the clock started
	Limit    time.Duration   // the time announced; on a total clock, what a player should take
	Left     time.Duration   // on a total clock: what there is for all moves; else zero
	Deadline time.Time       // start, limit and grace together: when waiting ends

	rival *rival // who may keep processors from whoever is asked; nil: nobody that can be paused
}

// time says for people how much time there is.
func (q Question) time() string {
	if q.Left > 0 {
		return fmt.Sprintf("the %v that were left + %v grace", q.Left, q.Deadline.Sub(q.Start)-q.Left)
	}
	return fmt.Sprintf("%v + %v grace", q.Limit, q.Deadline.Sub(q.Start)-q.Limit)
}

// Postmortem describes a seat once it is closed.
type Postmortem struct {
	Program     bool // the seat was a program, and the rest means something
	Exit        process.Exit
	LastLines   []string
	Stderr      string
	StderrBytes int64
	Late        *Lateness // of one that lost by time, as far as it is known
	Err         error
}
