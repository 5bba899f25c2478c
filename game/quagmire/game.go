// Package quagmire provides the rules of Quagmire. Ten equal pieces a side slide like queens on eight by eight squares, or jump
// over one piece; nothing is captured, and no piece moves twice in a row. A player loses
// by ending a turn with an own piece in Quagmire (hemmed in on every side and touched by an enemy), or by having
// no move.
//
// [Game] is its entry for referees, records and command lines. For players: [Board], all pieces on
// bitboards with their moves, and [View], which here holds the whole game. For people at a terminal:
// [Board.Draw], [TurnLine], [ReadMove], [Refusal], [Announce].
//
// README.md in this folder states the rules and where they were settled. The package chooses no
// moves and knows no clocks.
package quagmire

import (
	_ "embed"
	"time"

	"luzhanqi/game"
)

// Game is Quagmire.
type Game struct{ game.NoSetUp }

func (Game) Name() string  { return "quagmire" }
func (Game) Title() string { return "Quagmire" }

//go:embed README.md
var page string

// Page is the game's README: rules and conversations.
func (Game) Page() string { return page }

// Goal is what a person has to know before the first move.
func (Game) Goal() string {
	return "You lose if you end your turn with a piece of yours in Quagmire, all squares around it occupied and at least one " +
		"of them by an enemy; or if you cannot move. Pieces slide like queens, or jump over one own piece; nothing is " +
		"captured, and no piece moves twice in a row."
}

// Limits are the defaults. The rules know no clock, so a second a move is ours; they know no draw
// either, and two careful players need never end, so 400 plies are one.
func (Game) Limits() game.Limits {
	return game.Limits{Move: time.Second, Grace: 200 * time.Millisecond, MaxPlies: 400}
}

func (Game) Options() []game.Option { return nil }

// Protocols are the conversations with programs. What people see at a terminal is no protocol: see TurnLine.
func (Game) Protocols() []game.Protocol { return []game.Protocol{plain} }

func (g Game) New(_ game.Rules, setUps [2]game.SetUp) (game.Position, error) {
	if err := g.CheckSetUps(setUps); err != nil {
		return nil, err
	}
	return NewPosition(), nil
}

func (Game) FormatMove(m game.Move) string { return MoveName(m) }

// ParseMove reads what FormatMove writes, and the other ways of the protocol.
func (Game) ParseMove(text string) (game.Move, error) { return ParseMove(text) }

func (Game) Analyse(_ game.Rules, line []byte) (any, error) { return Analyse(line) }
