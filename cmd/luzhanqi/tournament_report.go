package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"luzhanqi/cmd/luzhanqi/wholefile"
	"luzhanqi/game/games"
	"luzhanqi/referee/record"
	"luzhanqi/serve/film"
	"luzhanqi/serve/page"
	"luzhanqi/text"
	"luzhanqi/tournament"
	"luzhanqi/tournament/store"
)

type tournamentReport struct {
	planFlags
	HTML    string `name:"html" help:"Write one self-contained page." placeholder:"FILE"`
	Games   string `help:"Write all games as CSV, or as JSON Lines if the name ends in .jsonl; - is standard output." placeholder:"FILE"`
	Pages   string `help:"Write a page of each game, to be stepped through, into this directory; that of --html leads to them." placeholder:"DIR"`
	Records string `help:"Write the records of all games, or of --game, into this directory." placeholder:"DIR"`
	Game    string `help:"Only this game's record." placeholder:"ID"`
}

func (r *tournamentReport) Run(ctx context.Context, c *stdio) error {
	if r.HTML == "" && r.Games == "" && r.Records == "" {
		return usage(errors.New("nothing to write: allowed are --html FILE, --games FILE and --records DIR"))
	}
	if r.Pages != "" && (r.HTML == "" || r.HTML == "-") {
		return usage(errors.New("--pages needs --html FILE, which leads to them"))
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
		games := func(w io.Writer) error { return t.WriteCSV(ctx, s, w) }
		if strings.HasSuffix(r.Games, ".jsonl") {
			games = func(w io.Writer) error { return t.WriteJSONLines(ctx, s, w) }
		}
		if err := writeTo(c, r.Games, games); err != nil {
			return err
		}
	}
	if r.Records != "" {
		written, there, err := t.WriteRecords(ctx, s, r.Records, r.Game)
		if errors.As(err, new(tournament.NotWritten)) {
			return usage(err)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(c.out, "%s written to %s", text.Count(written, "record"), r.Records)
		if there > 0 {
			fmt.Fprintf(c.out, ", %d were there already", there)
		}
		fmt.Fprintln(c.out)
	}
	if r.HTML != "" {
		links, err := r.pages(ctx, t, s)
		if err != nil {
			return err
		}
		if r.Pages != "" {
			fmt.Fprintf(c.out, "%s written to %s\n", text.Count(len(links), "page"), r.Pages)
		}
		return writeTo(c, r.HTML, func(w io.Writer) error { return t.WriteHTML(ctx, s, w, links) })
	}
	return nil
}

// pages writes a page of each game that has a record, and returns how the tournament's page leads to them.
func (r *tournamentReport) pages(ctx context.Context, t *tournament.Tournament, s *store.Store) (map[string]string, error) {
	links := map[string]string{}
	if r.Pages == "" {
		return links, nil
	}
	if err := os.MkdirAll(r.Pages, 0o777); err != nil {
		return nil, usage(err)
	}
	above, err := filepath.Abs(filepath.Dir(r.HTML))
	if err != nil {
		return nil, usage(err)
	}
	folder, err := filepath.Abs(r.Pages)
	if err != nil {
		return nil, usage(err)
	}
	if folder, err = filepath.Rel(above, folder); err != nil {
		return nil, usage(fmt.Errorf("--pages %s: no way leads there from %s: %w", r.Pages, above, err))
	}
	all, err := t.Listed(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, result := range all {
		text, err := s.Record(ctx, result.ID, result.Attempt)
		if err != nil {
			return nil, err
		}
		if text == nil {
			continue
		}
		name := result.ID + ".html"
		if err := writePage(filepath.Join(r.Pages, name), text); err != nil {
			return nil, fmt.Errorf("the page of game %s: %w", result.ID, err)
		}
		links[result.ID] = filepath.ToSlash(filepath.Join(folder, name))
	}
	return links, nil
}

// writePage writes a record as a page.
func writePage(name string, text []byte) error {
	replay, err := record.Read(bytes.NewReader(text), games.Find)
	if err != nil {
		return err
	}
	f, err := film.OfRecord(replay, games.Find)
	if err != nil {
		return err
	}
	drawn, err := page.Match{Film: f, Ply: f.Last(), Eyes: film.All}.File()
	if err != nil {
		return err
	}
	file, err := wholefile.Begin(name)
	if err != nil {
		return usage(err)
	}
	defer file.Abandon()
	if _, err := file.Write(drawn); err != nil {
		return err
	}
	return file.Keep()
}
