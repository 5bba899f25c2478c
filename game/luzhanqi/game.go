// Package luzhanqi is Chinese army chess. Two armies of 25 pieces, whose ranks the other side cannot see,
// move along roads and railways. A piece that enters an enemy's square fights: the higher rank stays, equals
// and bombs take both away. Who captures the flag, or leaves the enemy without a move, wins.
//
// [Game] is its entry for referees, records and command lines. For players: [Board], all pieces on
// bitboards with their moves; [View], what one side knows; [SetUp]; [Combat].
//
// The rules are those of shared practice between programs that speak its two dialects, 5500 and 4500;
// README.md in this folder states them and where each was settled. The package chooses no moves and knows no
// clocks.
package luzhanqi

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/sexpr"
)

// Game is Luzhanqi.
type Game struct{}

var _ game.Framed = Game{}

func (Game) Name() string  { return "luzhanqi" }
func (Game) Title() string { return "Luzhanqi (Chinese army chess)" }

//go:embed README.md
var page string

// Page is the game's README: rules and conversations.
func (Game) Page() string { return page }

// Goal is what a person has to know before the first move.
func (Game) Goal() string {
	return "You win by capturing the enemy's flag, which stands on B12 or D12, or by leaving the enemy without a move. The " +
		"higher number wins a fight; equal ones both fall, and so does whatever meets a bomb (B) or a landmine (L), which " +
		"only engineers (1) clear. On the railway, drawn ══, pieces go any distance straight on. Who stands in a camp, ( " +
		"營 ), cannot be attacked."
}

// Limits are the defaults. A second a move is the seed's; ten seconds let a Java program start on a
// busy machine; programs exist that shuffle for ever, so 2,000 plies are a draw.
func (Game) Limits() game.Limits {
	return game.Limits{SetUp: 10 * time.Second, Move: time.Second, Grace: 200 * time.Millisecond, MaxPlies: 2000}
}

func (Game) Options() []game.Option {
	return []game.Option{{
		Name: "mines", Allowed: []string{"trade", "stay"},
		Help: "what a landmine does to anyone but an engineer: removes both, or only the attacker",
	}}
}

func minesStay(rules game.Rules) bool { return rules["mines"] == "stay" }

func (Game) Protocols() []game.Protocol { return []game.Protocol{dialect5500{}, dialect4500{}} }
func (Game) HasSetUp() bool             { return true }

// ParseSetUp reads "A1:3 A2:7 …" or the S-expression ((A1 3) (A2 7) …).
func (Game) ParseSetUp(text string) (game.SetUp, error) {
	if !strings.HasPrefix(strings.TrimSpace(text), "(") {
		s, err := ParseSetUp(text)
		return game.SetUp(s.String()), err
	}
	message, err := sexpr.ParsePlayer([]byte(text))
	if err != nil {
		return "", err
	}
	placements, ok := message.(sexpr.Initial)
	if !ok {
		return "", fmt.Errorf("set-up %.60q is a move or a resignation; allowed is a list such as ((A1 3) (A2 7) …)", text)
	}
	s, err := ParseSetUp(string(setUpFromWire(placements)))
	return game.SetUp(s.String()), err
}

func (Game) CheckSetUp(text game.SetUp) error {
	_, err := ParseSetUp(string(text))
	return err
}

// RandomSetUp draws from all legal set-ups, each equally likely.
func (Game) RandomSetUp(r *rand.Rand) game.SetUp { return game.SetUp(RandomSetUp(r).String()) }

func (Game) New(rules game.Rules, setUps [2]game.SetUp) (game.Position, error) {
	armies, err := game.ParseSetUps(setUps, ParseSetUp)
	if err != nil {
		return nil, err
	}
	return NewPosition(armies[0], armies[1], minesStay(rules)), nil
}

func (Game) FormatMove(m game.Move) string { return MoveName(m) }

func (Game) ParseMove(text string) (game.Move, error) {
	from, to, _ := strings.Cut(text, " ")
	m := game.Move{}
	var err error
	if m.From, err = ParseSquare(from); err == nil {
		m.To, err = ParseSquare(to)
	}
	if err != nil {
		return m, fmt.Errorf("move %.40q: %w", text, err)
	}
	return m, nil
}

func (Game) Analyse(rules game.Rules, line []byte) (any, error) {
	return Analyse(line, minesStay(rules))
}

func (Game) InFrame(m game.Move, side game.Side) game.Move {
	return game.Move{From: inFrame(m.From, side), To: inFrame(m.To, side)}
}
