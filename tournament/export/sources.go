// Package export finds records wherever they are: files, folders of files, and the stores of tournaments.
package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"luzhanqi/game/games"
	"luzhanqi/referee/record"
	"luzhanqi/tournament/store"
)

// Found is a record that was found, or why what was found cannot be read.
type Found struct {
	Source string // the file, or the id of the game in a store
	Replay *record.Replay
	Err    error
}

// ErrNothing is the error of Each for a place in which there is no record.
var ErrNothing = errors.New("no records were found: allowed are files, folders of files that end in .jsonl, and the stores and plans of tournaments")

// Each reads the records of a place, in the order of their names, and passes each on until yield returns an error.
func Each(ctx context.Context, place string, yield func(Found) error) error {
	if strings.HasSuffix(place, ".toml") { // a plan stands for its results
		place = strings.TrimSuffix(place, ".toml") + ".tournament"
	}
	info, err := os.Stat(place)
	if err != nil {
		return fmt.Errorf("%s: %w", place, errors.Unwrap(err))
	}
	if !info.IsDir() {
		return yield(readFile(place))
	}
	s, err := store.Open(ctx, place)
	if err == nil {
		defer s.Close()
		return eachOf(ctx, s, yield)
	}
	if !errors.Is(err, store.ErrNone) {
		return err
	}
	return eachIn(ctx, place, yield)
}

func readFile(name string) Found {
	f, err := os.Open(name)
	if err != nil {
		return Found{Source: name, Err: errors.Unwrap(err)}
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return Found{Source: name, Err: errors.New("it is no file")}
	}
	r, err := record.Read(f, games.Find)
	return Found{name, r, err}
}

// eachIn reads the files of a folder and those below it.
func eachIn(ctx context.Context, dir string, yield func(Found) error) error {
	found := false
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Ext(name) != ".jsonl" {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		found = true
		return yield(readFile(name))
	})
	if err == nil && !found {
		err = fmt.Errorf("%s: %w", dir, ErrNothing)
	}
	return err
}

// eachOf reads the records of a tournament's games that count.
func eachOf(ctx context.Context, s *store.Store, yield func(Found) error) error {
	var all []store.Result // the names alone: records are long
	if err := s.Results(ctx, false, func(r *store.Result) error {
		all = append(all, store.Result{Place: r.Place, Attempt: r.Attempt})
		return nil
	}); err != nil {
		return err
	}
	for _, g := range all {
		if err := yield(readStored(ctx, s, g)); err != nil {
			return err
		}
	}
	return nil
}

func readStored(ctx context.Context, s *store.Store, g store.Result) Found {
	found := Found{Source: g.ID}
	text, err := s.Record(ctx, g.ID, g.Attempt)
	switch {
	case err != nil:
		found.Err = err
	case text == nil:
		found.Err = errors.New("it was played without a record (records = false)")
	default:
		found.Replay, found.Err = record.Read(bytes.NewReader(text), games.Find)
	}
	return found
}
