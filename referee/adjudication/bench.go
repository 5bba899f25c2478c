package adjudication

import (
	"math/rand/v2"
	"time"

	"luzhanqi/game"
	"luzhanqi/player"
	"luzhanqi/player/levels"
)

// Bench asks a rule's level for the value of positions: a player for each side, which sees what its side sees and nothing else.
type Bench struct {
	streak  Streak
	players [2]player.Player
	random  [2]*rand.Rand
}

// NewBench begins a game. seed and number are the game's; rules and plies those by which it is played.
func NewBench(r *Rule, g game.Game, rules game.Rules, plies int, seed uint64, number int) (*Bench, error) {
	level, err := levels.Find(g, r.Level)
	if err != nil {
		return nil, err
	}
	b := &Bench{streak: Streak{Rule: r}}
	for side := range b.players {
		// With one thread and a number of positions, the value is the same on every machine.
		b.players[side] = level.New(g, player.Options{Nodes: r.Nodes, Rules: rules, MaxPlies: &plies, Threads: 1})
		b.random[side] = rand.New(rand.NewPCG(seed^stream, uint64(number)<<1|uint64(side)))
	}
	return b, nil
}

// stream tells its random choices from those of players.
const stream = 0xad70d1ca7e << 16

// long is a deadline that nothing meets: the number of positions ends the search.
const long = 24 * time.Hour

// Ask values a position of side's turn, at some ply; known is false for one that the level does not value, such as one with a single
// move, which counts neither for nor against anything.
func (b *Bench) Ask(v game.View, side game.Side, ply int) (value float64, known bool, verdict Verdict) {
	p := b.players[side]
	p.Choose(v, time.Now().Add(long), b.random[side])
	e, ok := p.(player.Explainer).Explain()
	if !ok {
		return 0, false, Verdict{}
	}
	if value, known = valueOf(&e); known {
		verdict = b.streak.Add(side, ply, value)
	}
	return value, known, verdict
}

// valueOf is what an explanation says of the position: wins, from -1 to 1, of a level that plays games out; the game's unit of a level
// that searches; Proven of what is proven.
func valueOf(e *player.Explanation) (float64, bool) {
	switch {
	case e.Wins > 0:
		return Proven, true
	case e.Loses > 0:
		return -Proven, true
	case e.Forced:
		return 0, false
	case len(e.Candidates) > 0:
		return round(e.Candidates[0].Value), true
	case e.Score != nil:
		return float64(*e.Score) / 100, true
	}
	return 0, false
}

// round leaves four decimals: more are noise, and records are read by people.
func round(x float64) float64 {
	if x < 0 {
		return -round(-x)
	}
	return float64(int(x*10_000+0.5)) / 10_000
}
