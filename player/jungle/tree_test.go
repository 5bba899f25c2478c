package jungle

import (
	"math/rand/v2"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/jungle"
	"luzhanqi/player"
	"luzhanqi/player/alphabeta"
	"luzhanqi/player/jungle/endgame"
)

// think searches a position of so many plies to the cap with some thousand nodes.
func think(p *jungle.Position, left int) (game.Move, player.Explanation) {
	cap := p.Ply() + left
	searcher := alphabeta.New(jungle.Game{}, Search, alphabeta.Config{Nodes: 3_000}, player.Options{MaxPlies: &cap})
	m := searcher.Choose(p.View(p.Mover()), time.Time{}, rand.New(rand.NewPCG(1, 1)))
	e, _ := searcher.Explain()
	return m, e
}

// In endings of one piece each, the player wins what is won before the cap, in as few plies as can be
// against the longest defence, and claims nothing else.
func TestJungleEndingsArePlayedOut(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	count := map[int]int{}
	late := 0
	for count[1] < 60 || count[-1] < 60 || count[0] < 60 || late < 20 {
		b := jungle.Empty(jungle.Referee)
		b.Put(game.Square(r.IntN(63)), game.First, jungle.Kind(r.IntN(jungle.Kinds)))
		b.Put(game.Square(r.IntN(63)), game.Second, jungle.Kind(r.IntN(jungle.Kinds)))
		mover := game.Side(r.IntN(2))
		if _, err := jungle.ParseBoard(b.String(), jungle.Referee); err != nil {
			continue
		}
		value, plies, ok := endgame.Look(&b, mover)
		if !ok || plies == 0 && value != 0 {
			continue
		}
		left := 1 + r.IntN(40)
		if plies > left {
			value = 0
			late++
		}
		p := jungle.NewPosition(b, mover)
		m, e := think(p, left)
		if e.Forced { // nothing to think about
			continue
		}
		count[value]++
		if e.Wins-e.Loses != value*plies || value == 0 && *e.Score != 0 {
			t.Errorf("%s, %s to move, %d plies left: wins %d, loses %d, score %d; want %d in %d plies",
				b.String(), jungle.Color(mover), left, e.Wins, e.Loses, *e.Score, value, plies)
			continue
		}
		if value == 0 {
			continue
		}
		for n := range plies {
			p = p.Play(m).(*jungle.Position)
			if _, over := p.Outcome(); over != (n == plies-1) {
				t.Fatalf("%s, %s to move: over after %d plies: %v; it should be after %d", b.String(), jungle.Color(mover), n+1, over, plies)
			} else if !over {
				m, _ = think(p, left-n-1)
			}
		}
		if o, _ := p.Outcome(); (o.Winner == mover) != (value > 0) {
			t.Errorf("%s, %s to move: %v", b.String(), jungle.Color(mover), o)
		}
	}
}

// The board decides before the cap does: a side without a move has lost on the last ply too.
func TestJungleStuckAtTheCap(t *testing.T) {
	b, err := jungle.ParseBoard("E33 l34", jungle.Referee)
	if err != nil {
		t.Fatal(err)
	}
	if _, e := think(jungle.NewPosition(b, game.First), 1); e.Wins != 1 {
		t.Errorf("the last piece can be taken with the last ply: %+v", e)
	}
}
