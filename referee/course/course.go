// Package course tells games apart by how they went.
package course

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"luzhanqi/game"
)

// Course is how a game went: its set-ups, its moves and how it ended, without who played it and how long that took. Between
// the same players at the same seats, a game that went as another one says nothing new.
type Course struct {
	SetUps   [2]game.SetUp
	Position string // with which it began; empty: that of the rules
	moves    []byte
}

// Add adds a move.
func (c *Course) Add(m game.Move) { c.moves = append(c.moves, byte(m.From), byte(m.To)) }

// Digest tells courses apart: 16 hexadecimal digits, so that two of a million different ones are the same with a probability
// of 3 in 100 million. The ending is the code of how it ended.
func (c *Course) Digest(ending string, winner *game.Side) string {
	h := sha256.New()
	for _, s := range c.SetUps {
		fmt.Fprintf(h, "%q\n", s.Normal())
	}
	if c.Position != "" {
		fmt.Fprintf(h, "%s\n", c.Position)
	}
	who := 0
	if winner != nil {
		who = winner.Number()
	}
	fmt.Fprintf(h, "%x\n%s %d\n", c.moves, ending, who)
	return hex.EncodeToString(h.Sum(nil)[:8])
}
