package course

import (
	"testing"

	"luzhanqi/game"
)

func TestCoursesDiffer(t *testing.T) {
	first, second := game.First, game.Second
	of := func(setUp game.SetUp, code string, winner *game.Side, moves ...game.Move) string {
		c := Course{SetUps: [2]game.SetUp{setUp}}
		for _, m := range moves {
			c.Add(m)
		}
		return c.Digest(code, winner)
	}
	m, other := game.Move{From: 1, To: 2}, game.Move{From: 2, To: 1}
	same := of("A1:L B1:F", "won", &first, m, other)
	if got := of("B1:F A1:L", "won", &first, m, other); got != same || len(same) != 16 {
		t.Errorf("the same game, its set-up in another order: %s and %s", same, got)
	}
	for name, got := range map[string]string{
		"moves":  of("A1:L B1:F", "won", &first, other, m),
		"fewer":  of("A1:L B1:F", "won", &first, m),
		"set-up": of("A1:F B1:L", "won", &first, m, other),
		"winner": of("A1:L B1:F", "won", &second, m, other),
		"ending": of("A1:L B1:F", "time", &first, m, other),
	} {
		if got == same {
			t.Errorf("other %s, the same digest", name)
		}
	}
}
