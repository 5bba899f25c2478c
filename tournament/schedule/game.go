package schedule

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
)

// Place says which game of a schedule one is, and who plays it.
type Place struct {
	// ID names the round, the pair and the game of the pair, such as r03-p012-g2. It depends on the spec
	// and, where players are paired by results, on results, but never on when they came. The ids of a
	// schedule sort like its rounds and pairs.
	ID    string `json:"id"`
	Round int    `json:"round"` // from 1
	// Pair is the number of the pair in the round, from 1. A pair is two games of the same players on the
	// same seed with seats swapped.
	Pair    int    `json:"pair"`
	Players [2]int `json:"players"` // at seats 1 and 2, by their place in the plan
}

// Game is one game of a schedule.
type Game struct {
	Place
	// Seed is that of all chance in the pair, of 53 or 63 bits: see Spec.
	Seed   uint64
	Number int // 1 or 2, of the game in its pair
	Nth    int // of the pair among those of a round's encounter, counted through the rounds, from 0: which opening it has
}

// stage is a part of a tournament in which no game depends on the result of another.
type stage struct {
	round int
	games int // of each encounter
	// encounters are the players of each, with the one first that sits at seat 1 in the first game.
	encounters [][2]int
	// firstPairs are the numbers, from 0, of the first pair of each encounter; nil: one after the other.
	firstPairs []int
}

// size is the number of games.
func (s *stage) size() int { return s.games * len(s.encounters) }

// game returns game i of the stage, from 0.
func (s *Schedule) game(of *stage, i int) Game {
	encounter, nth := i/of.games, i%of.games
	pair := encounter*((of.games+1)/2) + nth/2
	if of.firstPairs != nil {
		pair = of.firstPairs[encounter] + nth/2
	}
	g := Game{Place: Place{Round: of.round, Pair: pair + 1, Players: of.encounters[encounter]}, Number: nth%2 + 1}
	if g.Number == 2 {
		g.Players[0], g.Players[1] = g.Players[1], g.Players[0]
	}
	g.Nth = (of.round-1)*((of.games+1)/2) + nth/2
	switch s.spec.Seeds {
	case Mixed:
		g.Seed = mixed(s.spec.Seed, g.Round, g.Pair) >> 11
	case Wide:
		g.Seed = mixed(s.spec.Seed, g.Round, g.Pair) >> 1
	default:
		g.Seed = hidden(s.spec.Seed, g.Round, g.Pair) >> 11
	}
	g.ID = s.id(g)
	return g
}

func (s *Schedule) id(g Game) string {
	return fmt.Sprintf("r%0*d-p%0*d-g%d", s.digits[0], g.Round, s.digits[1], g.Pair, g.Number)
}

// hidden is the seed of a pair, from which nothing follows for others: SHA-256 of what it depends on.
func hidden(tournament uint64, round, pair int) uint64 {
	text := binary.BigEndian.AppendUint64([]byte("luzhanqi pair "), tournament)
	text = binary.BigEndian.AppendUint64(text, uint64(round))
	text = binary.BigEndian.AppendUint64(text, uint64(pair))
	sum := sha256.Sum256(text)
	return binary.BigEndian.Uint64(sum[:])
}

// mixed mixes the seed of a pair from that of the tournament, with the finalizer of SplitMix64 (Steele, Lea
// and Flood, "Fast splittable pseudorandom number generators", 2014) after each part.
func mixed(tournament uint64, round, pair int) uint64 {
	x := mix(tournament + golden)
	x = mix(x + uint64(round)*golden)
	return mix(x + uint64(pair)*golden)
}

const golden = 0x9e3779b97f4a7c15

func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// decimals is the number of decimal digits of a number.
func decimals(n int) int { return len(strconv.Itoa(n)) }
