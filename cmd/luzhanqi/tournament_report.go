package main

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
	"strconv"
	"strings"
	"time"

	"luzhanqi/tournament"
	"luzhanqi/tournament/store"
)

type tournamentReport struct {
	planned
	HTML    string `name:"html" help:"Write one self-contained page." placeholder:"FILE"`
	Games   string `help:"Write all games as CSV, or as JSON Lines if the name ends in .jsonl; - is standard output." placeholder:"FILE"`
	Records string `help:"Write the records of all games, or of --game, into this directory." placeholder:"DIR"`
	Game    string `help:"Only this game's record." placeholder:"ID"`
}

func (r *tournamentReport) Run(ctx context.Context, c *console) error {
	if r.HTML == "" && r.Games == "" && r.Records == "" {
		return usage(errors.New("nothing to write: allowed are --html FILE, --games FILE and --records DIR"))
	}
	if r.Game != "" && r.Records == "" {
		return usage(errors.New("--game needs --records DIR"))
	}
	t, s, err := r.open(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	if r.Games != "" {
		if err := writeTo(c, r.Games, func(w io.Writer) error { return writeGames(ctx, w, t, s, strings.HasSuffix(r.Games, ".jsonl")) }); err != nil {
			return err
		}
	}
	if r.Records != "" {
		written, there, err := writeRecords(ctx, s, r.Records, r.Game)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.out, "%s written to %s", counted(written, "record"), r.Records)
		if there > 0 {
			fmt.Fprintf(c.out, ", %d were there already", there)
		}
		fmt.Fprintln(c.out)
	}
	if r.HTML != "" {
		return writeTo(c, r.HTML, func(w io.Writer) error { return t.WriteHTML(ctx, s, w) })
	}
	return nil
}

// writeTo writes a file as a whole, or standard output: nobody finds half a file.
func writeTo(c *console, name string, write func(io.Writer) error) error {
	if name == "-" {
		return write(c.out)
	}
	file, err := os.CreateTemp(filepath.Dir(name), ".luzhanqi-*")
	if err != nil {
		return usage(err)
	}
	defer os.Remove(file.Name())
	if err := errors.Join(write(file), file.Chmod(0o644), file.Close()); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), name); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "written: %s\n", name)
	return nil
}

func writeGames(ctx context.Context, w io.Writer, t *tournament.Tournament, s *store.Store, lines bool) error {
	if lines {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		return s.Results(ctx, false, func(r *store.Result) error { return encoder.Encode(r) })
	}
	table := csv.NewWriter(w)
	table.Write([]string{"id", "round", "pair", "first", "second", "points_first", "code", "fault", "plies", "took_ms", "attempt", "ended", "worker", "reason"})
	err := s.Results(ctx, false, func(r *store.Result) error {
		fault := ""
		if r.Ending.Fault != nil {
			fault = t.Players[r.Players[*r.Ending.Fault]].Name
		}
		return table.Write([]string{
			r.ID, strconv.Itoa(r.Round), strconv.Itoa(r.Pair), plainCell(t.Players[r.Players[0]].Name), plainCell(t.Players[r.Players[1]].Name),
			strconv.FormatFloat(r.Points(), 'f', -1, 64), plainCell(string(r.Ending.Code)), plainCell(fault), strconv.Itoa(r.Ending.Plies),
			strconv.FormatFloat(r.Took, 'f', 3, 64), strconv.Itoa(r.Attempt), r.Ended.Format(time.RFC3339Nano), plainCell(r.Worker), plainCell(r.Ending.Reason),
		})
	})
	table.Flush()
	return errors.Join(err, table.Error())
}

// plainCell keeps a name from being a formula in a spreadsheet.
func plainCell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// writeRecords writes the records of all games, or of one, and counts those that were there already.
func writeRecords(ctx context.Context, s *store.Store, dir, only string) (written, there int, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, 0, usage(err)
	}
	write := func(r *store.Result) error {
		record, err := s.Record(ctx, r.ID, r.Attempt)
		if err != nil || record == nil {
			return err
		}
		name := filepath.Join(dir, r.ID+".jsonl")
		if holds(name, record) {
			there++
			return nil
		}
		written++
		return writeRecord(name, record)
	}
	if only == "" {
		var ids []*store.Result
		err = s.Results(ctx, false, func(r *store.Result) error {
			ids = append(ids, &store.Result{ID: r.ID, Attempt: r.Attempt})
			return nil
		})
		for _, r := range ids {
			if err == nil {
				err = write(r)
			}
		}
		return written, there, err
	}
	r, err := s.Result(ctx, only)
	if err == nil && r == nil {
		err = usage(fmt.Errorf("game %q has no result", only))
	}
	if err == nil {
		err = write(r)
	}
	if err == nil && written+there == 0 {
		err = fmt.Errorf("game %q was played without a record (records = false)", only)
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
	text, err := os.ReadFile(name)
	return err == nil && bytes.Equal(text, record)
}

// writeRecord writes a record, never over another file, and leaves no half of one.
func writeRecord(name string, record []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return usage(fmt.Errorf("%s is there already and holds something else; give another directory", name))
	}
	if err != nil {
		return usage(err)
	}
	_, err = file.Write(record)
	if err = errors.Join(err, file.Close()); err != nil {
		os.Remove(name)
	}
	return err
}
