// Package load says whether a machine has processors enough for the games that are played on it: beforehand, by what it is asked
// for and what else it does, and afterwards, by what programs were given because others had the processors.
//
// [Begin] begins a [Run], which has [Run.Notes] for people. [Given] is what games count; it is added up over games, and says what follows.
// What others take from a single program is measured by package starvation.
package load

import (
	"fmt"
	"runtime"
	"time"

	"luzhanqi/text"
)

// Run is the playing of many games on one machine, as far as they, or other work, could slow each other.
type Run struct {
	Concurrency int // games at a time
	Processors  int // that this process may use
	Started     time.Time
	Before      Share // of the ten seconds before it
	Loud        bool  // something else ran when it began, and Before is not small

	total time.Duration // of pressure, when it began
}

// Share is in what part of a time, from 0 to 1, some thread of the machine waited for a processor that others had; negative: it is not
// known. Only Linux counts it.
type Share float64

// Unknown is of a machine that does not count.
const Unknown Share = -1

// Known says whether it is known.
func (s Share) Known() bool { return s >= 0 }

// loud is the part of the time before games from which on it is said. Less is what any machine does that somebody uses.
const loud Share = 0.25

// Begin begins a run of so many games at a time.
func Begin(concurrency int) Run {
	r := Run{Concurrency: concurrency, Processors: runtime.GOMAXPROCS(0), Started: time.Now(), Before: Unknown}
	if p, ok := readPressure(); ok {
		r.Before, r.total = Share(p.recent), p.total
		r.Loud = r.Before >= loud && running() > 1 // what has ended since does not disturb
	}
	return r
}

// During is the share of the run up to now: its own games wait for each other, too.
func (r *Run) During() Share {
	took := time.Since(r.Started)
	p, ok := readPressure()
	if !ok || !r.Before.Known() || took <= 0 {
		return Unknown
	}
	return Share(min(1, max(0, float64(p.total-r.total)/float64(took))))
}

// Notes are for people, before the run: it needs more processors than there are, or the machine is loaded already. Neither is an
// error, since what programs wait for processors is given back.
func (r *Run) Notes() (all []string) {
	if r.Concurrency > r.Processors {
		all = append(all, fmt.Sprintf("%s at a time on %s: programs will wait for each other. %s",
			text.Count(r.Concurrency, "game"), text.Count(r.Processors, "processor"), foresight))
	}
	if r.Loud {
		all = append(all, fmt.Sprintf("this machine is busy already: in %.0f %% of the last ten seconds something waited for a processor. %s", 100*r.Before, foresight))
	}
	return all
}

const foresight = "That time is not theirs, but those that think until their limit will be weaker than they are"
