package referee

import (
	"testing"
	"time"

	"luzhanqi/game"
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
	if want := (Given{Turns: 2, Time: 250 * ms, Late: 1}); l.given[0] != want || l.given[1].Mattered() {
		t.Errorf("%+v, want %+v", l.given, want)
	}
	l.given[1].Add(l.given[0])
	if got, want := l.given[1].String(), "the machine was busy: 2 turns were longer than limit and grace, since others had the processors, and got 250ms more; "+
		"1 turn got more, and lost by time in spite of it. Programs that think until their limit are weaker here than they are: "+
		"play fewer games at a time, or on a machine with less other work"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if s := (&Given{}).String(); s != "" {
		t.Errorf("%q of nothing", s)
	}
}
