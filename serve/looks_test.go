package serve

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/picture"
)

// axe is the checker of accessibility, which npm ci in tools/pages installs; empty without it.
func axe(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../tools/pages/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Logf("without axe, which npm ci in tools/pages installs: %v", err)
	}
	return string(text)
}

// media sets what style sheets ask for.
func media(dark bool) func(context.Context, *chromedp.Target) (chromedp.Void, error) {
	scheme := map[bool]string{false: "light", true: "dark"}[dark]
	return func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}})
		return chromedp.Void{}, err
	}
}

// seen is what a browser says of a page.
type seen struct {
	Bytes    int      // on the wire for who has nothing of it yet
	Overflow int      // pixels that are wider than the window
	Faults   []string // that axe calls serious or critical
	// Chinese characters need no font of the machine: where it has none, they come from that of the pieces.
	Characters string
	Bare       string // those that are not in this font
}

// Two frames: what was changed has been drawn.
const looked = `(async () => {
	await document.fonts.ready;
	await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
	const faults = [];
	if (window.axe) {
		const r = await axe.run(document, { resultTypes: ["violations"] });
		for (const v of r.violations) if (["serious", "critical"].includes(v.impact)) faults.push(v.id + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " " + n.failureSummary.split("\n")[1]).join(" | "));
	}
	for (const e of document.querySelectorAll(".plot .line, .plot .num, .plot .step, .curve text, .key")) {
		const at = e.getBoundingClientRect();
		if (at.width > 0 && (at.left < 0 || at.right > innerWidth)) faults.push("of a plot this is cut: " + e.outerHTML.slice(0, 80));
	}
	const chinese = [], bare = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (texts.nextNode()) {
		const of = [...texts.currentNode.data].filter((c) => c >= "\u2e80" && c < "\ufffe"), family = getComputedStyle(texts.currentNode.parentElement).fontFamily;
		if (texts.currentNode.parentElement.matches("script")) continue;
		chinese.push(...of);
		if (!family.includes("` + picture.FontFamily + `")) bare.push(...of);
	}
	return {
		Bytes: [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce((n, e) => n + Math.max(e.transferSize, e.encodedBodySize + 300), 0),
		Overflow: document.documentElement.scrollWidth - innerWidth,
		Faults: faults,
		Characters: chinese.join(""),
		Bare: bare.join(""),
	};
})()`

// Every page is small, fits into windows of all widths, and axe finds no serious fault, light and dark. LUZHANQI_PICTURES is a
// folder for pictures of all of them.
func looksWell(t *testing.T, ctx context.Context) {
	folder := t.TempDir()
	cupFile := filepath.Join(folder, "cup.toml")
	if err := os.WriteFile(cupFile, []byte(cup), 0o666); err != nil {
		t.Fatal(err)
	}
	results, add := played(t, cupFile, filepath.Join(folder, "cup.tournament"))
	add(results[:11]...)
	s, server := started(t, func(c *Config) {
		c.Tournaments = []Tournament{{Name: "cup", Plan: cupFile}}
		// Its first move is its last, so that pages stay as they are.
		c.Tables = []Table{{Name: "show", Game: games.All[0].Name(), Players: [2]string{"builtin:random", "builtin:greedy"}, Pace: Duration(time.Hour), Always: true}}
	})
	s.startTables()
	name := recorded(t, s, games.All[0], 6)
	host := browser(t)
	_, link := post(t, host, server+"/invitations", url.Values{"game": {games.All[0].Name()}, "name": {"Ada"}})
	visit(t, ctx, server+"/")
	appears(t, ctx, ".card")
	pages := []struct{ name, address string }{
		{"index", "/"},
		{"watch", do(t, ctx, chromedp.Evaluate[string](`document.querySelector(".card").getAttribute("href")`))},
		{"record", "/records/0/" + name + "?ply=5&heat=F&sq=A12"},
		{"records", "/records"},
		{"play", "/play"},
		{"start", "/play/luzhanqi"},
		{"start-chess1d", "/play/chess1d"},
		{"guest", link},
		{"tournaments", "/tournaments"},
		{"tournament", "/tournaments/cup"},
		{"tournament-game", "/tournaments/cup/games/" + results[0].ID},
		{"message", unknown},
		{"sign-in", "/sign-in"},
	}
	if os.Getenv("LUZHANQI_NIGHTLY") != "" {
		for _, g := range games.All[1:] {
			pages = append(pages, struct{ name, address string }{"record-" + g.Name(), "/records/0/" + recorded(t, s, g, 4)})
		}
	}
	// Long games, in which players explain their moves, and all that the page can show of them.
	long := []struct {
		of      game.Game
		player  string
		plies   int
		showing string
	}{
		{games.All[0], "builtin:easy", 400, "?ply=170&heat=F&sq=A12&opinion=1"},
		{games.All[1], "builtin:random", 2000, ""},
	}
	if os.Getenv("LUZHANQI_NIGHTLY") != "" {
		for _, g := range games.All[1:] {
			long = append(long, long[0])
			long[len(long)-1].of, long[len(long)-1].player = g, "builtin:greedy"
		}
	}
	for _, l := range long {
		pages = append(pages, struct{ name, address string }{"long-" + l.of.Name(), "/records/0/" + recordedBy(t, s, l.of, l.player, l.plies) + l.showing})
	}
	// A game that is being played, and one that waits for another person: begun in the browser itself, whose seats they are.
	visit(t, ctx, server+"/play/luzhanqi")
	follow(t, ctx, "#start .strong[formaction]")
	appears(t, ctx, "#waiting")
	pages = append(pages, struct{ name, address string }{"waiting", strings.TrimPrefix(do(t, ctx, chromedp.Location()), server)})
	visit(t, ctx, server+"/play/luzhanqi?side=1&level=random")
	follow(t, ctx, "#start .strong:not([formaction])")
	appears(t, ctx, "#squares")
	pages = append(pages, struct{ name, address string }{"game", strings.TrimPrefix(do(t, ctx, chromedp.Location()), server)})
	for n, p := range pages {
		looksWellAt(t, ctx, server, p.name, p.address, n%2 == 0)
	}
}

// looksWellAt looks at one page, and leaves the browser as it was: in all widths by turns light and dark, or dark and light; at
// night, and for pictures, in both.
func looksWellAt(t *testing.T, ctx context.Context, server, name, address string, darkFirst bool) {
	t.Helper()
	visit(t, ctx, server+address)
	if checker := axe(t); checker != "" {
		do(t, ctx, chromedp.Evaluate[chromedp.Void](checker+";void 0"))
	}
	folder := os.Getenv("LUZHANQI_PICTURES")
	for n, width := range []int64{1280, 768, 390} {
		do(t, ctx, chromedp.EmulateViewport(width, map[bool]int64{false: 900, true: 844}[width < 700]))
		for _, dark := range []bool{false, true} {
			if folder == "" && os.Getenv("LUZHANQI_NIGHTLY") == "" && dark != (darkFirst == (n%2 == 0)) {
				continue
			}
			do(t, ctx, media(dark))
			what := fmt.Sprintf("%s, %d wide, dark %v", name, width, dark)
			found := do(t, ctx, chromedp.Evaluate[seen](looked, chromedp.EvalAwaitPromise))
			if n == 0 && !dark {
				t.Logf("%s: %d bytes", name, found.Bytes)
			}
			if found.Bytes > 60_000 || found.Overflow > 0 {
				t.Errorf("%s: %d bytes, %d pixels too wide", what, found.Bytes, found.Overflow)
			}
			for _, c := range found.Characters {
				if !strings.ContainsRune(picture.Characters, c) {
					t.Errorf("%s: %c is not in the font of the pieces", what, c)
				}
			}
			if found.Bare != "" {
				t.Errorf("%s: not in the font of the pieces: %s", what, found.Bare)
			}
			for _, fault := range found.Faults {
				t.Errorf("%s: %s", what, fault)
			}
			if folder != "" {
				picture := do(t, ctx, chromedp.CaptureScreenshot())
				if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%s-%d-%v.png", name, width, dark)), picture, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	do(t, ctx, media(false))
	do(t, ctx, chromedp.EmulateViewport(1280, 860))
}
