package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"luzhanqi/text"
	"luzhanqi/tournament"
)

type tournamentReport struct {
	planFlags
	HTML    string `name:"html" help:"Write one self-contained page." placeholder:"FILE"`
	Games   string `help:"Write all games as CSV, or as JSON Lines if the name ends in .jsonl; - is standard output." placeholder:"FILE"`
	Records string `help:"Write the records of all games, or of --game, into this directory." placeholder:"DIR"`
	Game    string `help:"Only this game's record." placeholder:"ID"`
}

func (r *tournamentReport) Run(ctx context.Context, c *stdio) error {
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
		return writeTo(c, r.HTML, func(w io.Writer) error { return t.WriteHTML(ctx, s, w) })
	}
	return nil
}

// writeTo writes a file as a whole, or standard output: nobody finds half a file.
func writeTo(c *stdio, name string, write func(io.Writer) error) error {
	if name == "-" {
		return write(c.out)
	}
	file, err := promise(name)
	if err != nil {
		return usage(err)
	}
	defer file.abandon()
	if err := write(file); err != nil {
		return err
	}
	if err := file.keep(); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "written: %s\n", name)
	return nil
}
