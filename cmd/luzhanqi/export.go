package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"luzhanqi/game/games"
	"luzhanqi/referee/record/notation"
	"luzhanqi/text"
	"luzhanqi/tournament/export"
)

type exportCommand struct {
	Places   []string `arg:"" name:"records" help:"Records, folders of them, stores or plans of tournaments."`
	Format   string   `help:"Form of the games: ${enum}. Default: what the name of --out says, else text." enum:"text,jsonl,csv,auto" default:"auto"`
	Out      string   `short:"o" help:"File to write: .jsonl and .csv choose the form; - is standard output." default:"-"`
	Times    bool     `help:"Write how long set-ups and moves took."`
	Comments bool     `help:"Write what programs said about their moves."`
}

func (e *exportCommand) format() notation.Format {
	switch {
	case e.Format != "auto":
		return notation.Format(e.Format)
	case strings.HasSuffix(e.Out, ".jsonl"):
		return notation.JSONLines
	case strings.HasSuffix(e.Out, ".csv"):
		return notation.CSV
	}
	return notation.Text
}

// Run implements the command.
func (e *exportCommand) Run(ctx context.Context, c *stdio) error {
	games := 0
	var wrong []error
	write := func(to io.Writer) error {
		w := notation.NewWriter(to, e.format())
		for _, place := range e.Places {
			err := export.Each(ctx, place, func(f export.Found) error {
				var g *notation.Game
				if f.Err == nil {
					g, f.Err = notation.Of(f.Replay, notation.Options{Times: e.Times, Comments: e.Comments})
				}
				if f.Err != nil {
					wrong = append(wrong, fmt.Errorf("%s is left out: %w", f.Source, f.Err))
					return nil
				}
				g.Source = f.Source
				games++
				return w.Write(g)
			})
			if err != nil {
				return usage(err)
			}
		}
		return w.Flush()
	}
	if err := writeTo(c, e.Out, write); err != nil {
		return err
	}
	if e.Out != "-" {
		fmt.Fprintf(c.out, "%s\n", text.Count(games, "game"))
	}
	return disagreeing(c, wrong, "%s left out", "record")
}

// disagreeing names what was wrong with some, up to a screen full, and is the command's error.
func disagreeing(c *stdio, wrong []error, format, noun string) error {
	const most = 20
	for i, err := range wrong {
		if i == most {
			fmt.Fprintf(c.err, "luzhanqi: and %d more\n", len(wrong)-most)
			break
		}
		fmt.Fprintf(c.err, "luzhanqi: %v\n", err)
	}
	if len(wrong) == 0 {
		return nil
	}
	return failure{exitDisagrees, fmt.Errorf(format, text.Count(len(wrong), noun))}
}

type importCommand struct {
	Files   []string `arg:"" name:"file" help:"Games in text notation or JSON Lines, as luzhanqi export writes them; - is standard input."`
	Records string   `help:"Directory for the records, a file for each game." required:"" placeholder:"DIR"`
}

// Run implements the command.
func (i *importCommand) Run(ctx context.Context, c *stdio) error {
	if err := os.MkdirAll(i.Records, 0o777); err != nil {
		return usage(err)
	}
	written := 0
	var wrong []error
	for _, name := range i.Files {
		n, w, err := i.file(ctx, c, name)
		written += n
		wrong = append(wrong, w...)
		if err != nil {
			return usage(err)
		}
	}
	fmt.Fprintf(c.out, "%s written to %s\n", text.Count(written, "record"), i.Records)
	return disagreeing(c, wrong, "%s not imported", "game")
}

// file imports the games of one file.
func (i *importCommand) file(ctx context.Context, c *stdio, name string) (written int, wrong []error, err error) {
	in, label := c.in, "games"
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return 0, nil, err
		}
		defer f.Close()
		in, label = f, strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	}
	r := notation.NewReader(in)
	for number := 1; ; number++ {
		if ctx.Err() != nil {
			return written, wrong, context.Cause(ctx)
		}
		g, err := r.Next()
		if err == io.EOF {
			return written, wrong, nil
		}
		if err != nil {
			return written, wrong, fmt.Errorf("%s: %w", name, err)
		}
		record := filepath.Join(i.Records, fmt.Sprintf("%s-%05d.jsonl", label, number))
		switch err := writeRecord(record, g); {
		case errors.Is(err, os.ErrExist):
			return written, wrong, fmt.Errorf("%s is there already; give another directory", record)
		case err != nil:
			wrong = append(wrong, fmt.Errorf("%s: game %d is not imported: %w", name, number, err))
		default:
			written++
		}
	}
}

// writeRecord writes the record of a game, never over another file, and leaves no half of one.
func writeRecord(name string, g *notation.Game) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	err = errors.Join(g.Record(f, games.Find), f.Close())
	if err != nil {
		os.Remove(name)
	}
	return err
}
