package jungle

import (
	"errors"
	"fmt"

	"luzhanqi/game"
)

// Analysis holds the facts about a position that Analyse returns, to be marshalled.
type Analysis struct {
	// Legal are the moves, such as "0 6 0 5", in the referee's order; empty: the game is over, and
	// the mover has lost.
	Legal []string `json:"legal"`
}

// Analyse reads one JSON object with "units" (see ParseBoard) and "to_move" ("red" or "blue"); its
// other members are ignored. The order of the units does not matter.
func Analyse(line []byte, r Reading) (Analysis, error) {
	b, side, err := parsePosition(line, r)
	if err != nil {
		return Analysis{}, fmt.Errorf("position: %w", err)
	}
	a := Analysis{Legal: []string{}}
	for _, m := range NewPosition(b, side).Moves(nil) {
		a.Legal = append(a.Legal, MoveName(m))
	}
	return a, nil
}

func parsePosition(line []byte, r Reading) (b Board, side game.Side, err error) {
	var position struct {
		Units *string `json:"units"`
		Mover *string `json:"to_move"`
	}
	if err := game.DecodePosition(line, &position, `{"units": "E06 r02", "to_move": "red"}`); err != nil {
		return b, side, err
	}
	switch {
	case position.Units == nil:
		return b, side, errors.New(`"units" is missing`)
	case position.Mover == nil:
		return b, side, errors.New(`"to_move" is missing: allowed are "red" and "blue"`)
	}
	if side, err = parseColor(*position.Mover); err != nil {
		return b, side, fmt.Errorf("to_move: %w", err)
	}
	if b, err = ParseBoard(*position.Units, r); err != nil {
		err = fmt.Errorf("units: %w", err)
	}
	return b, side, err
}

var _ game.Positional = Game{}

// position is what an opening says of one.
type position struct {
	Units string `json:"units"`
	Mover string `json:"to_move"`
}

func (Game) ParsePosition(rules game.Rules, text []byte) (game.Position, error) {
	b, side, err := parsePosition(text, reading(rules))
	if err != nil {
		return nil, err
	}
	return NewPosition(b, side), nil
}

func (Game) FormatPosition(pos game.Position) []byte {
	p := pos.(*Position)
	return game.EncodePosition(position{p.board.String(), Color(p.Mover())})
}
