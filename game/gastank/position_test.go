package gastank

import (
	"strings"
	"testing"

	"luzhanqi/game"

	"pgregory.net/rapid"
)

// TestGamesEnd plays random games: every one ends within the bound, and a replay ends the same.
func TestGamesEnd(t *testing.T) {
	longest := 0
	rapid.Check(t, func(t *rapid.T) {
		pos := game.Position(NewPosition())
		var played []game.Move
		for {
			moves := pos.Moves(nil)
			outcome, over := pos.Outcome()
			if over != (len(moves) == 0) {
				t.Fatalf("%d moves, but over is %v: %v", len(moves), over, outcome)
			}
			if over {
				break
			}
			m := rapid.SampledFrom(moves).Draw(t, "move")
			if err := pos.Check(m); err != nil {
				t.Fatal(err)
			}
			played = append(played, m)
			pos = pos.Play(m)
		}
		if longest = max(longest, len(played)); len(played) > MaxPlies {
			t.Fatalf("%d plies, want at most %d", len(played), MaxPlies)
		}
		again := game.Position(NewPosition())
		for _, m := range played {
			again = again.Play(m)
		}
		if again != pos {
			t.Fatal("a replay ended in another position")
		}
		if err := pos.Check(played[0]); err == nil || !strings.Contains(err.Error(), "the game is over") {
			t.Fatalf("after the end: %v", err)
		}
	})
	t.Logf("the longest game had %d plies", longest)
}
