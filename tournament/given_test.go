package tournament

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"luzhanqi/process/load"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

// TestGiven: what a worker counts comes with its results to the standings' page, by player and by worker, void games included, and
// what nobody can have counted is refused.
func TestGiven(t *testing.T) {
	ctx := context.Background()
	tour := levels(t, schedule.Spec{Format: schedule.Match, Games: 4}, "jungle", "random", "greedy")
	s, err := store.Create(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Players = 2
	html := func() string {
		var b bytes.Buffer
		if err := tour.WriteHTML(ctx, s, &b, nil); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	_, quiet := brought(t, "jungle", "random", "greedy")
	quiet.Place.ID, quiet.Worker = "r01-p001-g1", "here"
	counted := copied(t, quiet)
	counted.Place.ID, counted.Worker = "r01-p001-g2", "lab"
	counted.Players = [2]int{1, 0}
	counted.Sides[0].Given = load.Given{Starved: 300, Turns: 2, Time: 250.5}
	void := copied(t, quiet)
	void.Worker = "lab2"
	void.Sides[0].Given = load.Given{Starved: 10, Late: 1}
	void.Ending.Code, void.Ending.Winner, void.Ending.Fault = "void", nil, nil
	if _, err := s.Add(ctx, []*store.Result{quiet}); err != nil {
		t.Fatal(err)
	}
	if g, err := tour.Given(ctx, s); err != nil || g.All.Mattered() || strings.Contains(html(), "Given time") {
		t.Errorf("on a quiet machine: %+v, %v", g, err)
	}
	if _, err := s.Add(ctx, []*store.Result{counted, void}); err != nil {
		t.Fatal(err)
	}
	g, err := tour.Given(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	late, given := load.Given{Starved: 10, Late: 1}, load.Given{Starved: 300, Turns: 2, Time: 250.5}
	if want := (load.Given{Starved: 310, Turns: 2, Time: 250.5, Late: 1}); g.All != want || g.Players[0] != late || g.Players[1] != given || len(g.Workers) != 2 || g.Workers["lab"] != given {
		t.Errorf("%+v", g)
	}
	for _, want := range []string{
		"<h2>Given time</h2>\n<p>The machine was busy: 2 turns were longer than limit and grace, since others had the processors, and got 251ms more; 1 turn got more, and lost by time in spite of it.",
		`<tr><th scope="row" class="left">greedy-1</th><td>2</td><td>250</td><td>0</td></tr>`,
		`<tr><th scope="row" class="left">random-0</th><td>0</td><td>0</td><td>1</td></tr>`,
		`<tr><th scope="row" class="left">lab</th><td>2</td><td>250</td><td>0</td></tr>`,
		`<tr><th scope="row" class="left">lab2</th><td>0</td><td>0</td><td>1</td></tr>`,
	} {
		if !strings.Contains(html(), want) {
			t.Errorf("the page does not have %s", want)
		}
	}
	counted.Sides[1].Given.Late = -1
	if err := counted.Check(2); err == nil {
		t.Error("a result with less than no turns is accepted")
	}
}
