package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/referee"
	"luzhanqi/referee/opening"
	"luzhanqi/referee/record"
	"luzhanqi/serve/film"
	"luzhanqi/serve/page"
	"luzhanqi/text"
)

type replayCommand struct {
	Files     []string `arg:"" name:"file" help:"Records to judge again."`
	Ply       *int     `help:"Draw the position after so many moves; 0 is the initial position." placeholder:"N"`
	Board     string   `help:"Draw the positions after all moves: ${enum}." enum:"on,off" default:"off"`
	Side      int      `help:"Draw what player 1 or 2 saw, from its side; default: all pieces, player 1 below." placeholder:"1|2"`
	Step      bool     `help:"Go through one record by keys, on a terminal."`
	Openings  *int     `help:"Write the beginning of each record, its set-ups and so many moves, as a line of a file for --openings of match." placeholder:"N" xor:"begun"`
	Positions *int     `help:"The same, but the position after so many moves, without the moves that led there." placeholder:"N" xor:"begun"`
	Quiet     bool     `short:"q" help:"Show disagreements only."`
	HTML      string   `name:"html" help:"Write one record into this file, as a page that shows every position and needs nothing else; - for standard output." placeholder:"FILE" xor:"to"`
	SVG       string   `name:"svg" help:"Write one position into this file, as a picture: --ply, or the last; - for standard output." placeholder:"FILE" xor:"to"`
}

func (r *replayCommand) Run(ctx context.Context, c *stdio) error {
	if r.Side < 0 || r.Side > 2 {
		return usage(fmt.Errorf("--side %d: allowed are 1 and 2", r.Side))
	}
	if r.Step {
		return r.step(c)
	}
	if r.Openings != nil || r.Positions != nil {
		return r.openings(c)
	}
	if r.HTML != "" || r.SVG != "" {
		return r.export(ctx, c)
	}
	verified, wrong := 0, 0
	var unbegun, unusable []error
	for _, file := range r.Files {
		replay, err := readRecord(file)
		if err == nil {
			err = r.draw(c, replay)
		}
		switch {
		case errors.Is(err, record.ErrUnbegun):
			unbegun = append(unbegun, fmt.Errorf("%s: %w", file, err))
			continue
		case err != nil:
			unusable = append(unusable, fmt.Errorf("%s: %w", file, err))
			continue
		}
		verified++
		if !r.Quiet {
			describe(c, file, replay)
		}
		for _, d := range replay.Disagreements {
			fmt.Fprintf(c.out, "%s: %s\n", file, d)
		}
		if len(replay.Disagreements) > 0 {
			wrong++
		}
	}
	if verified == 0 || len(unusable) > 0 {
		return usage(errors.Join(append(unusable, unbegun...)...))
	}
	for _, err := range unbegun { // no mistake of the user's, among records that are whole
		fmt.Fprintf(c.err, "luzhanqi: %v: the referee died before its first line\n", err)
	}
	if wrong > 0 {
		verb := "disagree"
		if wrong == 1 {
			verb = "disagrees"
		}
		return failure{exitDisagrees, fmt.Errorf("%d of %s %s with the rules", wrong, text.Count(len(r.Files), "record"), verb)}
	}
	return nil
}

func readRecord(file string) (*record.Replay, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, errors.Unwrap(err) // without the path, which the caller names
	}
	defer f.Close()
	return record.Read(f, games.Find)
}

func describe(c *stdio, file string, r *record.Replay) {
	imported := ""
	if r.Header.Imported {
		imported = "; imported, so without what was said to programs"
	}
	fmt.Fprintf(c.out, "%s: %v%s\n", file, r.Header, imported)
	switch {
	case r.Torn:
		agrees := "it agrees"
		if len(r.Disagreements) > 0 {
			agrees = "it does not agree"
		}
		fmt.Fprintf(c.out, "  torn: the record breaks off after %s; so far %s with the rules\n", text.Count(len(r.Moves), "move"), agrees)
	default:
		fmt.Fprintf(c.out, "  %s: %s; %s judged again\n", r.Ending.Code, r.Ending.Reason, text.Count(len(r.Moves), "move"))
	}
}

func (r *replayCommand) draw(c *stdio, replay *record.Replay) error {
	plies := len(replay.Positions) - 1
	if r.Ply != nil && plies < 0 {
		return fmt.Errorf("--ply %d: the record has no position; it ends before both set-ups", *r.Ply)
	}
	if r.Ply != nil && (*r.Ply > plies || *r.Ply < 0) {
		return fmt.Errorf("--ply %d: allowed are 0 to %d", *r.Ply, plies)
	}
	for ply := range replay.Positions {
		if r.Board == "on" || r.Ply != nil && ply == *r.Ply {
			fmt.Fprintln(c.out, r.position(replay, ply, colorful(c.out.File)))
		}
	}
	if end := replay.Ending; end != nil && r.Side > 0 && (r.Board == "on" || r.Ply != nil && *r.Ply == plies) {
		fmt.Fprintf(c.out, "%s\n", end.Reason)
	}
	return nil
}

// openings writes the beginnings of records.
func (r *replayCommand) openings(c *stdio) error {
	lines := c.lines()
	for _, file := range r.Files {
		replay, err := readRecord(file)
		if err == nil && len(replay.Disagreements) > 0 {
			err = errors.New(replay.Disagreements[0])
		}
		var begun *opening.Text
		switch {
		case err != nil:
		case r.Positions != nil:
			begun, err = replay.Position(*r.Positions, games.Find)
		default:
			begun, err = replay.Opening(*r.Openings)
		}
		if err != nil {
			return usage(fmt.Errorf("%s: %w", file, err))
		}
		if err := lines.Encode(begun); err != nil {
			return err
		}
	}
	return nil
}

// export writes one record as a page, or one of its positions as a picture.
func (r *replayCommand) export(ctx context.Context, c *stdio) error {
	if len(r.Files) != 1 {
		return usage(fmt.Errorf("--html and --svg write one record; %d are given", len(r.Files)))
	}
	replay, err := readRecord(r.Files[0])
	if err != nil {
		return usage(fmt.Errorf("%s: %w", r.Files[0], err))
	}
	f, err := film.OfRecord(replay, games.Find)
	if err != nil {
		return usage(fmt.Errorf("%s: %w", r.Files[0], err))
	}
	m := page.Match{Film: f, Ply: f.Last(), Eyes: film.All}
	if r.Side > 0 {
		side := game.Side(r.Side - 1)
		m.Eyes, m.Flip = film.Of(side), side == game.Second
	}
	if r.Ply != nil {
		if m.Ply = *r.Ply; m.Ply < 0 || m.Ply > f.Last() {
			return usage(fmt.Errorf("--ply %d: allowed are 0 to %d", m.Ply, f.Last()))
		}
	}
	for _, d := range replay.Disagreements { // the picture is of what could be played
		fmt.Fprintf(c.err, "luzhanqi: %s: %s\n", r.Files[0], d)
	}
	name, draw := r.SVG, m.SVG
	if r.HTML != "" {
		if m.Thought, err = thoughtOf(ctx, replay); err != nil {
			return err
		}
		name, draw = r.HTML, m.File
	}
	drawn, err := draw()
	if err != nil {
		return usage(fmt.Errorf("%s: %w", r.Files[0], err))
	}
	return writeTo(c, name, func(w io.Writer) error {
		_, err := w.Write(drawn)
		return err
	})
}

// thoughtOf is what both sides of a record could know.
func thoughtOf(ctx context.Context, replay *record.Replay) (t page.Thought, err error) {
	g, err := games.Find(replay.Header.Game)
	if err != nil {
		return t, err
	}
	var both [2][2]*film.Beliefs
	for i, opinion := range []bool{false, true} {
		if both[i], err = film.BothBeliefs(ctx, replay, g, opinion); err != nil || both[i][0] == nil {
			return t, err
		}
	}
	return page.Contained(both[0], both[1]), ctx.Err()
}

// position draws the position after so many moves, with a title, and the move that led to it marked, or the illegal one that
// ended the game there.
func (r *replayCommand) position(replay *record.Replay, ply int, color bool) string {
	pos, style := replay.Positions[ply], game.DrawStyle{Color: color}
	mark := func(written string) (name string) {
		g, err := games.Find(replay.Header.Game)
		if err != nil {
			return written
		}
		m, err := g.ParseMove(written)
		if err != nil {
			return written
		}
		style.Last = &m
		if r.Side == 2 {
			return g.FormatMove(game.InFrame(g, m, game.Second))
		}
		return written
	}
	title := "initial position"
	if ply > 0 {
		move := replay.Moves[ply-1]
		title = fmt.Sprintf("ply %d: player %d plays %s (%.3f ms)", ply, move.Side, mark(move.Move), move.Took)
	}
	note := ""
	if n := len(replay.Refused); n > 0 && replay.Refused[n-1].Ply == ply+1 && replay.Ending != nil && replay.Ending.Code == referee.IllegalMove {
		refused := replay.Refused[n-1]
		note = fmt.Sprintf("marked: player %d's %s, which is illegal\n", refused.Side, mark(refused.Move))
	}
	board := ""
	if r.Side > 0 {
		title += fmt.Sprintf(", as player %d sees it", r.Side)
		board = pos.View(game.Side(r.Side - 1)).Draw(style)
	} else {
		board = pos.Draw(style)
	}
	return title + "\n" + note + strings.TrimRight(board, "\n")
}

const stepKeys = "n next   p previous   + - ten   g G first, last   1 2 0 whose view   q quit"

// step shows one record position by position, on the alternate screen of the terminal.
func (r *replayCommand) step(c *stdio) error {
	switch in := int(os.Stdin.Fd()); {
	case len(r.Files) != 1:
		return usage(fmt.Errorf("--step goes through one record; %d are given", len(r.Files)))
	case !term.IsTerminal(in) || !term.IsTerminal(int(c.out.Fd())):
		return usage(errors.New("--step needs a terminal; --ply N or --board on draw positions without one"))
	}
	replay, err := readRecord(r.Files[0])
	if err != nil {
		return usage(fmt.Errorf("%s: %w", r.Files[0], err))
	}
	plies := len(replay.Positions) - 1
	if plies < 0 {
		return usage(fmt.Errorf("%s has no position; it ends before both set-ups", r.Files[0]))
	}
	ply := 0
	if r.Ply != nil {
		if ply = *r.Ply; ply < 0 || ply > plies {
			return usage(fmt.Errorf("--ply %d: allowed are 0 to %d", ply, plies))
		}
	}
	state, err := term.MakeRaw(int(os.Stdin.Fd()))
	if err != nil {
		return err
	}
	defer term.Restore(int(os.Stdin.Fd()), state)
	fmt.Fprint(c.out, "\x1b[?1049h\x1b[?25l")
	defer fmt.Fprint(c.out, "\x1b[?25h\x1b[?1049l")
	var keys []byte
	for {
		if len(keys) == 0 { // what was typed ahead comes together
			r.screen(c, replay, ply)
			typed := make([]byte, 64)
			n, err := c.in.Read(typed)
			if err != nil {
				return nil
			}
			keys = typed[:n]
		}
		key := firstKey(keys)
		keys = keys[len(key):]
		switch string(key) {
		case "q", "\x03", "\x04", "\x1b":
			return nil
		case "n", " ", "\r", "j", "\x1b[C", "\x1b[B":
			ply++
		case "p", "k", "\x7f", "\x1b[D", "\x1b[A":
			ply--
		case "+", "\x1b[6~":
			ply += 10
		case "-", "\x1b[5~":
			ply -= 10
		case "g", "\x1b[H":
			ply = 0
		case "G", "\x1b[F":
			ply = plies
		case "0", "1", "2":
			r.Side = int(key[0] - '0')
		}
		ply = max(0, min(ply, plies))
	}
}

// firstKey is the first key of what was typed: one byte, or what a terminal sends for an arrow.
func firstKey(typed []byte) []byte {
	if typed[0] != 0x1b || len(typed) < 3 || typed[1] != '[' {
		return typed[:1]
	}
	for n := 2; n < len(typed); n++ {
		if typed[n] >= '@' {
			return typed[:n+1]
		}
	}
	return typed
}

// screen draws one position; lines end in CR LF, since the terminal is raw.
func (r *replayCommand) screen(c *stdio, replay *record.Replay, ply int) {
	lines := []string{text.Shorten(replay.Header.String(), 79)}
	lines = append(lines, strings.Split(r.position(replay, ply, colorful(c.out.File)), "\n")...)
	note := ""
	if ply == len(replay.Positions)-1 {
		if note = "the record breaks off here"; replay.Ending != nil {
			note = replay.Ending.Reason
		}
	}
	lines = append(lines, text.Shorten(note, 79), stepKeys)
	fmt.Fprint(c.out, "\x1b[H\x1b[2J"+strings.Join(lines, "\r\n"))
}
