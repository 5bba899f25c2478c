package chess1d

import (
	"errors"
	"fmt"
	"slices"

	"luzhanqi/game"
)

// Analysis holds the facts about a position that Analyse returns, to be marshalled.
type Analysis struct {
	Legal   []string `json:"legal"`   // such as "24", in alphabetical order; empty: the game is over
	Winning []string `json:"winning"` // those of Legal that capture the enemy's royal piece
	Result  *string  `json:"result"`  // nil: the game goes on
}

// Analyse reads one JSON object with "board", fifteen characters as the side to move sees them, its
// own pieces small; other members are ignored.
func Analyse(line []byte) (Analysis, error) {
	b, err := readBoard(line)
	if err != nil {
		return Analysis{}, fmt.Errorf("position: %w", err)
	}
	a := Analysis{Legal: []string{}, Winning: []string{}}
	result := ""
	switch {
	case !b.HasRoyal(game.First):
		result = "own royal captured"
	case !b.HasRoyal(game.Second):
		result = "enemy royal captured"
	default:
		for _, m := range b.Moves(game.First, nil) {
			a.Legal = append(a.Legal, MoveName(m))
			next := b
			if _, royal := next.Play(m); royal {
				a.Winning = append(a.Winning, MoveName(m))
			}
		}
		if len(a.Legal) == 0 {
			result = "no legal moves"
		}
	}
	if result != "" {
		a.Result = &result
	}
	slices.Sort(a.Legal)
	slices.Sort(a.Winning)
	return a, nil
}

func readBoard(line []byte) (b Board, err error) {
	var position struct {
		Board *string `json:"board"`
	}
	if err := game.DecodePosition(line, &position, `{"board": "kahf       FHAK"}`); err != nil {
		return b, err
	}
	if position.Board == nil {
		return b, errors.New(`"board" is missing`)
	}
	return ParseBoard(*position.Board)
}

var _ game.Positional = Game{}

// position is what an opening says of one: the board as the side to move sees it.
type position struct {
	Board string     `json:"board"`
	Mover *game.Side `json:"to_move"` // nil: player 1
}

func (Game) ParsePosition(rules game.Rules, text []byte) (game.Position, error) {
	b, err := readBoard(text)
	if err != nil {
		return nil, err
	}
	var who struct {
		Mover *game.Side `json:"to_move"`
	}
	if err := game.DecodePosition(text, &who, `{"board": "kahf       FHAK", "to_move": 1}`); err != nil {
		return nil, err
	}
	side := game.First
	if who.Mover != nil {
		side = *who.Mover
	}
	return NewPosition(b.InFrame(side), side, noMovesDraws(rules)), nil
}

func (Game) FormatPosition(pos game.Position) []byte {
	p := pos.(*Position)
	mover := p.Mover()
	return game.EncodePosition(position{p.board.InFrame(mover).String(), &mover})
}
