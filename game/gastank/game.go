// Package gastank is GasTank chess, a small chess on eight by seven squares. Every move costs the piece one
// of three measures of gas, a capture fills its tank, own pieces but the king may be captured too, and a piece
// without gas cannot move. Who takes the king, or leaves the opponent without a move, wins.
//
// [Game] is its entry for referees, records and command lines. For players: [Board], all pieces on
// bitboards with their moves, and [View]. Two conversations: [Plain] for programs written for a
// referee, and, in package console below, that of programs that take the referee for a person at a
// keyboard.
//
// README.md in this folder states the rules, where they were settled, and both conversations. The package
// chooses no moves and knows no clocks.
package gastank

import (
	_ "embed"
	"time"

	"luzhanqi/game"
)

// Game is GasTank chess.
type Game struct {
	game.NoSetUp
	// Console is the protocol of programs that take the referee for a person, which package console
	// has; nil: the game is without it.
	Console game.Protocol
}

func (Game) Name() string  { return "gastank" }
func (Game) Title() string { return "GasTank chess" }

//go:embed README.md
var page string

// Page is the game's README: rules and conversations.
func (Game) Page() string { return page }

// Goal is what a person has to know before the first move.
func (Game) Goal() string {
	return "You win by capturing the king, or by leaving the opponent without a move. The digit of a piece is its gas: each " +
		"move costs 1, a capture fills the tank to 3, and a piece with 0 cannot move. Own pieces but the king may be " +
		"captured, too. The queen moves as a knight or a bishop."
}

// Limits are the defaults: the assignment's five seconds a move. There is no cap of plies: every game
// ends within MaxPlies.
func (Game) Limits() game.Limits {
	return game.Limits{Move: 5 * time.Second, Grace: 200 * time.Millisecond}
}

func (Game) Options() []game.Option { return nil }

func (g Game) Protocols() []game.Protocol {
	if g.Console == nil {
		return []game.Protocol{Plain}
	}
	return []game.Protocol{Plain, g.Console}
}

func (g Game) New(_ game.Rules, setUps [2]game.SetUp) (game.Position, error) {
	if err := g.CheckSetUps(setUps); err != nil {
		return nil, err
	}
	return NewPosition(), nil
}

func (Game) FormatMove(m game.Move) string            { return MoveName(m) }
func (Game) ParseMove(text string) (game.Move, error) { return ParseMove(text) }

func (Game) Analyse(_ game.Rules, line []byte) (any, error) { return Analyse(line) }
