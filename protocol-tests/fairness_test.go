package protocoltests

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"luzhanqi/game/luzhanqi"
	"luzhanqi/referee"
)

// soak selects the long versions: hundreds of games in place of four, and millisecond tolerances
// that need a machine with nothing else to do.
func soak() bool { return os.Getenv("LUZHANQI_SOAK") != "" }

// fairLimit is the shortest limit that programs are used with.
const fairLimit = 100 * time.Millisecond

// fair plays games between two programs that answer so late.
func fair(t *testing.T, late [2]time.Duration, grace time.Duration, games, plies int) referee.Score {
	t.Helper()
	dir := t.TempDir()
	s := trial{mode: "honest", want: byRule}.match(dir, filepath.Join(dir, "pids"))
	for i := range late {
		s.Entrants[i] = entrant(fmt.Sprintf("late %v", late[i]), fmt.Sprintf("late %d", late[i].Milliseconds()), filepath.Join(dir, "pids"))
	}
	s.Limits = luzhanqi.Game{}.Limits()
	s.Limits.Move, s.Limits.Grace, s.Limits.MaxPlies = fairLimit, grace, plies
	s.Games, s.Concurrency = games, 2
	s.Ended = func(r referee.Result, _ referee.Score) {
		if r.Ending.Fault != nil {
			t.Logf("game %d, after %v: %s", r.Number, r.Took, r.Ending.Reason)
		}
		replays(t, r)
	}
	score, err := s.Run(t.Context())
	if err != nil || score.Games() != games {
		t.Fatalf("%d of %d games: %v", score.Games(), games, err)
	}
	return score
}

// TestFairnessInTime: who answers within nine tenths of the limit never loses by time, though two
// games are played at once.
func TestFairnessInTime(t *testing.T) {
	games, grace := 4, 2*time.Second // others may need the processors
	if soak() {                      // a grace that could not hide a delay of the referee's own
		games, grace = 200, 20*time.Millisecond
	}
	const nine = fairLimit * 9 / 10
	if score := fair(t, [2]time.Duration{nine, nine}, grace, games, 12); score.Endings[referee.TimedOut] > 0 {
		t.Errorf("endings %v: no program was late", score.Endings)
	}
}

// TestFairnessOverTime: who answers after limit and grace always loses by time. How long after must
// be more than the referee may take to notice; 20 ms where it has a processor to itself.
func TestFairnessOverTime(t *testing.T) {
	games, over := 4, 400*time.Millisecond
	if soak() {
		games, over = 200, 20*time.Millisecond
	}
	late := fairLimit + luzhanqi.Game{}.Limits().Grace + over
	score := fair(t, [2]time.Duration{late, 0}, luzhanqi.Game{}.Limits().Grace, games, 12)
	if score.Endings[referee.TimedOut] != games || score.Wins[1] != games {
		t.Errorf("%+v: want %d losses of the first player by time", score, games)
	}
}
