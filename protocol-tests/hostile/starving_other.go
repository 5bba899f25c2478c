//go:build !linux

package main

import "time"

// Nothing here is measured, so there is nothing to be gained.

func niceSpin()  {}
func idleSpin()  {}
func boundSpin() {}

func behind(_ func(), do func(time.Duration)) func(*player, int) {
	return func(p *player, n int) { p.think = func() { do(milliseconds(n)) } }
}

func elsewhere(d time.Duration)       { burn(d) }
func childAfterChild(d time.Duration) { burn(d) }
func threads(d time.Duration)         { burn(d) }
func crowdThenSleep(d time.Duration)  { time.Sleep(d) }

func ponder(*player, int) {}

func ponderStorm(*player, int) reply { return besides }
