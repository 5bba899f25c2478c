package gastank

import (
	"errors"
	"fmt"
	"slices"

	"luzhanqi/game"
	"luzhanqi/text"
)

// Analysis holds the facts about a position that Analyse returns, to be marshalled.
type Analysis struct {
	Legal  []string `json:"legal"` // such as "A3D6", in alphabetical order; empty when the game is over
	Result *Result  `json:"result"`
}

// Result is how the game has ended.
type Result struct {
	Winner string `json:"winner"` // "lower" or "upper"
	Reason string `json:"reason"` // "king captured" or "no legal moves"
}

// sideNames are the sides in analyses, where either may move first.
var sideNames = [2]string{game.First: "lower", game.Second: "upper"}

// Analyse reads one JSON object with "board" (see ParseBoard) and "to_move" ("lower" or "upper"); its
// other members are ignored.
func Analyse(line []byte) (Analysis, error) {
	b, side, err := parsePosition(line)
	if err != nil {
		return Analysis{}, fmt.Errorf("position: %w", err)
	}
	a := Analysis{Legal: []string{}}
	for _, m := range b.Moves(side, nil) {
		a.Legal = append(a.Legal, MoveName(m))
	}
	slices.Sort(a.Legal)
	if outcome, over := b.Outcome(side); over {
		a.Result = &Result{Winner: sideNames[outcome.Winner], Reason: outcome.Reason}
	}
	return a, nil
}

func parsePosition(line []byte) (b Board, side game.Side, err error) {
	var position struct {
		Board  *string `json:"board"`
		ToMove *string `json:"to_move"`
	}
	if err := game.DecodePosition(line, &position, `{"board": …, "to_move": "lower"}`); err != nil {
		return b, side, err
	}
	switch {
	case position.Board == nil:
		return b, side, errors.New(`"board" is missing`)
	case position.ToMove == nil:
		return b, side, errors.New(`"to_move" is missing: allowed are "lower" and "upper"`)
	}
	at := slices.Index(sideNames[:], *position.ToMove)
	if at < 0 {
		return b, side, fmt.Errorf(`"to_move" is %s: allowed are "lower" and "upper"`, text.Quote(*position.ToMove, 40))
	}
	b, err = ParseBoard(*position.Board)
	return b, game.Side(at), err
}
