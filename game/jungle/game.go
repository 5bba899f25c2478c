// Package jungle provides the rules of Jungle (animal chess, 鬥獸棋). Eight animals a side step over a board of 7×9 squares with
// water, traps and dens; each captures pieces that are not stronger, but the rat takes the elephant, and lion and
// tiger jump over water. A side wins by entering the enemy's den or leaving the enemy without a move.
//
// [Game] is its entry for referees, records and command lines. For players: [Board], all pieces with
// their moves in 40 bytes; [View], which holds one; and the tables of [Steps] and [Reach].
//
// The rules are those of the public referee for which programs are written; README.md in this folder states
// them, and where the assignment's words differ. The package chooses no moves and knows no clocks.
package jungle

import (
	_ "embed"
	"fmt"
	"time"

	"luzhanqi/game"
)

// Game is Jungle.
type Game struct{ game.NoSetUp }

func (Game) Name() string  { return "jungle" }
func (Game) Title() string { return "Jungle (animal chess, Dou Shou Qi)" }

//go:embed README.md
var page string

// Page is the game's README: rules and conversations.
func (Game) Page() string { return page }

// Goal is what a person has to know before the first move.
func (Game) Goal() string {
	return "You win by entering the enemy's den, [獸穴], or by leaving the enemy without a move. Animals step one square and " +
		"take what is not stronger: elephant, lion, tiger, panther, dog, wolf, cat, rat. The rat takes the elephant and " +
		"swims; lion and tiger jump over water; who stands on a trap, (陷阱), can be taken by anybody."
}

// Limits are those of the public referee, which calls 150 moves, 75 of each side, a draw.
func (Game) Limits() game.Limits {
	return game.Limits{First: time.Second, Move: 150 * time.Millisecond, Grace: 200 * time.Millisecond, MaxPlies: 150}
}

// Options are the rules in which the assignment's words and its public referee differ.
func (Game) Options() []game.Option {
	return []game.Option{{
		Name: "rules", Allowed: []string{"referee", "statement"},
		Help: "how strong an attacker on a trap is: as always (the public referee), or 0 (the statement's words)",
	}}
}

func reading(rules game.Rules) Reading {
	if rules["rules"] == "statement" {
		return Statement
	}
	return Referee
}

func (Game) Protocols() []game.Protocol { return []game.Protocol{lines{}} }

func (g Game) New(rules game.Rules, setUps [2]game.SetUp) (game.Position, error) {
	if err := g.CheckSetUps(setUps); err != nil {
		return nil, err
	}
	return NewPosition(Start(reading(rules)), game.First), nil
}

func (Game) FormatMove(m game.Move) string { return MoveName(m) }

func (Game) ParseMove(text string) (game.Move, error) {
	m, rest, err := cutMove(text)
	if err == nil && rest != "" {
		err = fmt.Errorf("%.20q follows", rest)
	}
	if err != nil {
		return game.Move{}, fmt.Errorf("move %.40q: %w", text, err)
	}
	return m, nil
}

func (Game) Analyse(rules game.Rules, line []byte) (any, error) {
	return Analyse(line, reading(rules))
}
