package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/referee/record"
	"luzhanqi/text"
)

type replayCommand struct {
	Files []string `arg:"" name:"file" help:"Records to judge again."`
	Ply   *int     `help:"Draw the position after so many moves; 0 is the initial position." placeholder:"N"`
	Board string   `help:"Draw the positions after all moves: ${enum}." enum:"on,off" default:"off"`
	Side  int      `help:"Draw what player 1 or 2 saw, from its side; default: all pieces, player 1 below." placeholder:"1|2"`
	Step  bool     `help:"Go through one record by keys, on a terminal."`
	Quiet bool     `short:"q" help:"Show disagreements only."`
}

func (r *replayCommand) Run(c *stdio) error {
	if r.Side < 0 || r.Side > 2 {
		return usage(fmt.Errorf("--side %d: allowed are 1 and 2", r.Side))
	}
	if r.Step {
		return r.step(c)
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
	fmt.Fprintf(c.out, "%s: %v\n", file, r.Header)
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

// position draws the position after so many moves, with a title, and the move that led to it marked.
func (r *replayCommand) position(replay *record.Replay, ply int, color bool) string {
	pos, style := replay.Positions[ply], game.DrawStyle{Color: color}
	title := "initial position"
	if ply > 0 {
		move := replay.Moves[ply-1]
		name := move.Move
		if g, err := games.Find(replay.Header.Game); err == nil {
			if m, err := g.ParseMove(move.Move); err == nil {
				style.Last = &m
				if r.Side == 2 {
					name = g.FormatMove(game.InFrame(g, m, game.Second))
				}
			}
		}
		title = fmt.Sprintf("ply %d: player %d plays %s (%.3f ms)", ply, move.Side, name, move.Took)
	}
	board := ""
	if r.Side > 0 {
		title += fmt.Sprintf(", as player %d sees it", r.Side)
		board = pos.View(game.Side(r.Side - 1)).Draw(style)
	} else {
		board = pos.Draw(style)
	}
	return title + "\n" + strings.TrimRight(board, "\n")
}
