package serve

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
	"luzhanqi/player/levels"
	"luzhanqi/serve/live"
)

// press presses a key and lets it go, or keys one after another.
func press(t *testing.T, ctx context.Context, keys string) {
	t.Helper()
	do(t, ctx, chromedp.KeyEvent(keys))
}

// tabTo presses the tabulator until what is asked for has the focus.
func tabTo(t *testing.T, ctx context.Context, what string) {
	t.Helper()
	for range 60 {
		if do(t, ctx, chromedp.Evaluate[bool](fmt.Sprintf("document.activeElement.matches(`%s`)", what))) {
			return
		}
		press(t, ctx, kb.Tab)
	}
	t.Fatalf("the tabulator does not lead to %s", what)
}

// walkTo walks on the board by arrows.
func walkTo(t *testing.T, ctx context.Context, square string) {
	t.Helper()
	for range 40 {
		at := do(t, ctx, chromedp.Evaluate[string](`document.activeElement.getAttribute("aria-label").slice(0, 2)`))
		switch {
		case at == square:
			return
		case at[0] < square[0]:
			press(t, ctx, kb.ArrowRight)
		case at[0] > square[0]:
			press(t, ctx, kb.ArrowLeft)
		case at[1] < square[1]:
			press(t, ctx, kb.ArrowUp)
		default:
			press(t, ctx, kb.ArrowDown)
		}
	}
	t.Fatalf("the arrows do not lead to %s", square)
}

// Whole games are begun and played with the keyboard alone, with the moves that the level easy would play, until one is won.
func playsByKeyboard(t *testing.T, ctx context.Context) {
	s, server := started(t, nil)
	g, err := games.Find("gastank")
	if err != nil {
		t.Fatal(err)
	}
	visit(t, ctx, server+"/play")
	for _, choice := range [][2]string{{"level", "random"}, {"side", "first"}} {
		tabTo(t, ctx, "form:has([value=gastank]) select[name="+choice[0]+"]")
		press(t, ctx, choice[1])
	}
	tabTo(t, ctx, "form:has([value=gastank]) button")
	for range 5 {
		leave(t, ctx, func() { press(t, ctx, kb.Enter) })
		appears(t, ctx, "#play")
		address := do(t, ctx, chromedp.Location())
		h := s.find(address[strings.LastIndexByte(address, '/')+1:])
		if h == nil {
			t.Fatalf("no game at %s", address)
		}
		if plays(t, ctx, g, h) {
			return
		}
		tabTo(t, ctx, "#again button")
	}
	t.Error("no game of five was won against random")
}

// plays plays a game, and says whether it was won.
func plays(t *testing.T, ctx context.Context, g game.Game, h *hosted) bool {
	t.Helper()
	easy := levels.Easiest(g).New(g, player.Options{})
	for {
		until(t, ctx, `/^After/.test(document.getElementById("status").textContent) || !document.getElementById("move").disabled`)
		played := do(t, ctx, chromedp.Evaluate[[]string](`[...document.querySelectorAll("#moves a")].map((a) => a.textContent)`))
		if do(t, ctx, chromedp.Evaluate[bool](`/^After/.test(document.getElementById("status").textContent)`)) {
			break
		}
		pos, err := g.New(nil, [2]game.SetUp{})
		for _, text := range played {
			var m game.Move
			if m, err = g.ParseMove(text); err != nil {
				break
			}
			pos = pos.Play(m)
		}
		if err != nil {
			t.Fatal(err)
		}
		best := g.FormatMove(easy.Choose(pos.View(pos.Mover()), time.Now().Add(time.Second), rand.New(rand.NewPCG(1, uint64(len(played))))))
		// To the piece and on to its square by arrows, chosen with the space bar. The focus stays on the board.
		tabTo(t, ctx, "#squares a")
		walkTo(t, ctx, best[:2])
		press(t, ctx, " ")
		walkTo(t, ctx, best[2:])
		press(t, ctx, " ")
		until(t, ctx, fmt.Sprintf(`document.getElementById("moves").children.length > %d`, len(played)))
	}
	select {
	case <-h.Done():
	case <-time.After(time.Minute):
		t.Fatal("the game did not end")
	}
	winner := 0
	h.Look(func(g live.Glance) { winner = g.Film.End.Winner })
	return winner > 0 && h.persons[winner-1] != nil
}
