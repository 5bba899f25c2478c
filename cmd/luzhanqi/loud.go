package main

import (
	"fmt"
	"runtime"

	"golang.org/x/term"

	"luzhanqi/process/starvation"
	"luzhanqi/text"
)

// loaded is in what part of the time others must have waited for processors before games begin, to say so. Less is what any
// machine does that somebody uses.
const loaded = 0.25

// loud says on standard error, before games begin, that so many at a time need more processors than there are, or that this
// machine is loaded already. The second is for who sits in front of it: while several things are started it comes and goes. Neither is
// an error, since what programs wait for processors is given back.
func (c *stdio) loud(concurrency int) {
	if cores := runtime.GOMAXPROCS(0); concurrency > cores {
		fmt.Fprintf(c.err, "luzhanqi: note: %s at a time on %s: programs will wait for each other. %s\n",
			text.Count(concurrency, "game"), text.Count(cores, "processor"), consequence)
	}
	if part, known := starvation.Pressure(); known && part >= loaded && term.IsTerminal(int(c.err.Fd())) {
		fmt.Fprintf(c.err, "luzhanqi: note: this machine is busy already: in %.0f %% of the last ten seconds something waited for a processor. %s\n",
			100*part, consequence)
	}
}

const consequence = "That time is not theirs, but those that think until their limit will be weaker than they are"
