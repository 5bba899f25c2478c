package quagmire

import (
	"errors"
	"fmt"
	"slices"

	"luzhanqi/game"
)

// Analysis holds the facts about a position that Analyse returns, to be marshalled. All
// lists are in alphabetical order.
type Analysis struct {
	Legal          []string `json:"legal"`           // such as "c2 c4"; empty when the game is over
	EnemyJumps     []string `json:"enemy_jumps"`     // those of the legal moves that jump an enemy piece
	QuagmiredMover []string `json:"quagmired_mover"` // pieces in Quagmire of the side to move
	QuagmiredOther []string `json:"quagmired_other"` // and of the side that has just moved
	Result         *Result  `json:"result"`          // nil while the game goes on
}

// Result is the end of a game.
type Result struct {
	Winner string `json:"winner"` // O or X
	Reason string `json:"reason"`
}

// Analyse reads one JSON object with "board" (see ParseBoard), "to_move" ("O" or "X") and, if there
// are any, "last_O" and "last_X": where the piece stands that the side moved on its last turn. Other
// members are ignored.
func Analyse(line []byte) (Analysis, error) {
	b, side, err := parsePosition(line)
	if err != nil {
		return Analysis{}, fmt.Errorf("position: %w", err)
	}
	other := side.Other()
	a := Analysis{
		Legal: []string{}, EnemyJumps: []string{},
		QuagmiredMover: sorted(squareNames(b.Quagmired(side))), QuagmiredOther: sorted(squareNames(b.Quagmired(other))),
	}
	if o, over := b.Outcome(other); over {
		a.Result = &Result{Winner: string(Letter(o.Winner)), Reason: o.Reason}
		return a, nil
	}
	for _, m := range b.Moves(side, nil) {
		a.Legal = append(a.Legal, MoveName(m))
		if b.EnemyJump(side, m) {
			a.EnemyJumps = append(a.EnemyJumps, MoveName(m))
		}
	}
	sorted(a.Legal)
	sorted(a.EnemyJumps)
	return a, nil
}

func sorted(names []string) []string {
	slices.Sort(names)
	return names
}

func parsePosition(line []byte) (b Board, side game.Side, err error) {
	var position struct {
		Board  *string `json:"board"`
		ToMove *string `json:"to_move"`
		LastO  *string `json:"last_O"`
		LastX  *string `json:"last_X"`
	}
	if err := game.DecodePosition(line, &position, `{"board": …, "to_move": "O", "last_O": "c4", "last_X": null}`); err != nil {
		return b, side, err
	}
	switch {
	case position.Board == nil:
		return b, side, errors.New(`"board" is missing`)
	case position.ToMove == nil:
		return b, side, errors.New(`"to_move" is missing: allowed are "O" and "X"`)
	}
	return placed(*position.Board, *position.ToMove, [2]*string{position.LastO, position.LastX})
}

// placed reads a board, who is to move, and where the piece stands that each side moved last; nil: none.
func placed(board, mover string, moved [2]*string) (b Board, side game.Side, err error) {
	if side, err = ParseSide(mover); err != nil {
		return b, side, fmt.Errorf("to_move: %w", err)
	}
	if b, err = ParseBoard(board); err != nil {
		return b, side, fmt.Errorf("board: %w", err)
	}
	last := b.last
	for i, name := range moved {
		if name == nil {
			continue
		}
		if last[i], err = ParseSquare(*name); err != nil {
			return b, side, fmt.Errorf("last_%c: %w", Letter(game.Side(i)), err)
		}
	}
	b, err = NewBoard(b.of, last)
	return b, side, err
}

var _ game.Positional = Game{}

// position is what an opening says of one.
type position struct {
	Board string  `json:"board"`
	Mover string  `json:"to_move"`
	LastO *string `json:"last_O"`
	LastX *string `json:"last_X"`
}

func (Game) ParsePosition(_ game.Rules, text []byte) (game.Position, error) {
	b, side, err := parsePosition(text)
	if err != nil {
		return nil, err
	}
	return begin(b, side), nil
}

// begin is the position in which a game begins with side to move.
func begin(b Board, side game.Side) *Position {
	p := &Position{Turn: game.Turn{}.Of(side), board: b}
	if o, over := b.Outcome(side.Other()); over {
		p.End(o)
	}
	return p
}

func (Game) FormatPosition(pos game.Position) []byte {
	p := pos.(*Position)
	last := [2]*string{}
	for side := range last {
		if sq := p.board.Last(game.Side(side)); sq != NoSquare {
			name := SquareName(sq)
			last[side] = &name
		}
	}
	return game.EncodePosition(position{p.board.String(), string(Letter(p.Mover())), last[0], last[1]})
}
