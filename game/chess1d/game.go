// Package chess1d is one-dimensional chess. Each side places four pieces on its six squares of a row of
// fifteen, each in one of two forms; they leap by fixed distances, some of them otherwise when they capture.
// Who captures the enemy's king or queen, which is the royal piece, wins.
//
// [Game] is its entry for referees, records and command lines. For players: [Board], which knows the
// moves; [View], what one side knows, which is everything once the set-ups are laid open; [SetUp].
//
// README.md in this folder states the rules, where they were settled, and the conversation. The package
// chooses no moves and knows no clocks.
package chess1d

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"luzhanqi/game"
)

// Game is 1-D chess.
type Game struct{}

var _ game.Framed = Game{}

func (Game) Name() string  { return "chess1d" }
func (Game) Title() string { return "1-D chess (leapers on fifteen squares)" }

//go:embed README.md
var page string

// Page is the game's README: rules and conversations.
func (Game) Page() string { return page }

// Goal is what a person has to know before the first move.
func (Game) Goal() string {
	return "You win by capturing the enemy's king or queen, whichever it has. f moves 1 forward and captures 2 forward; h " +
		"moves 2 or 3 forward or 1 back, where it captures; a moves 1 forward or 2 back and captures 4 forward; k moves " +
		"and captures 1 back. c, s, t and q are the same, the other way."
}

// Limits are the defaults. Nobody states a limit: a second is plenty for a game of this size, and a
// program is started anew for each answer, which for Java or node takes a good part of another.
func (Game) Limits() game.Limits {
	return game.Limits{
		SetUp: time.Second, Move: time.Second, Start: time.Second, Grace: 200 * time.Millisecond, MaxPlies: 200,
	}
}

func (Game) Options() []game.Option {
	return []game.Option{{
		Name: "nomoves", Allowed: []string{"loss", "draw"},
		Help: "what it means to have no legal move: the mover loses, or nobody wins",
	}}
}

func noMovesDraws(rules game.Rules) bool { return rules["nomoves"] == "draw" }

func (Game) Protocols() []game.Protocol { return []game.Protocol{standard} }
func (Game) HasSetUp() bool             { return true }

// ParseSetUp reads six characters for the squares 0 to 5; a dot or an underscore is a blank too.
func (Game) ParseSetUp(text string) (game.SetUp, error) {
	s, err := ParseSetUp(strings.NewReplacer(".", " ", "_", " ").Replace(text))
	return game.SetUp(s.String()), err
}

func (Game) CheckSetUp(text game.SetUp) error {
	_, err := ParseSetUp(string(text))
	return err
}

// RandomSetUp draws from all 5,760 set-ups, each equally likely.
func (Game) RandomSetUp(r *rand.Rand) game.SetUp { return game.SetUp(RandomSetUp(r).String()) }

func (Game) New(rules game.Rules, setUps [2]game.SetUp) (game.Position, error) {
	armies, err := game.ParseSetUps(setUps, ParseSetUp)
	if err != nil {
		return nil, err
	}
	return NewPosition(Deploy(armies[0], armies[1]), game.First, noMovesDraws(rules)), nil
}

func (Game) FormatMove(m game.Move) string { return MoveName(m) }

func (Game) ParseMove(text string) (game.Move, error) {
	m, ok := parseMove(text)
	if !ok {
		return m, fmt.Errorf("move %.40q: allowed are two of the squares 0 to 9 and a to e, such as 24", text)
	}
	return m, nil
}

func (Game) InFrame(m game.Move, side game.Side) game.Move {
	if side == game.Second {
		return TurnMove(m)
	}
	return m
}

func (Game) Analyse(_ game.Rules, line []byte) (any, error) { return Analyse(line) }
