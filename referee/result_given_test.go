package referee

import (
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/process/load"
)

// TestGiven: only turns that would have been late by the wall clock count, and those that were late all the same.
func TestGiven(t *testing.T) {
	const ms = time.Millisecond
	l := loop{seats: [2]Seat{&builtin{timed: true}, &builtin{timed: true}}}
	late := fouled(TimedOut, "late")
	for _, c := range []struct {
		took, starved time.Duration
		foul          *Foul
	}{
		{90 * ms, 50 * ms, nil},
		{110 * ms, 0, nil}, // in time; read late
		{150 * ms, 80 * ms, nil},
		{300 * ms, 250 * ms, nil},
		{150 * ms, 30 * ms, late},
		{150 * ms, 0, late},
		{150 * ms, 30 * ms, fouled(Unreadable, "x")},
	} {
		l.count(game.First, c.took, 100*ms, c.starved, c.foul)
	}
	if want := (load.Given{Turns: 2, Time: 250, Late: 1, Starved: 440}); l.given[0] != want || l.given[1].Mattered() {
		t.Errorf("%+v, want %+v", l.given, want)
	}
}
