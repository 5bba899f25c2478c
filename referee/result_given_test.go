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
		{150 * ms, 4 * ms, late}, // less than a twentieth of what it was allowed
		{150 * ms, 30 * ms, fouled(Unreadable, "x")},
	} {
		l.count(game.First, c.took, 100*ms, c.starved, c.foul)
	}
	for _, c := range []struct {
		late   *Lateness
		blamed int
	}{{nil, 1}, {&Lateness{Doing: Computing}, 1}, {&Lateness{Doing: Reading}, 0}, {&Lateness{Doing: Sleeping}, 0}} {
		l := loop{seats: [2]Seat{&dialogue{program: program{lateness: c.late}}, &builtin{}}}
		l.count(game.First, 150*ms, 100*ms, 30*ms, late)
		if l.given[0].Late != c.blamed {
			t.Errorf("%+v: the machine was to blame for %d turns, want %d", c.late, l.given[0].Late, c.blamed)
		}
	}
	if want := (load.Given{Turns: 2, Time: 250, Late: 1, Starved: 444}); l.given[0] != want || l.given[1].Mattered() {
		t.Errorf("%+v, want %+v", l.given, want)
	}
}
