package luzhanqi

import (
	"errors"
	"fmt"
	"slices"

	"luzhanqi/game"
)

// Analysis holds the facts about a position that Analyse returns, to be marshalled.
type Analysis struct {
	Legal  []string          `json:"legal"`  // such as "A6 A7", in alphabetical order; empty: the mover has lost
	Combat map[string]Result `json:"combat"` // by legal move onto an enemy piece
}

// Analyse reads one JSON object with "board" (see ParseBoard) and "to_move" (1 or 2); its other
// members are ignored.
func Analyse(line []byte, minesStay bool) (Analysis, error) {
	b, side, err := parsePosition(line)
	if err != nil {
		return Analysis{}, fmt.Errorf("position: %w", err)
	}
	a := Analysis{Legal: []string{}, Combat: map[string]Result{}}
	for _, m := range b.Moves(side, nil) {
		name := MoveName(m)
		a.Legal = append(a.Legal, name)
		next := b
		if result, _, _ := next.Play(m, minesStay); result != Quiet {
			a.Combat[name] = result
		}
	}
	slices.Sort(a.Legal)
	return a, nil
}

func parsePosition(line []byte) (b Board, side game.Side, err error) {
	var position struct {
		Board  *string    `json:"board"`
		ToMove *game.Side `json:"to_move"`
	}
	if err := game.DecodePosition(line, &position, `{"board": "A1:L1 B1:31", "to_move": 1}`); err != nil {
		return b, side, err
	}
	switch {
	case position.Board == nil:
		return b, side, errors.New(`"board" is missing`)
	case position.ToMove == nil:
		return b, side, errors.New(`"to_move" is missing: allowed are 1 and 2`)
	}
	if b, err = ParseBoard(*position.Board); err != nil {
		err = fmt.Errorf("board: %w", err)
	}
	return b, *position.ToMove, err
}
