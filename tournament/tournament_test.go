package tournament

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
	builtin "luzhanqi/player/levels"
	"luzhanqi/process"
	"luzhanqi/referee"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

// levels is a tournament between players of ours that do not depend on time.
func levels(t testing.TB, spec schedule.Spec, gameName string, names ...string) *Tournament {
	t.Helper()
	g, err := games.Find(gameName)
	if err != nil {
		t.Fatal(err)
	}
	spec.Players = len(names)
	s, err := schedule.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	tour := &Tournament{
		Plan:     &plan.Plan{Conditions: referee.Conditions{Game: g, Limits: g.Limits()}, Records: true, Concurrency: 2},
		Schedule: s, Version: "test", Text: fmt.Sprint(spec, names), Fingerprint: fmt.Sprint(spec, names),
	}
	tour.Limits.Move, tour.Limits.First = time.Minute, time.Minute // however busy the machine is
	tour.Rules = defaultRules(t, g)
	for i, name := range names {
		level, err := builtin.Find(g, name)
		if err != nil {
			t.Fatal(err)
		}
		tour.Players = append(tour.Players, plan.Player{Entrant: referee.Entrant{Name: fmt.Sprintf("%s-%d", name, i), Level: &level}})
	}
	return tour
}

// scores are the results of a store, a line for each game.
func scores(t testing.TB, dir string) string {
	t.Helper()
	s, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	if err := s.Results(t.Context(), false, func(r *store.Result) error {
		fmt.Fprintln(&all, r.ID, r.Players, r.Points(), r.Ending.Code, r.Ending.Plies)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all.String()
}

func options(t testing.TB, dir string) Options {
	return Options{Dir: dir, Concurrency: 2, Pin: "auto", Warn: func(s string) { t.Log(s) }}
}

func TestEveryGameOnce(t *testing.T) {
	for _, spec := range []schedule.Spec{
		{Format: schedule.RoundRobin, Games: 2, Cycles: 1, Seed: 5},
		{Format: schedule.Swiss, Games: 2, Rounds: 2, Seed: 5},
		{Format: schedule.Knockout, Games: 2, Replays: 1, Seed: 5},
	} {
		t.Run(spec.Format.String(), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "store")
			tour := levels(t, spec, "jungle", "random", "greedy", "random", "greedy")
			progress, err := Run(t.Context(), tour, options(t, dir))
			if err != nil {
				t.Fatal(err)
			}
			got := scores(t, dir)
			if n := strings.Count(got, "\n"); n != progress.Finished || n < progress.MinGames {
				t.Errorf("%d results, %+v", n, progress)
			}
			again, err := Run(t.Context(), tour, options(t, dir))
			if err != nil || again != progress || scores(t, dir) != got {
				t.Errorf("run again: %+v, %v", again, err)
			}
			if _, err := os.Stat(filepath.Join(dir, "queue")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the queue of a finished tournament is still there: %v", err)
			}
		})
	}
}

func TestInterruptedIsTheSame(t *testing.T) {
	spec := schedule.Spec{Format: schedule.RoundRobin, Games: 4, Cycles: 2, Seed: 9}
	names := []string{"random", "greedy", "random", "greedy"}
	whole := filepath.Join(t.TempDir(), "whole")
	if _, err := Run(t.Context(), levels(t, spec, "jungle", names...), options(t, whole)); err != nil {
		t.Fatal(err)
	}
	parts := filepath.Join(t.TempDir(), "parts")
	interruptions := 0
	for {
		ctx, stop := context.WithCancel(t.Context())
		o := options(t, parts)
		played := 0
		o.Events = func(e Event) {
			if e.Kind == EventResult {
				if played++; played == 7 {
					stop()
				}
			}
		}
		_, err := Run(ctx, levels(t, spec, "jungle", names...), o)
		stop()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		interruptions++
	}
	if interruptions < 3 {
		t.Errorf("interrupted %d times only", interruptions)
	}
	if a, b := scores(t, whole), scores(t, parts); a != b {
		t.Errorf("uninterrupted\n%s\ninterrupted\n%s", a, b)
	}
}

// When the last game is over, so is the tournament: no worker waits for the end of its turn to ask for more.
func TestEndIsPrompt(t *testing.T) {
	shortest := time.Hour
	for range 3 {
		var last time.Time
		o := options(t, filepath.Join(t.TempDir(), "store"))
		o.Events = func(Event) { last = time.Now() }
		if _, err := Run(t.Context(), short(t), o); err != nil {
			t.Fatal(err)
		}
		shortest = min(shortest, time.Since(last))
	}
	if shortest > 700*time.Millisecond {
		t.Errorf("it ends %v after its last game", shortest)
	}
}

func TestVoidAgainStops(t *testing.T) {
	spec := schedule.Spec{Format: schedule.Match, Games: 2, Seed: 1}
	tour := levels(t, spec, "jungle", "greedy", "random")
	missing := filepath.Join(t.TempDir(), "bot")
	tour.Players[1].Level = nil
	tour.Players[1].Protocol = tour.Game.Protocols()[0]
	tour.Players[1].Command = process.Command{Args: []string{missing}}
	dir := filepath.Join(t.TempDir(), "store")
	if _, err := Run(t.Context(), tour, options(t, dir)); err == nil || !strings.Contains(err.Error(), "not found") {
		t.Errorf("with a program that is not there: %v", err)
	}
	if err := os.WriteFile(missing, []byte("#!/nowhere/interpreter\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	voids := 0
	o := options(t, dir)
	o.Events = func(e Event) {
		if e.Kind == EventVoid {
			voids++
		}
	}
	_, err := Run(t.Context(), tour, o)
	if !errors.Is(err, referee.ErrVoid) || !strings.Contains(err.Error(), "interpreter") || voids < 2 {
		t.Errorf("with a program that cannot start: %v after %d void games", err, voids)
	}
}

func TestStoresAreNotMixed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	one := levels(t, schedule.Spec{Format: schedule.Match, Games: 2, Seed: 1}, "jungle", "greedy", "random")
	if _, err := Run(t.Context(), one, options(t, dir)); err != nil {
		t.Fatal(err)
	}
	other := levels(t, schedule.Spec{Format: schedule.Match, Games: 2, Seed: 2}, "jungle", "greedy", "random")
	if _, err := Run(t.Context(), other, options(t, dir)); !errors.Is(err, ErrPlan) {
		t.Errorf("another plan: %v", err)
	}
	lock, err := store.Lock(dir, doing)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	if _, err := Run(t.Context(), one, options(t, dir)); !errors.Is(err, store.ErrRunning) || !strings.Contains(err.Error(), fmt.Sprint(os.Getpid())) {
		t.Errorf("while it runs: %v", err)
	}
}

// Games that are over at once: what the queue and the store can carry.
func BenchmarkInstantGames(b *testing.B) {
	tour := levels(b, schedule.Spec{Format: schedule.Match, Games: 2 * ((b.N + 1) / 2), Seed: 1}, "jungle", "random", "random")
	tour.Limits.MaxPlies = 1
	start := time.Now()
	if _, err := Run(b.Context(), tour, options(b, b.TempDir())); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/time.Since(start).Seconds(), "games/s")
}

// Games of 20 moves at 100 ms: what a tournament takes between them, as a share of their own time. The
// median is of the gaps between two games, which are long now and then on a busy machine.
func BenchmarkBetweenGames(b *testing.B) {
	tour := levels(b, schedule.Spec{Format: schedule.Match, Games: 2 * ((b.N + 1) / 2), Seed: 1}, "jungle", "strong", "strong")
	tour.Limits.MaxPlies, tour.Limits.Move, tour.Limits.First = 20, 100*time.Millisecond, 0
	o := options(b, b.TempDir())
	o.Concurrency = 1
	var gaps []float64
	var took float64
	var last time.Time
	o.Events = func(e Event) {
		if e.Kind == EventResult {
			if !last.IsZero() {
				gaps = append(gaps, float64(e.Result.Ended.Sub(last).Microseconds())/1000-e.Result.Took)
			}
			last = e.Result.Ended
			took += e.Result.Took
		}
	}
	if _, err := Run(b.Context(), tour, o); err != nil {
		b.Fatal(err)
	}
	if slices.Sort(gaps); len(gaps) > 0 {
		b.ReportMetric(gaps[len(gaps)/2], "ms/gap")
		b.ReportMetric(100*gaps[len(gaps)/2]/(took/float64(len(gaps)+1)), "%overhead")
	}
}

func defaultRules(t testing.TB, g game.Game) game.Rules {
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// A sequential test decides after the same pair, in whatever order games end, and stays decided.
func TestSequentialTestIsInOrder(t *testing.T) {
	spec := schedule.Spec{Format: schedule.Match, Games: 200, Seed: 5, Seeds: schedule.Wide}
	verdicts := map[string]bool{}
	for range 2 {
		dir := filepath.Join(t.TempDir(), "store")
		var played int
		for run := range 2 {
			tour := levels(t, spec, "jungle", "greedy", "greedy")
			test, err := rating.NewSPRT(-60, 60, 0.05, 0.05, rating.Logistic)
			if err != nil {
				t.Fatal(err)
			}
			tour.Test = &test
			o := options(t, dir)
			o.Concurrency = 4
			progress, err := Run(t.Context(), tour, o)
			if err != nil {
				t.Fatal(err)
			}
			if run == 1 && progress.Finished != played {
				t.Errorf("decided after %d games, and %d more were played", played, progress.Finished-played)
			}
			played = progress.Finished
			s, err := store.Open(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			verdict, err := tour.Verdict(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			table, err := tour.Standings(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(table)
			if err != nil {
				t.Fatal(err)
			}
			s.Close()
			verdicts[verdict+string(text)] = true
		}
		if played == 200 {
			t.Error("the test has not decided, so nothing was tested")
		}
	}
	if len(verdicts) != 1 {
		t.Errorf("the same match, with these verdicts: %v", verdicts)
	}
}

// Who wins a knockout leads its standings.
func TestKnockoutWinnerLeads(t *testing.T) {
	for seed := range uint64(4) {
		tour := levels(t, schedule.Spec{Format: schedule.Knockout, Games: 2, Replays: 3, Seed: seed}, "jungle", "greedy", "greedy", "random", "greedy", "greedy")
		dir := filepath.Join(t.TempDir(), "store")
		if _, err := Run(t.Context(), tour, options(t, dir)); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		rounds, err := tour.Rounds(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		table, err := tour.Standings(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		if winner := tour.Winner(rounds); winner < 0 || table.Rows[0].Player != winner {
			t.Errorf("seed %d: player %d has won, and %d leads", seed, winner, table.Rows[0].Player)
		}
	}
}
