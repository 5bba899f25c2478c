// Package played finds in a folder of records what was played of a match, so that it can be gone on with.
package played

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"luzhanqi/game/games"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

// Found is a record of a match, of whichever.
type Found struct {
	file   string
	replay *record.Replay
}

// Folder reads the records in a folder, none if it does not exist. What the referee had only begun when it was killed is left
// out: that game is played again. So are void games.
func Folder(dir string) (all []Found, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		file := filepath.Join(dir, e.Name())
		if !e.Type().IsRegular() || filepath.Ext(file) != ".jsonl" {
			continue
		}
		replay, err := read(file)
		switch {
		case errors.Is(err, record.ErrUnbegun):
			continue
		case err != nil:
			return nil, fmt.Errorf("%s: %w", file, err)
		case replay.Torn || replay.Ending == nil:
			continue
		case len(replay.Disagreements) > 0:
			return nil, fmt.Errorf("%s: it is not a game by the rules: %s", file, replay.Disagreements[0])
		}
		all = append(all, Found{file, replay})
	}
	return all, nil
}

func read(file string) (*record.Replay, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return record.Read(f, games.Find)
}

// Seed is that of the match whose records these are; false: there are none.
func Seed(all []Found) (seed uint64, ok bool) {
	if len(all) == 0 {
		return 0, false
	}
	return all[0].replay.Header.Seed, true
}

// Results are those of the games of a match that need not be played again, in their order. A record of another match is an error.
func Results(m *referee.Match, all []Found) (results []referee.Result, err error) {
	seen := map[int]bool{}
	for _, f := range all {
		h := f.replay.Header
		g, err := m.Numbered(max(h.Number, 1), 1)
		if err != nil {
			return nil, err
		}
		if err := same(h, record.HeaderOf(g, time.Time{})); err != nil {
			return nil, fmt.Errorf("%s is of another match: %w; give the same command as before, or another folder", f.file, err)
		}
		if f.replay.Ending.Code == referee.Void || seen[h.Number] || h.Number > m.Games {
			continue
		}
		seen[h.Number] = true
		results = append(results, referee.Result{
			Number: h.Number, Attempt: h.Attempt, Seats: referee.Seats(h.Number), Ending: f.replay.Ending, Record: f.file, Course: f.replay.Course(),
		})
	}
	slices.SortFunc(results, func(a, b referee.Result) int { return cmp.Compare(a.Number, b.Number) })
	return results, nil
}

// same says in what two games differ, apart from when and where they are played.
func same(was, is record.Header) error {
	fields := func(h record.Header) (all map[string]json.RawMessage, err error) {
		h.Version, h.Started, h.Attempt, h.Concurrency, h.Processor, h.Sandbox, h.Schema = "", time.Time{}, 0, 0, nil, nil, 0
		text, err := json.Marshal(h)
		if err == nil {
			err = json.Unmarshal(text, &all)
		}
		return all, err
	}
	before, err := fields(was)
	if err != nil {
		return err
	}
	now, err := fields(is)
	if err != nil {
		return err
	}
	for _, name := range []string{"game", "seed", "number", "players", "rules", "illegal_retries", "limits", "opening"} {
		if !bytes.Equal(before[name], now[name]) {
			return fmt.Errorf("%s was %s, and is %s", name, shown(before[name]), shown(now[name]))
		}
	}
	return nil
}

func shown(value json.RawMessage) string {
	if value == nil {
		return "none"
	}
	return fmt.Sprintf("%.200s", value)
}
