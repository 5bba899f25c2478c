package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"luzhanqi/referee"
	"luzhanqi/tournament/schedule"
)

// TestVoids: what made a game void is kept with it, since a game that was stopped again and again is played on. What
// has no such word, from an old version or a stranger, is the machine's.
func TestVoids(t *testing.T) {
	s, err := Create(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := []referee.Voided{{By: referee.ByStop, Reason: "0"}, {Reason: "1"}, {By: referee.ByMachine, Reason: "2"}, {Reason: "3"}}
	for i, v := range want {
		r := &Result{
			Schema: Schema, Place: schedule.Place{ID: "g1"}, Attempt: i + 1, Ended: time.Now(),
			Ending: &referee.Ending{Code: referee.Void, VoidBy: v.By, Reason: v.Reason},
		}
		if _, err := s.Add(t.Context(), []*Result{r}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.db.ExecContext(t.Context(), "UPDATE void SET detail = '{' WHERE attempt = 4"); err != nil {
		t.Fatal(err)
	}
	voids, err := s.Voids(t.Context(), "g1")
	if err != nil || !slices.Equal(voids, want) {
		t.Errorf("%+v, %v; want %+v", voids, err, want)
	}
	for i, e := range []referee.Ending{{Code: referee.Void, VoidBy: "a stranger"}, {Code: referee.Drawn, VoidBy: referee.ByStop}} {
		r := &Result{Schema: Schema, Place: schedule.Place{ID: fmt.Sprintf("g%d", i)}, Attempt: 1, Ending: &e}
		if r.Check(0) == nil {
			t.Errorf("%s by %q is not refused", e.Code, e.VoidBy)
		}
	}
}
