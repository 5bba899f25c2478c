package referee

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/text"
)

// Code is how a game ended, for machines. The list is closed.
type Code string

// The codes. docs/endings.md explains each.
const (
	Won             Code = "won"              // by the rules of the game
	Drawn           Code = "drawn"            // by the rules of the game, or at the cap of plies
	AdjudicatedWin  Code = "adjudicated-win"  // the adjudicating level saw it won for long enough
	AdjudicatedDraw Code = "adjudicated-draw" // or even
	Resigned        Code = "resigned"         // the loser gave up
	IllegalMove     Code = "illegal-move"     // readable, but against the rules
	IllegalSetUp    Code = "illegal-setup"    // readable, but against the rules
	Unreadable      Code = "unreadable"       // no answer of the protocol
	TimedOut        Code = "timeout"          // nothing whole within limit plus grace, or input never read
	Crashed         Code = "crashed"          // the program exited or was killed by a signal
	Closed          Code = "closed-output"    // the program lives, but nothing can come from it any more
	Flooded         Code = "flooded"          // more bytes than any answer or log can have
	Disconnected    Code = "disconnected"     // the connection to a program elsewhere was lost for longer than its grace
	Void            Code = "void"             // the machine's or the referee's fault: no result
)

// Codes are all codes.
var Codes = []Code{Won, Drawn, AdjudicatedWin, AdjudicatedDraw, Resigned, IllegalMove, IllegalSetUp, Unreadable, TimedOut, Crashed, Closed, Flooded, Disconnected, Void}

// VoidBy is what made a game void. The list is closed.
type VoidBy string

// What makes games void. Those that are void by the machine are given up, see [GivenUp]; the others say nothing of
// whether the game can be played.
const (
	ByMachine      VoidBy = "machine"     // it could not do something, or the referee failed
	ByStop         VoidBy = "stopped"     // somebody stopped the referee, or put the machine to sleep
	ByInterruption VoidBy = "interrupted" // the match was broken off
	ByPerson       VoidBy = "left"        // a person left the game
	ByOpponent     VoidBy = "opponent"    // a program kept the processors from the other in its turn
)

// VoidsBy are all values of VoidBy.
var VoidsBy = []VoidBy{ByMachine, ByStop, ByInterruption, ByPerson, ByOpponent}

// Ending is how one game ended.
type Ending struct {
	Code   Code       `json:"code"`
	Winner *game.Side `json:"winner"`          // null: a draw or void
	Fault  *game.Side `json:"fault,omitempty"` // whose answer, or lack of one, ended the game
	Reason string     `json:"reason"`          // a sentence for people
	Plies  int        `json:"plies"`
	VoidBy VoidBy     `json:"void_by,omitempty"` // of a void game; empty in old records: the machine

	// What the program at fault last heard and said, and what became of it.
	LastLines   []string `json:"last_lines,omitempty"`
	Exit        string   `json:"exit,omitempty"`
	ExitCode    *int     `json:"exit_code,omitempty"`
	Signal      int      `json:"signal,omitempty"`
	StderrTail  string   `json:"stderr_tail,omitempty"`
	StderrBytes int64    `json:"stderr_bytes,omitempty"`

	Late *Lateness `json:"late,omitempty"` // of the code TimedOut

	// Value is that of the last position, as its mover sees it, in a game with adjudication.
	Value *float64 `json:"value,omitempty"`
}

// Draw says whether nobody won a game that counts.
func (e *Ending) Draw() bool { return e.Winner == nil && e.Code != Void }

// Foul says whether a player lost by breaking the rules or by failing: on time, by a crash, by an answer.
func (e *Ending) Foul() bool { return e.Fault != nil && e.Code != Resigned && e.Code != Void }

// describe adds what is known of the program at fault.
func (e *Ending) describe(r Postmortem) {
	if !r.Program {
		e.LastLines = r.LastLines // of a program elsewhere; else there are none
		return
	}
	if e.Code == TimedOut && r.Late != nil {
		e.Late = r.Late
		e.Reason = text.Cut(e.Reason+"; "+r.Late.String(), maxReason)
	}
	e.LastLines, e.StderrTail, e.StderrBytes = r.LastLines, r.Stderr, r.StderrBytes
	e.Exit, e.Signal = r.Exit.String(), int(r.Exit.Signal)
	if r.Exit.Signal == 0 && !r.Exit.Killed {
		e.ExitCode = &r.Exit.Code
	}
}

// Foul says why a seat gave no valid answer.
type Foul struct {
	Code Code
	By   VoidBy // of the code Void
	Text string // continues "player 1 (name) "
	Log  string // what a program would have written to standard error, of a player of ours
}

func fouled(code Code, format string, args ...any) *Foul {
	return &Foul{Code: code, Text: fmt.Sprintf(format, args...)}
}

func voided(by VoidBy, format string, args ...any) *Foul {
	return &Foul{Code: Void, By: by, Text: fmt.Sprintf(format, args...)}
}

// interrupted is the foul that ends a game when its context has ended.
func interrupted(ctx context.Context) *Foul {
	return voided(ByInterruption, "interrupted: %v", context.Cause(ctx))
}

// stopNews is how long the referee waits for its own stop signal after a program was killed by one. Where waiting ended late,
// the signal may be late, too: so it waits again, at most stopTries times in all.
const (
	stopNews  = 250 * time.Millisecond
	stopLate  = 20 * time.Millisecond
	stopTries = 8
)

// stoppedTogether says whether a program was killed because the match is broken off: what stops a whole
// service sends its signal to everybody in it.
func stoppedTogether(ctx context.Context, exit process.Exit) bool {
	switch exit.Signal {
	case syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP:
	default:
		return false
	}
	return comes(func() (bool, time.Duration) {
		start := time.Now()
		came := clock.Wait(ctx.Done(), stopNews)
		return came, time.Since(start)
	}) || ctx.Err() != nil
}

// comes waits for the news until it came or waiting ended in time without it, at most stopTries times; wait says how long it took.
func comes(wait func() (came bool, took time.Duration)) bool {
	for range stopTries {
		came, took := wait()
		if came || took < stopNews+stopLate {
			return came
		}
	}
	return false
}

// maxReason bounds a reason; an illegal set-up of 64 KiB would fill pages with what is wrong.
const maxReason = 1000
