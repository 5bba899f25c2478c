package course

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"luzhanqi/grading/roster"
	"luzhanqi/text"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/plan/strict"
)

// The attempts that count, if somebody may hand in several.
const (
	BestAttempt = "best" // with the most points
	LastAttempt = "last"
)

// Correction is a mark that a teacher sets by hand.
type Correction struct {
	Submission string
	Item       int     // from 1; 0: the sum
	Points     float64 // what it is to be, or is added
	Add        bool
	Reason     string
	Digest     string // it is about a submission whose digest begins so; empty: whatever is handed in

	place *strict.Table
}

// At is an error of a correction, with its place in the file.
func (k Correction) At(c *Course, err error) error {
	k.place.Error("submission", err)
	return c.document.Reported()
}

// handing reads who hands in, when it is due, and which attempt counts.
func (r *reading) handing() {
	r.Zone = time.UTC
	r.late()
	if file := r.root.Text("roster", ""); r.root.Has("roster") {
		var err error
		r.RosterFile = plan.Resolve(r.folder, file)
		r.Roster, err = roster.Read(r.RosterFile, r.Zone)
		r.root.Error("roster", err)
		r.HasRoster = true
	}
	t := r.root.Table("attempts")
	if r.root.Has("attempts") {
		r.Attempts = t.Word("count", BestAttempt, BestAttempt, LastAttempt)
		t.Require("count")
	}
	r.Overall = r.curve(r.root)
	r.Curved = r.root.Has("curve")
}

func (r *reading) late() {
	t := r.root.Table("late")
	l := roster.Late{
		Grace:   t.Duration("grace", 0, 0, 24*time.Hour),
		Free:    int(t.Whole("free_days", 0, 0, 365)),
		Penalty: t.Number("penalty", 10, 0, 100),
		Days:    int(t.Whole("days", 0, 0, 365)),
	}
	due := t.Text("due", "")
	if !r.root.Has("late") {
		return
	}
	t.Require("due")
	if due == "" {
		return
	}
	var err error
	if l.Due, err = time.Parse(time.RFC3339, due); err != nil {
		t.Errorf("due", "found %q; allowed is a time with its zone, such as \"2026-11-20T23:59:00+01:00\"", text.Shorten(due, 60))
		return
	}
	r.Late, r.Zone = &l, l.Due.Location()
}

// corrections come after the rubric.
func (r *reading) corrections() {
	type mark struct {
		submission, digest string
		item               int
	}
	seen := map[mark]bool{}
	for _, t := range r.root.Tables("correction") {
		k := Correction{
			Submission: t.Text("submission", ""), Item: int(t.Whole("item", 0, 1, maxItems)), Reason: strings.TrimSpace(t.Text("reason", "")),
			Digest: strings.ToLower(t.Text("digest", "")), place: t,
		}
		t.Require("submission", "reason")
		if k.Reason == "" && t.Has("reason") {
			t.Errorf("reason", "it is empty; the student is shown it")
		}
		low := 0.0
		if k.Add = t.Has("add"); k.Add {
			low = -maxWorth
		}
		key := map[bool]string{false: "points", true: "add"}[k.Add]
		k.Points = t.Number(key, 0, low, maxWorth)
		t.Number("points", 0, 0, maxWorth)
		switch {
		case t.Has("points") == t.Has("add"):
			t.Errorf("", "give points, what the mark is to be, or add, what comes on top of it")
		case math.Abs(k.Points*100-math.Round(k.Points*100)) > 1e-6:
			t.Errorf(key, "found %v; marks have two decimals at most", k.Points)
		}
		if k.Item > len(r.Items) {
			t.Errorf("item", "found %d; the rubric has %s", k.Item, text.Count(len(r.Items), "item"))
		} else if k.Item > 0 && !k.Add && k.Points > r.Items[k.Item-1].Points {
			t.Errorf("points", "found %v; item %d has %v at most. What is to go beyond is added to the sum: leave item out and use add", k.Points, k.Item, r.Items[k.Item-1].Points)
		}
		which := mark{k.Submission, k.Digest, k.Item}
		if seen[which] && !k.Add {
			t.Errorf("", "there are two corrections of this mark of %q", k.Submission)
		}
		seen[which] = seen[which] || !k.Add
		r.Corrections = append(r.Corrections, k)
	}
}

// Correct are the corrections of a submission whose content has a digest, those of items first; outdated are those that are
// about another content.
func (c *Course) Correct(name, digest string) (now, outdated []Correction) {
	for _, k := range c.Corrections {
		switch {
		case k.Submission != name:
		case !strings.HasPrefix(digest, k.Digest):
			outdated = append(outdated, k)
		default:
			now = append(now, k)
		}
	}
	slices.SortStableFunc(now, func(a, b Correction) int { return boolean(a.Item == 0) - boolean(b.Item == 0) })
	return now, outdated
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// String names the mark that is corrected.
func (k Correction) String() string {
	if k.Item == 0 {
		return "the sum of " + k.Submission
	}
	return fmt.Sprintf("item %d of %s", k.Item, k.Submission)
}
