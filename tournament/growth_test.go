package tournament

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"luzhanqi/game/games"
	"luzhanqi/referee/record"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

// planned is the tournament of a plan of levels that play at once.
func planned(t testing.TB, format string, players ...string) *Tournament {
	t.Helper()
	text := "game = \"chess1d\"\n" + format + "\n"
	for i, level := range players {
		text += fmt.Sprintf("[[player]]\nname = \"%s-%d\"\nlevel = %q\n", level, i, level)
	}
	file := filepath.Join(t.TempDir(), "plan.toml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := plan.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	tour, _, err := FromPlan(p, "test")
	if err != nil {
		t.Fatal(err)
	}
	return tour
}

// begunBefore is the same tournament as a version before growing schedules began it.
func begunBefore(t testing.TB, tour *Tournament) *Tournament {
	t.Helper()
	old, before := *tour, *tour.Plan
	before.SeedDrawn = false // it was 1 without one in the plan
	old.Plan = &before
	spec := old.Schedule.Spec()
	spec.Growing, spec.Seeds = false, schedule.Wide
	wide, _ := plan.Begun(old.Text, "")
	old.Text = plan.Former(wide)
	old.Fingerprint = plan.Digest(old.Text)
	var err error
	if old.Schedule, err = schedule.New(spec); err != nil {
		t.Fatal(err)
	}
	return &old
}

// A tournament that gets players, cycles and games keeps what was played; no game of it is played again or moves.
func TestGrows(t *testing.T) {
	for name, steps := range map[string][]func() *Tournament{
		"round robin": {
			func() *Tournament { return planned(t, "format = \"round-robin\"", "greedy", "random", "random") },
			func() *Tournament {
				return planned(t, "format = \"round-robin\"", "greedy", "random", "random", "greedy", "random")
			},
			func() *Tournament {
				return planned(t, "format = \"round-robin\"\ncycles = 2\ngames = 4", "greedy", "random", "random", "greedy", "random")
			},
		},
		"match": {
			func() *Tournament { return planned(t, "format = \"match\"\ngames = 4", "greedy", "random") },
			func() *Tournament { return planned(t, "format = \"match\"\ngames = 30", "greedy", "random") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, before := t.TempDir(), ""
			for _, step := range steps {
				tour := step()
				begun := 0
				o := options(t, dir)
				o.Events = func(e Event) {
					if e.Kind == EventBegun {
						begun++
					}
				}
				progress, err := Run(t.Context(), tour, o)
				if err != nil || progress.Finished != progress.MinGames {
					t.Fatal(progress, err)
				}
				now := scores(t, dir)
				had := strings.Count(before, "\n")
				if begun != progress.Finished-had {
					t.Errorf("%d games were begun; %d of %d had been played", begun, had, progress.Finished)
				}
				for line := range strings.Lines(before) {
					if !strings.Contains(now, line) {
						t.Errorf("%q is gone from\n%s", line, now)
					}
				}
				before = now
			}
			if _, err := Run(t.Context(), steps[0](), options(t, dir)); !errors.Is(err, ErrPlan) || !strings.Contains(err.Error(), "may get more games or cycles, and players behind") {
				t.Errorf("it becomes smaller: %v", err)
			}
		})
	}
}

// A tournament that an earlier version began goes on under its own names of games; grow it cannot.
func TestGoesOnWithTournamentsOfBefore(t *testing.T) {
	dir := t.TempDir()
	now := func() *Tournament { return planned(t, "format = \"round-robin\"", "greedy", "random", "random") }
	if _, err := Run(t.Context(), begunBefore(t, now()), options(t, dir)); err != nil {
		t.Fatal(err)
	}
	before := scores(t, dir)
	o := options(t, dir)
	o.Events = func(e Event) {
		if e.Kind == EventBegun {
			t.Errorf("%s is played again", e.ID)
		}
	}
	tour := now()
	progress, err := Run(t.Context(), tour, o)
	if err != nil || progress.Finished != 6 || scores(t, dir) != before || !strings.Contains(before, "r03-p001-g2") {
		t.Errorf("%+v, %v\n%s", progress, err, before)
	}
	if s, err := tour.Open(t.Context(), dir); err != nil {
		t.Error(err)
	} else {
		s.Close()
	}
	larger := planned(t, "format = \"round-robin\"", "greedy", "random", "random", "greedy")
	if _, err := Run(t.Context(), larger, options(t, dir)); !errors.Is(err, ErrPlan) || !strings.Contains(err.Error(), "an earlier version began does not grow") {
		t.Errorf("it grows: %v", err)
	}
}

// Games have seeds that every reader of records can hold; a tournament of before keeps its longer ones, and grows with them.
func TestSeedsOfGames(t *testing.T) {
	const limit = 1 << 53
	seeds := func(dir string) (all []uint64) {
		s, err := store.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var ids []string
		if err := s.Results(t.Context(), false, func(r *store.Result) error { ids = append(ids, r.ID); return nil }); err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			text, err := s.Record(t.Context(), id, 1)
			if err != nil {
				t.Fatal(err)
			}
			replay, err := record.Read(bytes.NewReader(text), games.Find)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, replay.Header.Seed)
		}
		return all
	}
	long := func(all []uint64) (n int) {
		for _, seed := range all {
			if seed >= limit {
				n++
			}
		}
		return n
	}
	match := func(games int) *Tournament {
		return planned(t, fmt.Sprintf("format = \"match\"\ngames = %d", games), "greedy", "random")
	}
	dir := t.TempDir()
	if _, err := Run(t.Context(), match(10), options(t, dir)); err != nil {
		t.Fatal(err)
	}
	if all := seeds(dir); len(all) != 10 || long(all) != 0 {
		t.Errorf("seeds of games: %v", all)
	}

	for _, by := range []string{"", "seed_bits = 53\n"} { // what versions said of seeds
		dir = t.TempDir()
		before := match(10)
		before.SeedDrawn = false // as there it was 1 without one in the plan
		spec := before.Schedule.Spec()
		before.Text, spec.Seeds = plan.Begun(before.Text, by)
		before.Fingerprint = plan.Digest(before.Text)
		var err error
		if before.Schedule, err = schedule.New(spec); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), before, options(t, dir)); err != nil {
			t.Fatal(err)
		}
		were := seeds(dir)
		for range 2 { // the second time it has the plan of the greater one
			if progress, err := Run(t.Context(), match(14), options(t, dir)); err != nil || progress.Finished != 14 {
				t.Fatalf("%q: %+v, %v", by, progress, err)
			}
		}
		spec.Games = 14
		all, err := schedule.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		want := map[uint64]int{}
		for g := range all.Games(nil) {
			want[g.Seed]++
		}
		are := seeds(dir)
		for _, seed := range are {
			want[seed]--
		}
		for seed, n := range want {
			if n != 0 {
				t.Errorf("%q: %d is the seed of %d games too few", by, seed, n)
			}
		}
		if len(are) != 14 || !slices.Equal(are[:10], were) {
			t.Errorf("%q: the seeds were %v, and are %v", by, were, are)
		}
	}
}

// A plan that names no seed has one that nobody knows before, and keeps it: interrupted, read by others and begun anew.
func TestSeedIsDrawn(t *testing.T) {
	match := func(more string) *Tournament {
		return planned(t, "format = \"match\"\ngames = 4\n"+more, "greedy", "random")
	}
	seedOf := func(t *Tournament) uint64 { return t.Schedule.Spec().Seed }
	drawn := map[uint64]bool{}
	for range 3 {
		dir := t.TempDir()
		begun := match("")
		if _, err := Run(t.Context(), begun, options(t, dir)); err != nil {
			t.Fatal(err)
		}
		again, read := match(""), match("")
		if _, err := Run(t.Context(), again, options(t, dir)); err != nil {
			t.Fatal(err)
		}
		s, err := read.Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		if seedOf(again) != seedOf(begun) || seedOf(read) != seedOf(begun) || seedOf(begun) >= 1<<53 {
			t.Errorf("begun with %d, gone on with %d, read with %d", seedOf(begun), seedOf(again), seedOf(read))
		}
		drawn[seedOf(begun)] = true
		if _, err := Run(t.Context(), match("seed = 1"), options(t, dir)); !errors.Is(err, ErrPlan) || !strings.Contains(err.Error(), "seed") {
			t.Errorf("with another seed: %v", err)
		}
		if _, err := Run(t.Context(), match(fmt.Sprintf("seed = %d", seedOf(begun))), options(t, dir)); err != nil {
			t.Errorf("with the seed that was drawn: %v", err)
		}
	}
	if len(drawn) != 3 {
		t.Errorf("seeds %v were drawn", drawn)
	}
}
