package load

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestParsePressure(t *testing.T) {
	text := "some avg10=16.64 avg60=11.41 avg300=6.11 total=7960782722\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"
	if p, ok := parsePressure([]byte(text)); !ok || p != (pressure{0.1664, 7960782722 * time.Microsecond}) {
		t.Errorf("%+v %v", p, ok)
	}
	for _, text := range []string{"", "some", "some avg10=x total=1", "some avg10=-1 total=1", "some avg10=NaN total=1", "some avg10=1", "some avg10=1 total=-1"} {
		if _, ok := parsePressure([]byte(text)); ok {
			t.Errorf("%q is read", text)
		}
	}
	for text, want := range map[string]int{"22.82 15.99 10.50 5/345 10\n": 5, "": 0, "1 2 3": 0, "1 2 3 x/4": 0, "1 2 3 -1/4": 0} {
		if n := parseRunning([]byte(text)); n != want {
			t.Errorf("%q: %d threads run, want %d", text, n, want)
		}
	}
}

// TestNotes: what is said before games begin, and nothing where there is nothing to say.
func TestNotes(t *testing.T) {
	const foresight = "That time is not theirs, but those that think until their limit will be weaker than they are"
	for _, c := range []struct {
		run  Run
		want []string
	}{
		{Run{Concurrency: 2, Processors: 2, Before: 0.9}, nil},
		{Run{Concurrency: 1, Processors: 2, Before: Unknown}, nil},
		{Run{Concurrency: 2, Processors: 1, Before: Unknown}, []string{"2 games at a time on 1 processor: programs will wait for each other. " + foresight}},
		{Run{Concurrency: 1, Processors: 1, Before: 0.256, Loud: true}, []string{"this machine is busy already: in 26 % of the last ten seconds something waited for a processor. " + foresight}},
	} {
		if got := c.run.Notes(); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%+v: %q, want %q", c.run, got, c.want)
		}
	}
	if run := Begin(3); run.Concurrency != 3 || run.Processors < 1 || run.Loud && run.Before < loud {
		t.Errorf("%+v", run)
	} else if during := run.During(); during.Known() != run.Before.Known() || during > 1 {
		t.Errorf("%v of the run, %v before it", during, run.Before)
	}
}

// TestGiven: what was given is added up, said, and checked.
func TestGiven(t *testing.T) {
	var none, all Given
	all.Add(Given{Turns: 2, Time: 250, Starved: 300})
	all.Add(Given{Late: 1, Starved: 5})
	if want := (Given{305, 2, 250, 1}); all != want {
		t.Errorf("%+v, want %+v", all, want)
	}
	var tenths Given
	for range 3 { // of which ten make no whole number, as floating point adds them
		tenths.Add(Given{Starved: 0.1, Time: 0.7})
	}
	if text, err := json.Marshal(tenths); string(text) != `{"starved_ms":0.3,"given_ms":2.1}` || err != nil {
		t.Errorf("%s, %v", text, err)
	}
	counts := "2 turns were longer than limit and grace, since others had the processors, and got 250ms more; 1 turn got more, and lost by time in spite of it. " +
		"Programs that think until their limit are weaker here than they are"
	if got, want := all.Said(), "the machine was busy: "+counts+": play fewer games at a time, or on a machine with less other work"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := all.Sentences(), "The machine was busy: "+counts+"."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if s := (Given{Turns: 1, Time: 1}).Said(); !strings.HasPrefix(s, "the machine was busy: 1 turn was longer") {
		t.Errorf("%q", s)
	}
	for _, g := range []Given{none, {Starved: 1000}} {
		if g.Mattered() || g.Said()+g.Sentences() != "" || g.Check() != nil {
			t.Errorf("%+v mattered: %q, %q, %v", g, g.Said(), g.Sentences(), g.Check())
		}
	}
	for _, g := range []Given{{Turns: -1}, {Late: -1}, {Turns: 1, Time: -1}, {Time: 1}, {Starved: -1}} {
		if g.Check() == nil {
			t.Errorf("%+v is accepted", g)
		}
	}
}
