package luzhanqi

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player"
)

// The level strong-f665184 plays the moves, and draws the set-ups, that strong played and drew at that commit. A failure
// is mended in the player, never in the table: what was measured against the frozen level holds no longer.
func TestFrozenStrongPlaysAsAtItsCommit(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors may round differently")
	}
	text, err := os.ReadFile("testdata/moves-f665184.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for len(lines) > 0 && strings.HasPrefix(lines[0], "#") {
		lines = lines[1:]
	}
	if len(lines)%4 != 0 || len(lines) < 4*14 {
		t.Fatalf("%d lines of games: must be four for each of 14", len(lines))
	}
	for ; len(lines) > 0; lines = lines[4:] {
		var n, seat, nodes int
		if _, err := fmt.Sscanf(lines[0], "game %d, player %d, %d positions", &n, &seat, &nodes); err != nil {
			t.Fatalf("%q: %v", lines[0], err)
		}
		setUps := [2]game.SetUp{game.SetUp(lines[1]), game.SetUp(lines[2])}
		moves := strings.Fields(lines[3])
		t.Run(lines[0], func(t *testing.T) {
			t.Parallel()
			if nodes > 600 && n%4 != 0 && os.Getenv("LUZHANQI_NIGHTLY") == "" {
				t.Skip("one game of each longer search is enough for every day; set LUZHANQI_NIGHTLY=1")
			}
			side := game.Side(seat - 1)
			p := NewSearcher(F665184, player.Options{Nodes: nodes, Threads: 1})
			if got := p.SetUp(rand.New(rand.NewPCG(uint64(n), uint64(side)))); got != setUps[side] {
				t.Fatalf("set-up %s, must be %s", got, setUps[side])
			}
			position, err := luzhanqi.Game{}.New(game.Rules{}, setUps)
			if err != nil {
				t.Fatal(err)
			}
			for ply, want := range moves {
				m, err := moveOf(want)
				if err != nil {
					t.Fatal(err)
				}
				if position.Mover() == side {
					r := rand.New(rand.NewPCG(uint64(n), uint64(2+ply)))
					if got := p.Choose(position.View(side), time.Now(), r); got != m {
						t.Fatalf("ply %d: %s, must be %s", ply, luzhanqi.MoveName(got), want)
					}
				}
				position = position.Play(m)
			}
		})
	}
}

// moveOf reads a move of the table, such as A6-A7.
func moveOf(text string) (m game.Move, err error) {
	from, to, _ := strings.Cut(text, "-")
	if m.From, err = luzhanqi.ParseSquare(from); err != nil {
		return m, err
	}
	m.To, err = luzhanqi.ParseSquare(to)
	return m, err
}
