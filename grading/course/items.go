package course

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"luzhanqi/player/levels"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/plan/strict"
	"luzhanqi/tournament/schedule"
)

const (
	maxItems = 200
	maxWorth = 1_000_000
)

// keysOf says which keys an item of a kind has besides kind, title, points, bonus and curve.
var keysOf = map[Kind][]string{
	Builds: nil, Conformance: {"steps"}, Level: {"level", "nodes", "games"}, Time: {"slow"}, InClass: {"by"},
}

// items reads the rubric.
func (r *reading) items() {
	tables := r.root.Tables("item")
	if len(tables) == 0 || len(tables) > maxItems {
		r.root.Errorf("item", "found %d items of the rubric; allowed are 1 to %d, each begun with [[item]]", len(tables), maxItems)
		return
	}
	for _, t := range tables {
		r.Items = append(r.Items, r.item(t))
	}
	if time, level := r.first(Time), r.first(Level); time >= 0 && level < 0 {
		tables[time].Errorf("kind", "there is no item of kind level, in whose games the time could be looked at")
	}
	if r.Max() <= 0 {
		r.root.Errorf("item", "no item but bonus ones has points; there would be nothing to reach")
	}
}

// first is the place of the first item of a kind; -1: there is none.
func (r *reading) first(k Kind) int {
	return slices.IndexFunc(r.Items, func(i Item) bool { return i.Kind == k })
}

func (r *reading) item(t *strict.Table) Item {
	i := Item{
		Kind:   Kind(t.Word("kind", "", string(Builds), string(Conformance), string(Level), string(Time), string(InClass))),
		Title:  t.Text("title", ""),
		Points: t.Number("points", 0, 0, maxWorth),
		Bonus:  t.Flag("bonus", false),
		Steps:  t.Words("steps"),
		Name:   t.Text("level", ""),
		Nodes:  int(t.Whole("nodes", 0, 0, plan.MaxNodes)),
		Games:  int(t.Whole("games", 0, 2, schedule.MaxGames)),
		Slow:   t.Number("slow", 0.9, 0.01, 1),
		By:     t.Word("by", "score", "score", "place"),
		Curve:  r.curve(t),
	}
	t.Require("kind", "points")
	if i.Kind == "" {
		return i
	}
	for _, keys := range keysOf {
		for _, key := range keys {
			if t.Has(key) && !slices.Contains(keysOf[i.Kind], key) {
				t.Errorf(key, "an item of kind %s has none", i.Kind)
			}
		}
	}
	if math.Abs(i.Points*100-math.Round(i.Points*100)) > 1e-6 {
		t.Errorf("points", "found %v; marks have two decimals at most", i.Points)
	}
	switch i.Kind {
	case Builds:
		if t.Has("curve") {
			t.Errorf("curve", "an item of kind builds has none: a submission builds or does not")
		}
	case Conformance:
		known := stepNames()
		for _, step := range i.Steps {
			if !slices.Contains(known, step) {
				t.Errorf("steps", "found %q; allowed are %s", step, strings.Join(known, ", "))
			}
		}
	case Level:
		r.level(t, &i)
	case InClass:
		if r.Class == nil {
			t.Errorf("kind", "there is no class tournament; describe one in [class]")
		}
	}
	if i.Title == "" {
		i.Title = i.title()
	}
	return i
}

func (r *reading) level(t *strict.Table, i *Item) {
	t.Require("level", "games")
	if !t.Has("level") {
		return
	}
	l, err := levels.Find(r.Game, i.Name)
	if err != nil {
		t.Error("level", err)
		return
	}
	i.Level = l
	if l.Timed && i.Nodes == 0 {
		t.Errorf("level", "%s uses the time that it is given, so that the same submission would not get the same marks on another day; give it nodes, such as 20000", i.Name)
	}
	if i.Games%2 != 0 {
		t.Errorf("games", "found %d; allowed are even numbers, since the players swap seats", i.Games)
	}
}

func (i Item) title() string {
	switch i.Kind {
	case Builds:
		return "It builds and starts"
	case Conformance:
		return "It keeps to the protocol"
	case Level:
		return fmt.Sprintf("Games against %s", i.Name)
	case Time:
		return "It keeps to the time limits"
	}
	return "Class tournament"
}

// curve reads points such as [{ score = 0, marks = 0 }, { score = 1, marks = 1 }].
func (r *reading) curve(t *strict.Table) Curve {
	var c Curve
	for _, point := range t.Tables("curve") {
		point.Require("score", "marks")
		c = append(c, [2]float64{point.Number("score", 0, 0, 1), point.Number("marks", 0, 0, 1)})
	}
	if !t.Has("curve") {
		return straight
	}
	if err := c.check(); err != nil {
		t.Error("curve", err)
		return straight
	}
	return c
}

// class reads the class tournament.
func (r *reading) class() {
	t := r.root.Table("class")
	format := t.Word("format", "round-robin", "round-robin", "swiss")
	c := Class{Games: int(t.Whole("games", 2, 2, 1000)), Rounds: int(t.Whole("rounds", 0, 1, schedule.MaxSwissRounds))}
	if !r.root.Has("class") {
		return
	}
	t.Require("format")
	if c.Format = schedule.RoundRobin; format == "swiss" {
		c.Format = schedule.Swiss
		t.Require("rounds")
	} else if t.Has("rounds") {
		t.Errorf("rounds", "a round robin has none: everybody meets everybody")
	}
	if c.Games%2 != 0 {
		t.Errorf("games", "found %d; allowed are even numbers, since the players swap seats", c.Games)
	}
	r.Class = &c
}
