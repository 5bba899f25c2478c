// Package notation writes recorded games in forms that other programs read, and reads two of them back: a text much like
// chess's PGN, JSON Lines, and tables of comma-separated values. docs/record.md describes them.
//
// [Of] makes a [Game] of a record that was read; [NewWriter] writes games, [NewReader] reads them, and [Game.Record] makes a
// record again, which the rules judge like any other. What programs and the referee said to each other is in none of
// the forms.
package notation

import (
	"errors"
	"fmt"
	"time"

	"luzhanqi/referee"
	"luzhanqi/referee/adjudication"
	"luzhanqi/referee/opening"
	"luzhanqi/referee/record"
)

// Game is one game as the notations hold it. Squares of moves are in player 1's frame, those of set-ups in their own side's.
type Game struct {
	Source  string           `json:"source,omitempty"` // where its record was found
	Game    string           `json:"game"`
	Rules   string           `json:"rules,omitempty"` // every option written out; empty: the defaults
	Retries int              `json:"illegal_retries,omitempty"`
	Players [2]record.Player `json:"players"`
	SetUps  [2]*SetUp        `json:"setups"` // null: the side gave none
	Moves   []Move           `json:"moves"`  // the refused ones, too
	Result  Result           `json:"result"`
	// Ending is null if the record breaks off. It holds no more than the notations do.
	Ending  *referee.Ending `json:"ending"`
	Limits  *record.Limits  `json:"limits,omitempty"`
	Seed    uint64          `json:"seed"`
	Number  int             `json:"number,omitempty"`
	Attempt int             `json:"attempt,omitempty"`
	Version string          `json:"version,omitempty"` // of the program that refereed it
	Started *time.Time      `json:"started,omitempty"`

	Opening      *opening.Text      `json:"opening,omitempty"` // what nobody has chosen
	Adjudication *adjudication.Rule `json:"adjudication,omitempty"`
}

// SetUp is a set-up and the time it took in milliseconds, if that was asked for.
type SetUp struct {
	SetUp   string  `json:"setup"`
	Took    float64 `json:"took_ms,omitempty"`
	Starved float64 `json:"starved_ms,omitempty"`
}

// Move is a move, or an illegal one that was refused.
type Move struct {
	Move    string  `json:"move"`
	Refused bool    `json:"refused,omitempty"`
	Drawn   bool    `json:"drawn,omitempty"`   // by the referee, for a player who left it the choice
	Opening bool    `json:"opening,omitempty"` // nobody has chosen it
	Took    float64 `json:"took_ms,omitempty"` // if times were asked for
	Starved float64 `json:"starved_ms,omitempty"`
	Comment string  `json:"comment,omitempty"` // of the program, if comments were asked for
	// Value is that of the position before it, in a game with adjudication.
	Value *float64 `json:"value,omitempty"`
}

// Result is who won: "1-0", "0-1", "1/2-1/2", or "*" for a game that does not count or breaks off.
type Result string

// The results.
const (
	FirstWon  Result = "1-0"
	SecondWon Result = "0-1"
	Tied      Result = "1/2-1/2"
	None      Result = "*"
)

// resultOf is the result of an ending; nil: none yet.
func resultOf(e *referee.Ending) Result {
	switch {
	case e == nil || e.Code == referee.Void:
		return None
	case e.Winner == nil:
		return Tied
	case *e.Winner == 0:
		return FirstWon
	}
	return SecondWon
}

// Options say what is written besides the game itself.
type Options struct {
	Times    bool // of set-ups and moves
	Comments bool // of programs
}

// Of is the game of a record. A record that the rules disagree with is an error: it could not be read back.
func Of(r *record.Replay, o Options) (*Game, error) {
	if len(r.Disagreements) > 0 {
		return nil, errors.New(r.Disagreements[0])
	}
	h := &r.Header
	g := &Game{
		Game: h.Game, Rules: h.Rules, Retries: h.Retries, Players: h.Players, Result: resultOf(r.Ending), Limits: &h.Limits,
		Seed: h.Seed, Number: h.Number, Attempt: h.Attempt, Version: h.Version, Started: &h.Started, Moves: []Move{},
		Opening: h.Opening, Adjudication: h.Adjudication,
	}
	for side := range g.Players {
		g.Players[side].Adapter = nil
		if given := r.Given[side]; given != nil {
			g.SetUps[side] = &SetUp{SetUp: given.SetUp}
			if o.Times {
				g.SetUps[side].Took, g.SetUps[side].Starved = given.Took, given.Starved
			}
		}
	}
	if e := r.Ending; e != nil {
		g.Ending = &referee.Ending{Code: e.Code, Winner: e.Winner, Fault: e.Fault, Reason: e.Reason, Plies: e.Plies, VoidBy: e.VoidBy, Value: e.Value}
	}
	refused := r.Refused
	for i := 0; ; i++ {
		for len(refused) > 0 && refused[0].Ply == i+1 {
			g.Moves = append(g.Moves, Move{Move: refused[0].Move, Refused: true})
			refused = refused[1:]
		}
		if i == len(r.Moves) {
			break
		}
		line := r.Moves[i]
		m := Move{Move: line.Move, Drawn: line.Drawn, Opening: line.Opening, Value: line.Value}
		if o.Times {
			m.Took, m.Starved = line.Took, line.Starved
		}
		if o.Comments {
			m.Comment = line.Comment
		}
		g.Moves = append(g.Moves, m)
	}
	if len(refused) > 0 {
		return nil, fmt.Errorf("an illegal move at ply %d of %d", refused[0].Ply, len(r.Moves))
	}
	return g, nil
}

// A Format is a form in which games are written.
type Format string

// The formats.
const (
	Text      Format = "text"
	JSONLines Format = "jsonl"
	CSV       Format = "csv"
)
