package tournament

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"luzhanqi/referee"
	"luzhanqi/referee/record"
	"luzhanqi/tournament/export"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/store"
)

// Recorded counts the games between two players in records, wherever these are, from the side of the first. Two games with one
// seed that follow each other are a pair. No names: those of the only two players.
func Recorded(ctx context.Context, places []string, between [2]string, test *rating.SPRT) (*rating.Sequential, [2]string, error) {
	played, err := recordedGames(ctx, places)
	if err != nil {
		return nil, between, err
	}
	names := map[string]bool{}
	for _, r := range played {
		names[r.Header.Players[0].Name], names[r.Header.Players[1].Name] = true, true
	}
	sorted := slices.Sorted(maps.Keys(names))
	if between == [2]string{} && len(sorted) == 2 {
		between = [2]string(sorted)
	}
	if !names[between[0]] || !names[between[1]] || between[0] == between[1] {
		return nil, between, fmt.Errorf("players %q: give two of %s, as FIRST,SECOND", strings.Join(between[:], ","), strings.Join(sorted, ", "))
	}
	return counted(played, between, test), between, nil
}

// counted counts games, each once.
func counted(played []*record.Replay, between [2]string, test *rating.SPRT) *rating.Sequential {
	type pair struct {
		seed   uint64
		number int
		game   string
	}
	type single struct {
		pair
		first string
	}
	all := &rating.Sequential{Test: test, Whole: true}
	pairs, seen := map[pair]int{}, map[single]bool{}
	for _, r := range played {
		h := r.Header
		first := slices.Index(between[:], h.Players[0].Name)
		if first < 0 || h.Players[1].Name != between[1-first] {
			continue
		}
		at := pair{h.Seed, referee.Pair(h.Number), h.Game}
		if one := (single{at, between[first]}); seen[one] {
			continue // the same game in two places
		} else {
			seen[one] = true
		}
		if _, known := pairs[at]; !known {
			pairs[at] = len(pairs)
		}
		result := store.Outcome(r.Ending)
		if first == 1 {
			result = result.Swapped()
		}
		all.Add(pairs[at], result, course(first, r.Course()))
	}
	return all
}

// recordedGames reads the records of games that count.
func recordedGames(ctx context.Context, places []string) (played []*record.Replay, err error) {
	for _, place := range places {
		err := export.Each(ctx, place, func(f export.Found) error {
			switch {
			case errors.Is(f.Err, record.ErrUnbegun):
				return nil
			case f.Err != nil:
				return fmt.Errorf("%s: %w", f.Source, f.Err)
			case len(f.Replay.Disagreements) > 0:
				return fmt.Errorf("%s: it is not a game by the rules: %s", f.Source, f.Replay.Disagreements[0])
			case f.Replay.Torn || f.Replay.Ending == nil || f.Replay.Ending.Code == referee.Void:
				return nil
			}
			f.Replay.Positions, f.Replay.Moves = nil, nil // a game is known by its course
			played = append(played, f.Replay)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", place, err)
		}
	}
	if len(played) == 0 {
		return nil, errors.New("found no record of a game that counts")
	}
	return played, nil
}
