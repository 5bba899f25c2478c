// Package quagmire is Quagmire. Ten equal pieces a side slide like queens on eight by eight squares, or jump
// over one piece; nothing is captured, and no piece moves twice in a row. Who ends a turn with an own piece in
// Quagmire, hemmed in on every side and touched by an enemy, has lost; so has who cannot move.
//
// [Game] is its entry for referees, records and command lines. For players: [Board], all pieces on
// bitboards with their moves, and [View], which here holds the whole game. For people at a terminal:
// [Board.Draw], [TurnLine], [ReadMove], [Refusal], [Announce].
//
// README.md in this folder states the rules and where they were settled. The package chooses no
// moves and knows no clocks.
package quagmire

import (
	"time"

	"luzhanqi/game"
)

// Game is Quagmire.
type Game struct{ game.NoSetUp }

var _ game.Game = Game{}

// Name is the word that selects the game.
func (Game) Name() string { return "quagmire" }

// Title is the name for people.
func (Game) Title() string { return "Quagmire" }

// Limits are the defaults. The rules know no clock, so a second a move is ours; they know no draw
// either, and two careful players need never end, so 400 plies are one.
func (Game) Limits() game.Limits {
	return game.Limits{Move: time.Second, Grace: 200 * time.Millisecond, MaxPlies: 400}
}

// Options are none.
func (Game) Options() []game.Option { return nil }

// Protocols are the conversations with programs. What people see at a terminal is no protocol: see TurnLine.
func (Game) Protocols() []game.Protocol { return []game.Protocol{plain} }

// New is the initial position.
func (g Game) New(_ game.Rules, setUps [2]game.SetUp) (game.Position, error) {
	if err := g.CheckSetUps(setUps); err != nil {
		return nil, err
	}
	return NewPosition(), nil
}

// FormatMove writes "c2 c4".
func (Game) FormatMove(m game.Move) string { return MoveName(m) }

// ParseMove reads what FormatMove writes, and the other ways of the protocol.
func (Game) ParseMove(text string) (game.Move, error) { return ParseMove(text) }

// Analyse answers a position such as {"board": "…", "to_move": "O", "last_O": "c4"}; see Analysis.
func (Game) Analyse(_ game.Rules, line []byte) (any, error) { return Analyse(line) }
