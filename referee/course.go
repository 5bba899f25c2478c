package referee

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"luzhanqi/game"
)

// Course is how a game went: its set-ups, its moves and how it ended, without who played it and how long that took. Between
// the same players at the same seats, a game that went as another one says nothing new.
type Course struct {
	SetUps [2]game.SetUp
	moves  []byte
}

// Add adds a move.
func (c *Course) Add(m game.Move) { c.moves = append(c.moves, byte(m.From), byte(m.To)) }

// Digest tells courses apart: 16 hexadecimal digits, so that two of a million different ones are the same with a probability
// of 3 in 100 million. A void game has none.
func (c *Course) Digest(e *Ending) string {
	if e.Code == Void {
		return ""
	}
	h := sha256.New()
	for _, s := range c.SetUps { // in whatever order its pieces were named
		pieces := strings.Fields(string(s))
		slices.Sort(pieces)
		fmt.Fprintf(h, "%q\n", pieces)
	}
	winner := 0
	if e.Winner != nil {
		winner = e.Winner.Number()
	}
	fmt.Fprintf(h, "%x\n%s %d\n", c.moves, e.Code, winner)
	return hex.EncodeToString(h.Sum(nil)[:8])
}
