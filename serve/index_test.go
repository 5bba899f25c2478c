package serve

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"luzhanqi/game/games"
)

// oneTable is a server with a table at which nothing has begun; its first move is its last while nobody ends it.
func oneTable(t *testing.T) (*Server, string) {
	t.Helper()
	return started(t, func(c *Config) {
		c.Tables = []Table{{Name: "show", Game: games.All[0].Name(), Players: [2]string{"builtin:random", "builtin:greedy"}, Pace: Duration(time.Hour), Always: true}}
	})
}

// The first page, opened before there is a game, shows its board once it has begun, and its end, without being loaded anew.
func showsNewGames(t *testing.T, ctx context.Context) {
	s, server := oneTable(t)
	visit(t, ctx, server+"/")
	appears(t, ctx, "#live")
	if cards := do(t, ctx, chromedp.Evaluate[int](`(window.loaded = 1, document.querySelectorAll(".card").length)`)); cards != 0 {
		t.Fatalf("there are %d games before any has begun", cards)
	}
	s.startTables()
	until(t, ctx, `document.querySelectorAll(".card svg .piece").length > 0`)
	s.end() // the game is played on without pauses
	until(t, ctx, `[...document.querySelectorAll("h2")].some((e) => e.textContent === "Just over")`)
	if loaded := do(t, ctx, chromedp.Evaluate[bool](`window.loaded === 1`)); !loaded {
		t.Error("the page was loaded anew")
	}
	visit(t, ctx, "about:blank") // its stream ends
}

// The page of a table, opened before its first game, leads to that game once it has begun, and a table that there is not is missing.
func waitsAtTable(t *testing.T, ctx context.Context) {
	s, server := oneTable(t)
	if code, _ := get(t, browser(t), server+"/tables/none"); code != 404 {
		t.Errorf("a table that there is not: %d", code)
	}
	visit(t, ctx, server+"/tables/show")
	appears(t, ctx, "#live")
	s.startTables()
	appears(t, ctx, "#picture .piece")
	if at := do(t, ctx, chromedp.Location()); !strings.Contains(at, "/games/") {
		t.Errorf("the table leads to %s", at)
	}
	visit(t, ctx, "about:blank")
}
