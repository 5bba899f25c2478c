package tournament

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/referee"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/store"
)

// Workers adjudicate games as the plan says, with its level, and play by its total clock; the coordinator, which plays nothing,
// judges their records by both.
func TestWorkersAdjudicateAndKeepTheClock(t *testing.T) {
	const players = "[[player]]\nname = \"a\"\nlevel = \"easy\"\n[[player]]\nname = \"b\"\nlevel = \"random\"\n"
	for name, keys := range map[string]string{
		"adjudicated": "adjudicate = \"easy@300,win=4,plies=4\"\n",
		"total clock": "[limits]\ntotal = \"5m\"\nincrement = \"1s\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "plan.toml")
			if err := os.WriteFile(file, []byte("game = \"jungle\"\nformat = \"match\"\ngames = 6\n"+keys+players), 0o666); err != nil {
				t.Fatal(err)
			}
			p, err := plan.Load(file)
			if err != nil {
				t.Fatal(err)
			}
			tour, o, err := FromPlan(p, "test")
			if err != nil {
				t.Fatal(err)
			}
			o.Dir, o.Warn = filepath.Join(t.TempDir(), "store"), func(s string) { t.Log(s) }
			o.Concurrency, o.Listen, o.Token = 0, freeAddress(t), "a token of a test"
			left := make(chan error)
			o.Events = func(e Event) {
				if e.Kind == EventOpen {
					go func() {
						_, err := Work(t.Context(), Options{Queue: plan.Queue{URL: "nats://" + o.Listen, Token: o.Token}, Concurrency: 2, Pin: plan.PinOff, UntilDone: true, Warn: o.Warn}, "test")
						left <- err
					}()
				}
			}
			progress, err := Run(t.Context(), tour, o)
			if err != nil || progress.Finished != 6 || progress.Voids != 0 {
				t.Fatalf("%+v, %v", progress, err)
			}
			s, err := tour.Open(t.Context(), o.Dir)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			endings, ids := map[referee.Code]int{}, []string{}
			if err := s.Results(t.Context(), false, func(r *store.Result) error {
				endings[r.Ending.Code]++
				ids = append(ids, r.ID)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			for _, id := range ids {
				text, err := s.Record(t.Context(), id, 1)
				if err != nil {
					t.Fatal(err)
				}
				if clocked := strings.Contains(string(text), "total"); clocked != strings.Contains(keys, "total") {
					t.Errorf("%s: its record says of a total clock: %v", id, clocked)
				}
			}
			if adjudicated := endings[referee.AdjudicatedWin] > 0; adjudicated != strings.Contains(keys, "adjudicate") {
				t.Errorf("endings: %v", endings)
			}
			if err := <-left; err != nil {
				t.Errorf("the worker left with %v", err)
			}
		})
	}
}
