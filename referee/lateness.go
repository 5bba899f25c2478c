package referee

import (
	"fmt"
	"strings"
	"time"

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
	// Unflushed: it answered only when its input had ended.
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
	case l.Unflushed && l.Doing != Computing:
		fmt.Fprintf(&s, "it computed for %s and then waited for input, and its answer came only when its input had ended: it did not flush its output", ran)
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
