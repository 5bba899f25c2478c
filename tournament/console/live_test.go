package console

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"
	"github.com/rs/zerolog"

	"luzhanqi/referee"
	"luzhanqi/tournament"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

// matchOf is one between a player of a name and b.
func matchOf(t *testing.T, name string) *tournament.Tournament {
	t.Helper()
	file := filepath.Join(t.TempDir(), "plan.toml")
	text := fmt.Sprintf("game = \"chess1d\"\nformat = \"match\"\ngames = 4\n[[player]]\nname = %q\nlevel = \"easy\"\n[[player]]\nname = \"b\"\nlevel = \"random\"\n", name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := plan.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	tour, _, err := tournament.FromPlan(p, "test")
	if err != nil {
		t.Fatal(err)
	}
	return tour
}

// The live view says how many games went differently, once one has gone as another of the same players at the same seats.
func TestLiveCountsDistinctGames(t *testing.T) {
	tour := matchOf(t, "a")
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	v := NewView(null, zerolog.Nop(), tour, How{Live: true})
	for _, played := range []struct {
		first  int
		course string
		want   string
	}{
		{0, "aa", ""},
		{1, "aa", ""},
		{0, "", ""},
		{0, "", ""},
		{0, "aa", "in this run 2 of 3 games went differently, of 2 more it is not known"},
		{0, "bb", "in this run 3 of 4 games went differently, of 2 more it is not known"},
	} {
		r := &store.Result{Place: schedule.Place{Players: [2]int{played.first, 1 - played.first}}, Ending: &referee.Ending{Code: referee.Drawn}, Course: played.course}
		v.Event(tournament.Event{Kind: tournament.EventResult, Result: r})
		if got := v.differently(); got != played.want {
			t.Errorf("%+v: %q", played, got)
		}
	}
}

// On a terminal of 40 columns nothing of the live view is cut: what does not fit goes on in the next line.
func TestNothingIsCutAt40(t *testing.T) {
	const width, height = 40, 24
	tour := matchOf(t, "so long a one")
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	v := NewView(null, zerolog.Nop(), tour, How{Live: true})
	v.first, v.began = 0, time.Now().Add(-time.Minute)
	for range 3 {
		r := &store.Result{Place: schedule.Place{ID: "p001-g1", Players: [2]int{0, 1}}, Ending: &referee.Ending{Code: referee.Drawn, Reason: "drawn: no piece was captured for a long time"}, Course: "aa"}
		v.Event(tournament.Event{Kind: tournament.EventBegun, ID: "p002-g1", Worker: "a machine with a long name of its own"})
		v.Event(tournament.Event{Kind: tournament.EventResult, Result: r, Progress: tournament.Progress{Finished: 3, MinGames: 4000, MaxGames: 4000}})
	}
	lines := v.lines(width, height)
	if len(lines) > height {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if uniseg.StringWidth(line) > width || strings.Contains(line, "…") {
			t.Errorf("cut, or too wide: %q", line)
		}
	}
	shown := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
	for _, want := range []string{
		"3 of 4000 games, 3.0 a minute, done in 22h", "in this run 1 of 3 games went differently", "Elo: difference to the mean of all, ± at 95 %.",
		"p002-g1 for 0s at a machine with a long name of its own", "p001-g1: so long a one – b: drawn: no piece was captured for a long time, 0 plies",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in\n%s", want, strings.Join(lines, "\n"))
		}
	}
}

func TestFold(t *testing.T) {
	verdict := "Elo +424.96 ± 56.10, LOS 100.0 %, LLR 2.50 (-2.94 to 2.94): continue"
	got := fold([]string{"short", "  " + verdict, "averyverylongwordthatnobodycanbreakanywhere at all"}, 30)
	want := []string{"short", "  Elo +424.96 ± 56.10, LOS", "    100.0 %, LLR 2.50 (-2.94", "    to 2.94): continue", "averyverylongwordthatnobodyca…", "  at all"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPace(t *testing.T) {
	for _, line := range []struct {
		done, left int
		took       time.Duration
		want       string
	}{
		{0, 10, time.Second, ""},
		{10, 0, 5 * time.Second, ", 2.0 a second"},
		{10, 20, 5 * time.Second, ", 2.0 a second, done in 10s ("},
		{1, 1, 2 * time.Minute, ", 0.5 a minute, done in 2m0s ("},
	} {
		if got := Pace(line.done, line.left, line.took); !strings.HasPrefix(got, line.want) || line.left == 0 && got != line.want {
			t.Errorf("%+v: %q", line, got)
		}
	}
}
