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
	Quiet bool     `short:"q" help:"Show disagreements only."`
}

func (r *replayCommand) Run(c *stdio) error {
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
	for ply, pos := range replay.Positions {
		if r.Board != "on" && (r.Ply == nil || ply != *r.Ply) {
			continue
		}
		style := game.DrawStyle{Color: colorful(c.out.File)}
		title := "initial position"
		if ply > 0 {
			move := replay.Moves[ply-1]
			title = fmt.Sprintf("ply %d: player %d plays %s (%.3f ms)", ply, move.Side, move.Move, move.Took)
			if g, err := games.Find(replay.Header.Game); err == nil {
				if m, err := g.ParseMove(move.Move); err == nil {
					style.Last = &m
				}
			}
		}
		fmt.Fprintf(c.out, "%s\n%s\n", title, strings.TrimRight(pos.Draw(style), "\n"))
	}
	return nil
}
