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
	return placed(*position.Board, *position.ToMove)
}

// placed reads a board and who is to move.
func placed(board, mover string) (b Board, side game.Side, err error) {
	at := slices.Index(sideNames[:], mover)
	if at < 0 {
		return b, side, fmt.Errorf(`"to_move" is %s: allowed are "lower" and "upper"`, text.Quote(mover, 40))
	}
	b, err = ParseBoard(board)
	return b, game.Side(at), err
}

var _ game.Positional = Game{}

// position is what an opening says of one.
type position struct {
	Board string `json:"board"`
	Mover string `json:"to_move"`
}

func (Game) ParsePosition(_ game.Rules, text []byte) (game.Position, error) {
	b, side, err := parsePosition(text)
	if err != nil {
		return nil, err
	}
	return Position{Turn: game.Turn{}.Of(side), board: b}, nil
}

func (Game) FormatPosition(pos game.Position) []byte {
	p := pos.(Position)
	return game.EncodePosition(position{p.board.String(), sideNames[p.Mover()]})
}
