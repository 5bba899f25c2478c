// Package record keeps games: it writes what happens in one, reads it back, and verifies it without the
// programs.
//
// A record is a file of JSON Lines, described in docs/record.md: a [Header], from which the game could be
// played again, then a [Line] for each message, set-up and move, and for the end. [Writer] is a
// [referee.Observer] that writes one; [Folder] gives each game of a match a file. [Read] plays a record
// through the rules and through both conversations, and says in a [Replay] where they disagree.
//
// Whoever wants to read moves only can decode the lines one at a time: their types are complete.
package record

import (
	"fmt"
	"time"

	"luzhanqi/game"
	"luzhanqi/player"
	"luzhanqi/process/sandbox"
	"luzhanqi/referee"
	"luzhanqi/referee/adjudication"
	"luzhanqi/referee/opening"
)

// Schema is the version of the record format. docs/record.md describes it.
const Schema = 2

// Header is the first line of a record: all that is needed to play the game again, but for where and with what
// confinement programs ran.
type Header struct {
	Event   string    `json:"event"` // "header"
	Schema  int       `json:"schema"`
	Version string    `json:"version"` // of this program
	Game    string    `json:"game"`
	Rules   string    `json:"rules"` // of the game, every option written out
	Retries int       `json:"illegal_retries"`
	Limits  Limits    `json:"limits"`
	Players [2]Player `json:"players"`
	Seed    uint64    `json:"seed"`   // of the match
	Number  int       `json:"number"` // of the game in the match, from 1
	Attempt int       `json:"attempt"`
	// Opening is what nobody has chosen; nil: nothing.
	Opening     *opening.Text `json:"opening,omitempty"`
	Started     time.Time     `json:"started"`
	Concurrency int           `json:"concurrency"`
	Processor   *int          `json:"processor,omitempty"` // to which the game and its programs were bound
	Sandbox     *Sandbox      `json:"sandbox,omitempty"`   // of the programs; not in schema 1
	// Imported: the record was made from a notation that holds no messages, so the rules judge it, and no conversation does.
	Imported bool `json:"imported,omitempty"`
	// Adjudication is the rule by which games end whose result is clear; null: they are not ended.
	Adjudication *adjudication.Rule `json:"adjudication,omitempty"`
}

// Sandbox is how far programs were shut in.
type Sandbox struct {
	Profile sandbox.Profile `json:"profile"`
	Level   sandbox.Level   `json:"level"` // what of it the machine could enforce
	// By is the way by which it could, if that is not by namespaces of its own: bubblewrap or user-namespace.
	By string `json:"by,omitempty"`
}

// Limits are those of a game, in milliseconds.
type Limits struct {
	SetUp    float64 `json:"setup_ms"`
	First    float64 `json:"first_ms,omitempty"`
	Move     float64 `json:"move_ms"`
	Start    float64 `json:"start_ms,omitempty"`
	Grace    float64 `json:"grace_ms"`
	MaxPlies int     `json:"max_plies"`
	// Total and Increment are for all moves of a side, instead of First and Move.
	Total     float64 `json:"total_ms,omitempty"`
	Increment float64 `json:"increment_ms,omitempty"`
	// Clock is empty where what others took is given back.
	Clock game.Clock `json:"clock,omitempty"`
}

// Player is who sat at one seat.
type Player struct {
	Name     string           `json:"name"`
	Command  []string         `json:"command,omitempty"` // of a program, without what the protocol adds
	Protocol string           `json:"protocol,omitempty"`
	Adapter  *referee.Adapter `json:"adapter,omitempty"`
	OneByOne bool             `json:"one_by_one,omitempty"` // each message was written by itself
	Level    string           `json:"level,omitempty"`      // of a built-in player
	Nodes    int              `json:"nodes,omitempty"`
	Person   bool             `json:"person,omitempty"` // at a terminal, without a clock
	Remote   *Remote          `json:"remote,omitempty"` // of a program at the other end of a connection, instead of Command
	// Limits are its own, instead of the game's but for the cap of plies.
	Limits *Limits `json:"limits,omitempty"`
}

// Remote is what is known of a program that played over a network.
type Remote struct {
	Grace float64 `json:"grace_ms"` // for which its connection might be broken
}

// Line is any later line of a record; which members it has depends on Event.
type Line struct {
	Event   string        `json:"event"`          // "sent", "received", "setup", "move", "illegal", "end"
	T       float64       `json:"t_ms"`           // since the header
	Side    int           `json:"side,omitempty"` // 1 or 2
	Ply     int           `json:"ply,omitempty"`  // of a move: 1 for the first
	Text    string        `json:"text,omitempty"` // sent, received: the bytes, if they are UTF-8
	Bytes   []byte        `json:"base64,omitempty"`
	Args    []string      `json:"arguments,omitempty"` // sent: of a process started for this question
	Heard   referee.Heard `json:"heard,omitempty"`     // received
	SetUp   string        `json:"setup,omitempty"`
	Move    string        `json:"move,omitempty"` // in player 1's frame
	Took    float64       `json:"took_ms,omitempty"`
	Starved float64       `json:"starved_ms,omitempty"` // of it, what others took
	// RoundTrip is the latest of the mover's connection, Broken for how long there was none in this turn: of a program elsewhere.
	RoundTrip float64  `json:"round_trip_ms,omitempty"`
	Broken    float64  `json:"broken_ms,omitempty"`
	Drawn     bool     `json:"drawn,omitempty"`   // move: by the referee
	Opening   bool     `json:"opening,omitempty"` // move: nobody has chosen it
	Comment   string   `json:"comment,omitempty"` // move: the program's
	Why       string   `json:"why,omitempty"`
	Left      *float64 `json:"left_ms,omitempty"` // move: on the mover's total clock after it, the increment added
	Value     *float64 `json:"value,omitempty"`   // move: of the position before it, as the mover sees it, by the adjudicating level
	// Explanation of a move by a player of ours; its format is that of luzhanqi player --explain.
	Explanation *player.Explanation `json:"explanation,omitempty"`
	End         *referee.Ending     `json:"end,omitempty"`
}

// String names the game for people.
func (h Header) String() string {
	return fmt.Sprintf("%s: %s – %s, game %d of seed %d", h.Game, h.Players[0].Name, h.Players[1].Name, h.Number, h.Seed)
}
