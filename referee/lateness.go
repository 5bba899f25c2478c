package referee

import (
	"fmt"
	"strings"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/process/starvation"
	"luzhanqi/text"
)

// Lateness says of a program that lost by time what it did meanwhile, as far as that is known.
type Lateness struct {
	Took    float64 `json:"took_ms"`              // by the wall clock
	Ran     float64 `json:"ran_ms"`               // processor time of all of it
	Starved float64 `json:"starved_ms,omitempty"` // what others took, which was given to it
	Waited  float64 `json:"waited_ms,omitempty"`  // the same, which was not, by the wall clock
	// Doing is what it did at the end.
	Doing Doing `json:"doing"`
	// Unflushed: it answered only when it was told the end, and its input closed. One that reads a line too many does so, too.
	Unflushed bool `json:"unflushed,omitempty"`
}

// Doing is what a program did when its time was over. The list is closed.
type Doing string

// What a program may have done.
const (
	Computing Doing = "computing"
	Reading   Doing = "reading" // it waited for input
	Sleeping  Doing = "sleeping"
)

// late is what is known of a turn that was too long; nil: none was, or nothing is known.
func (p *program) late() *Lateness { return p.lateness }

// lateness is that of a turn of which this is known; nil: nothing is.
func lateness(took, starved time.Duration, known starvation.Taken) *Lateness {
	if !known.Known {
		return nil
	}
	l := &Lateness{Took: text.Milliseconds(took), Ran: text.Milliseconds(known.Ran), Starved: text.Milliseconds(starved), Doing: Sleeping}
	switch {
	case known.Ready:
		l.Doing = Computing
	case known.Reading:
		l.Doing = Reading
	}
	return l
}

// throughout is which part of its own time a program must have used to have computed all the time. It is not looked at in the
// first milliseconds.
const throughout = 0.85

// String is a sentence that goes on from "…; ".
func (l *Lateness) String() string {
	var s strings.Builder
	ran := short(l.Ran)
	switch own := l.Took - l.Starved - l.Waited; {
	case l.Unflushed && l.Doing == Sleeping: // readers of epoll and the like look so, too
		fmt.Fprintf(&s, "it computed for %s of this, and then slept or waited; its answer came only when it was told the end: it was late, or did not flush its output", ran)
	case l.Unflushed && l.Doing == Reading:
		fmt.Fprintf(&s, "it computed for %s and then waited for input, and its answer came only when it was told the end: it did not flush its output, or waited for one line more", ran)
	case l.Ran >= own*throughout:
		s.WriteString("it computed all the time")
	case l.Doing == Computing:
		fmt.Fprintf(&s, "it computed for %s of this, and was computing still", ran)
	case l.Doing == Reading:
		fmt.Fprintf(&s, "it computed for %s of this, and then waited for input", ran)
	default:
		fmt.Fprintf(&s, "it computed for %s of this, and then slept", ran)
	}
	if l.Starved >= 1 {
		fmt.Fprintf(&s, "; it also waited %s for a processor, which was not counted", short(l.Starved))
	}
	if l.Waited >= 1 {
		fmt.Fprintf(&s, "; it also waited %s for a processor, which the wall clock counts", short(l.Waited))
	}
	return s.String()
}

// short writes milliseconds for people, in two digits or more.
func short(ms float64) string {
	d := text.Duration(ms)
	switch {
	case d < time.Millisecond:
		return "less than 1ms"
	case d < 10*time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}

// ReadLate is how much later than it came an answer may be read, and still be accepted: what has arrived when the
// referee notices that the time is over counts.
const ReadLate = time.Second

// cut is the foul of a question during which the referee was stopped: whatever has come of it says nothing. It is nil
// if it was not.
func (l *loop) cut(side game.Side, span clock.Span, start, now, deadline time.Time, foul *Foul) *Foul {
	if l.people || foul != nil && foul.By == ByInterruption {
		return nil
	}
	if stopped := span.Stopped(start, now); stopped > 0 {
		return voided(ByStop, "the referee was stopped for %.1f s during this turn of %s", stopped.Seconds(), l.who(side))
	}
	if s, ok := l.seats[side].(interface{ Allowance() time.Duration }); ok {
		deadline = deadline.Add(s.Allowance())
	}
	if late := now.Sub(deadline); late > ReadLate && foul == nil {
		return voided(ByStop, "the answer of %s was read %.1f s after its time was over: the referee was stopped, or had no processor",
			l.who(side), late.Seconds())
	}
	return nil
}
