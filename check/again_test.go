package check

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestLateOnce guards that one late answer costs nothing: the game in which it came is played again. A program that is late
// twice in a row fails the step about that, and what else it does in time is judged all the same.
func TestLateOnce(t *testing.T) {
	for starts, want := range map[int][]string{1: nil, 2: {"answers-as-1"}} {
		t.Run(fmt.Sprint(starts), func(t *testing.T) {
			t.Parallel()
			// The first processes of it never answer. Each notes by a folder that it was there.
			script := `for n in $(seq "$1"); do if mkdir "$0/$n" 2>/dev/null; then exec sleep 100; fi; done; exec "$2" player --game jungle --level random`
			s := subject(t, "jungle", "", "sh", "-c", script, t.TempDir(), fmt.Sprint(starts), luzhanqiCommand)
			s.Limits.Move, s.Limits.Grace = 5*time.Second, time.Second
			r := run(t, s, Options{Games: 4, Only: []string{"answers-as-1", "answers-as-2", "first-move-readable", "first-move-legal", "moves-legal", "joined-messages", "exits-after-end"}})
			var failed []string
			for _, step := range r.Steps {
				switch step.Verdict {
				case Fail:
					failed = append(failed, step.Step)
				case Skip:
					t.Errorf("%s was not tried: %s", step.Step, step.Note)
				}
			}
			if fmt.Sprint(failed) != fmt.Sprint(want) {
				t.Errorf("failed have %v, want %v:\n%s", failed, want, printed(&r))
			}
			said := "it was in time"
			if starts > 1 {
				said = "it was late again"
			}
			if len(r.Again) != 1 || !strings.Contains(r.Again[0], "the game was played again, and "+said) || !strings.Contains(printed(&r), said) {
				t.Errorf("played again: %q", r.Again)
			}
		})
	}
}
