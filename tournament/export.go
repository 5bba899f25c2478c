package tournament

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"luzhanqi/referee"
	"luzhanqi/text"
	"luzhanqi/tournament/page"
	"luzhanqi/tournament/store"
)

// WriteJSONLines writes the results of all games, a line each.
func (t *Tournament) WriteJSONLines(ctx context.Context, s *store.Store, w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return s.Results(ctx, false, func(r *store.Result) error { return encoder.Encode(r) })
}

// WriteCSV writes all games as a table with a head.
func (t *Tournament) WriteCSV(ctx context.Context, s *store.Store, w io.Writer) error {
	table := csv.NewWriter(w)
	table.Write([]string{"id", "round", "pair", "first", "second", "points_first", "code", "fault", "plies", "took_ms", "attempt", "ended", "worker", "reason"})
	err := s.Results(ctx, false, func(r *store.Result) error {
		fault := ""
		if r.Ending.Fault != nil {
			fault = t.Players[r.Players[*r.Ending.Fault]].Name
		}
		return table.Write([]string{
			r.ID, strconv.Itoa(r.Round), strconv.Itoa(r.Pair), text.Cell(t.Players[r.Players[0]].Name), text.Cell(t.Players[r.Players[1]].Name),
			strconv.FormatFloat(r.Points(), 'f', -1, 64), text.Cell(string(r.Ending.Code)), text.Cell(fault), strconv.Itoa(r.Ending.Plies),
			strconv.FormatFloat(r.Took, 'f', 3, 64), strconv.Itoa(r.Attempt), r.Ended.Format(time.RFC3339Nano), text.Cell(r.Worker), text.Cell(r.Ending.Reason),
		})
	})
	table.Flush()
	return errors.Join(err, table.Error())
}

// NotWritten is the error of WriteRecords for a folder that cannot be written, or a game that has no result.
type NotWritten struct{ Err error }

func (e NotWritten) Error() string { return e.Err.Error() }

func (e NotWritten) Unwrap() error { return e.Err }

// WriteRecords writes the records of all games, or of the one with an id, into a folder, and counts those that were
// there already. It writes over no file.
func (t *Tournament) WriteRecords(ctx context.Context, s *store.Store, dir, only string) (written, there int, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, 0, NotWritten{err}
	}
	var games []*store.Result
	if only == "" {
		err = s.Results(ctx, false, func(r *store.Result) error {
			games = append(games, &store.Result{Place: r.Place, Attempt: r.Attempt})
			return nil
		})
	} else {
		var r *store.Result
		if r, err = s.Result(ctx, only); err == nil && r == nil {
			err = NotWritten{fmt.Errorf("game %q has no result", only)}
		}
		games = append(games, r)
	}
	if err != nil {
		return 0, 0, err
	}
	for _, r := range games {
		record, err := s.Record(ctx, r.ID, r.Attempt)
		name := filepath.Join(dir, r.ID+".jsonl")
		switch {
		case err != nil:
			return written, there, err
		case record == nil:
		case holds(name, record):
			there++
		default:
			if err := writeRecord(name, record); err != nil {
				return written, there, err
			}
			written++
		}
	}
	if only != "" && written+there == 0 {
		err = fmt.Errorf("game %q was played without a record (records = false, or record_space was full)", only)
	}
	return written, there, err
}

// holds says whether a file holds just this record. What could keep the reader waiting, such as a pipe, is
// not opened.
func holds(name string, record []byte) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(record)) {
		return false
	}
	found, err := os.ReadFile(name)
	return err == nil && bytes.Equal(found, record)
}

// writeRecord writes a record, never over another file, and leaves no half of one.
func writeRecord(name string, record []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return NotWritten{fmt.Errorf("%s is there already and holds something else; give another directory", name)}
	}
	if err != nil {
		return NotWritten{err}
	}
	_, err = file.Write(record)
	if err = errors.Join(err, file.Close()); err != nil {
		os.Remove(name)
	}
	return err
}

// maxListed is how many games a page lists.
const maxListed = 1000

// Listed are the results that a page lists.
func (t *Tournament) Listed(ctx context.Context, s *store.Store) (all []*store.Result, err error) {
	err = s.Results(ctx, false, func(r *store.Result) error {
		if len(all) < maxListed {
			kept := *r
			all = append(all, &kept)
		}
		return nil
	})
	return all, err
}

// WriteHTML writes one self-contained page of the tournament as far as it was played. links are where games lead, by id.
func (t *Tournament) WriteHTML(ctx context.Context, s *store.Store, w io.Writer, links map[string]string) error {
	table, err := t.Standings(ctx, s)
	if err != nil {
		return err
	}
	p := page.Tournament{Title: t.Name, Table: table, Settings: t.settings()}
	rounds, err := t.Rounds(ctx, s)
	if err != nil {
		return err
	}
	for _, d := range rounds.Decisions {
		p.Settings = append(p.Settings, page.Setting{
			Key: fmt.Sprintf("round %d", d.Round), Value: fmt.Sprintf("%s beat %s", t.Players[d.Winner].Name, t.Players[d.Loser].Name),
		})
	}
	if winner := t.Winner(rounds); winner >= 0 {
		p.Settings = append(p.Settings, page.Setting{Key: "winner", Value: t.Players[winner].Name})
	}
	if p.Title == "" {
		p.Title = t.Game.Title()
	}
	for _, name := range t.Names() {
		p.Players = append(p.Players, page.PlayerRow{Name: name, Endings: map[string]int{}})
	}
	if err := s.Results(ctx, false, func(r *store.Result) error {
		for side, player := range r.Players {
			p.Players[player].Times.Merge(r.Sides[side].Times)
		}
		if winner := r.Ending.Winner; winner != nil {
			how := string(r.Ending.Code)
			if r.Ending.Code == referee.Won {
				how = "by the rules" // this table says how players lost; "won" would be misread there
			}
			p.Players[r.Players[winner.Other()]].Endings[how]++
		}
		p.Total++
		if len(p.Games) < maxListed {
			row := t.pageGame(r)
			row.Record = links[r.ID]
			p.Games = append(p.Games, row)
		}
		return nil
	}); err != nil {
		return err
	}
	given, err := t.Given(ctx, s)
	if err != nil {
		return err
	}
	p.Given = given.onPage(t.Names())
	if p.Distinct, err = s.Distinct(ctx); err != nil {
		return err
	}
	return page.Write(w, p)
}

func (t *Tournament) pageGame(r *store.Result) page.GameRow {
	return page.GameRow{
		ID: r.ID, First: t.Players[r.Players[0]].Name, Second: t.Players[r.Players[1]].Name,
		Result: r.Standing().Result, Code: string(r.Ending.Code), Reason: r.Ending.Reason, Plies: r.Ending.Plies,
	}
}

// settings returns the lines of the page that say what is played, and how.
func (t *Tournament) settings() []page.Setting {
	spec := t.Schedule.Spec()
	all := []page.Setting{
		{Key: "game", Value: t.Game.Title()},
		{Key: "rules", Value: t.Rules.String()},
		{Key: "format", Value: spec.Format.String()},
		{Key: "games an encounter", Value: strconv.Itoa(spec.Games)},
		{Key: "time for a move", Value: t.Limits.Move.String()},
		{Key: "grace", Value: t.Limits.Grace.String()},
		{Key: "seed", Value: strconv.FormatUint(spec.Seed, 10)},
		{Key: "version", Value: t.Version},
	}
	if l := t.Limits; l.Total > 0 {
		i := slices.IndexFunc(all, func(s page.Setting) bool { return s.Key == "time for a move" })
		all[i] = page.Setting{Key: "time for all moves", Value: fmt.Sprintf("%v and %v for each", l.Total, l.Increment)}
	}
	if t.Game.HasSetUp() {
		all = append(all, page.Setting{Key: "time for the set-up", Value: t.Limits.SetUp.String()})
	}
	return all
}
