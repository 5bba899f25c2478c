package serve

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"luzhanqi/game/games"
)

// shown is what a person sees of a page of a game.
type shown struct {
	Status, Asked, Answer string
	Pieces                int // that are in the window and have a size
	Odds, Moves           []string
	Heat                  int
}

const readPage = `(() => {
	const text = (e) => (e && e.getClientRects().length ? e.innerText.trim() : ""), all = (s) => [...document.querySelectorAll(s)];
	const inside = (e) => { const r = e.getBoundingClientRect(), b = document.getElementById("board").getBoundingClientRect(); return r.width > 5 && r.left >= b.left && r.right <= b.right && r.top >= b.top && r.bottom <= b.bottom; };
	return {
		Status: text(document.getElementById("status")), Asked: text(document.getElementById("asked")), Answer: text(document.getElementById("answer")),
		Pieces: all("#picture .piece").filter(inside).length,
		Odds: all("#belief tr").map(text), Moves: all("#moves a").map(text), Heat: all("#heated .odds").length,
	};
})()`

// Without scripts a position, the moves, what a side can know and the links from ply to ply can be read, and a game can be played.
func readsWithoutScripts(t *testing.T, ctx context.Context) {
	scripts := func(off bool) {
		t.Helper()
		do(t, ctx, func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: off})
			return chromedp.Void{}, err
		})
	}
	s, server := started(t, nil)
	name := recorded(t, s, games.All[0], 6)
	scripts(true)
	defer scripts(false)
	read := func() shown {
		t.Helper()
		appears(t, ctx, "#status")
		return do(t, ctx, chromedp.Evaluate[shown](readPage))
	}
	to := func(link string) (shown, url.Values) {
		t.Helper()
		follow(t, ctx, link)
		u, err := url.Parse(do(t, ctx, chromedp.Location()))
		if err != nil {
			t.Fatal(err)
		}
		return read(), u.Query()
	}
	visit(t, ctx, server+"/records/0/"+name+"?ply=2&heat=F&sq=A12")
	page := read()
	if !strings.HasPrefix(page.Status, "2. player 2: ") || page.Pieces < 48 || len(page.Moves) != 6 || page.Heat < 4 || !strings.Contains(page.Asked, "A12") ||
		len(page.Odds) != 12 || !strings.HasSuffix(page.Odds[10], "%") || !strings.Contains(page.Odds[10], "landmine") {
		t.Errorf("the page of ply 2 shows %+v", page)
	}
	for _, c := range []struct{ link, status, key, value string }{
		{"#next", "3. player 1: ", "ply", "3"},
		{"#moves li:nth-child(5) a", "5. player 1: ", "ply", "5"},
		{"#first", "The beginning.", "ply", "0"},
		{"#eyes [data-eyes='1']", "The beginning.", "eyes", "1"},
		{"#squares a[aria-label^=A11]", "The beginning.", "sq", "A11"},
	} {
		page, query := to(c.link)
		if !strings.HasPrefix(page.Status, c.status) || query.Get(c.key) != c.value || c.key == "sq" && !strings.Contains(page.Asked, c.value) {
			t.Errorf("%s leads to %v, %+v", c.link, query, page)
		}
	}
	visit(t, ctx, server+"/play/gastank?side=1&level=random")
	follow(t, ctx, "#start .strong:not([formaction])")
	until(t, ctx, `document.querySelector("#legal option") !== null`) // the page asks by itself whether the game has begun
	move := do(t, ctx, chromedp.Evaluate[string](`document.querySelector("#legal option").value`))
	leave(t, ctx, func() { write(t, ctx, "#move", move+kb.Enter) })
	until(t, ctx, `document.getElementById("move")?.disabled === false && document.querySelectorAll("#moves li").length > 1`) // and whether the other one has moved
	if page := read(); page.Moves[0] != strings.ReplaceAll(move, " ", "") || page.Answer != "" {
		t.Errorf("%s was played: %+v", move, page)
	}
}
