package serve

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	cdpnetwork "github.com/chromedp/cdproto/network"
	cdruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/process/processtest"
	"luzhanqi/serve/film"
	"luzhanqi/serve/page"
)

// unknown is a page that no server has.
const unknown = "/games/none"

// chromium is a browser without windows; the test is skipped where there is none. Whatever a page complains of, or asks others for,
// fails the test.
func chromium(t *testing.T) context.Context {
	t.Helper()
	var found string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			found = path
			break
		}
	}
	if found == "" {
		processtest.Need(t, "chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(found), chromedp.WindowSize(1280, 860), chromedp.WSURLReadTimeout(5*time.Minute))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	process, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, stop := chromedp.NewContext(process)
	t.Cleanup(stop)
	if _, err := chromedp.Run(ctx, chromedp.Title()); err != nil { // starts it
		t.Fatal(err)
	}
	var mu sync.Mutex
	var complaints []string
	complain := func(format string, of ...any) {
		mu.Lock()
		defer mu.Unlock()
		complaints = append(complaints, fmt.Sprintf(format, of...))
	}
	err := chromedp.Listen(ctx, func(e any) {
		switch e := e.(type) {
		case *cdruntime.EventExceptionThrown:
			complain("%+v", e.ExceptionDetails)
		case *cdruntime.EventConsoleAPICalled:
			if e.Type == "error" {
				complain("the console: %+v", e.Args)
			}
		case *cdpnetwork.EventRequestWillBeSent:
			// An address of ours, or one that is no request: an image that is in the page, the page that is there at first.
			if u, err := url.Parse(e.Request.URL); err != nil || u.Hostname() != "127.0.0.1" && u.Scheme != "data" && u.Scheme != "about" {
				complain("asked for is %s", e.Request.URL)
			}
		case *log.EventEntryAdded:
			// But for advice, and for what is asked for to be refused.
			if e.Entry.Level != log.EntryLevelVerbose && !strings.HasSuffix(e.Entry.URL, unknown) {
				complain("%+v", *e.Entry)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		for _, c := range complaints {
			t.Errorf("the browser complains: %s", c)
		}
	})
	enable := func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, log.Enable, cdp.Empty{})
		if err == nil {
			_, err = cdp.Call(ctx, target, cdpnetwork.Enable, cdpnetwork.EnableParams{})
		}
		return chromedp.Void{}, err
	}
	if _, err := chromedp.Run(ctx, enable); err != nil {
		t.Fatal(err)
	}
	within, stop := context.WithTimeout(ctx, 15*time.Minute) // on a machine that does much else
	t.Cleanup(stop)
	return within
}

// do runs one action, and returns what it gives.
func do[T any](t *testing.T, ctx context.Context, a chromedp.Action[T]) T {
	t.Helper()
	v, err := chromedp.Run(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// leave does what leads to another page, and waits until all of that is there. What is left is marked, for the library sometimes takes
// the end of its load for that of the next page, and what is looked for may be in both.
func leave(t *testing.T, ctx context.Context, how func()) {
	t.Helper()
	until(t, ctx, `window.left = true`)
	how()
	until(t, ctx, `!window.left && document.readyState === "complete"`)
}

// visit opens a page.
func visit(t *testing.T, ctx context.Context, url string) {
	t.Helper()
	leave(t, ctx, func() { do(t, ctx, chromedp.Navigate(url)) })
}

// follow leaves by a link or button. It is no click of the mouse, for what a page learns may move it at that moment.
func follow(t *testing.T, ctx context.Context, link string) {
	t.Helper()
	leave(t, ctx, func() {
		do(t, ctx, chromedp.Evaluate[chromedp.Void]("document.querySelector("+strconv.Quote(link)+`).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))`))
	})
}

// appears waits until the first element of this kind is to be seen. It asks by a script, as all here: by its own picture of a page's
// elements the library sometimes waits for ever for what is there.
func appears(t *testing.T, ctx context.Context, what string) {
	t.Helper()
	until(t, ctx, "(document.querySelector("+strconv.Quote(what)+")?.getClientRects().length ?? 0) > 0")
}

// write presses keys in a field.
func write(t *testing.T, ctx context.Context, field, keys string) {
	t.Helper()
	do(t, ctx, chromedp.Evaluate[chromedp.Void]("document.querySelector("+strconv.Quote(field)+").focus()"))
	do(t, ctx, chromedp.KeyEvent(keys))
}

// until waits for what a page says in a script, five minutes at most: after that the test fails, and tells what the page shows. A page that is
// replaced while it is asked answers with an error or not at all: it is asked again.
func until(t *testing.T, ctx context.Context, script string) {
	t.Helper()
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > 5*time.Minute {
			asked, stop := context.WithTimeout(ctx, 10*time.Second)
			shown, err := chromedp.Run(asked, chromedp.Evaluate[string]("location.href + document.documentElement.outerHTML.slice(0, 4000)"))
			stop()
			t.Fatalf("%s is not so after five minutes; the page (%v): %s", script, err, shown)
		}
		asked, stop := context.WithTimeout(ctx, 10*time.Second)
		said, err := chromedp.Run(asked, chromedp.Evaluate[bool](script))
		stop()
		var refused *cdproto.Error
		switch {
		case errors.As(err, &refused), errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		case err != nil:
			t.Fatal(err)
		case said:
			return
		}
	}
}

// The pages in a browser: one for all, as its start costs a second.
func TestBrowser(t *testing.T) {
	ctx := chromium(t)
	t.Run("draws", func(t *testing.T) { drawsWhatTheServerDraws(t, ctx) })
	t.Run("first page", func(t *testing.T) { showsNewGames(t, ctx) })
	t.Run("table", func(t *testing.T) { waitsAtTable(t, ctx) })
	t.Run("beliefs", func(t *testing.T) { drawsBeliefs(t, ctx) })
	t.Run("panel", func(t *testing.T) { drawsPanel(t, ctx) })
	t.Run("looks", func(t *testing.T) { looksWell(t, ctx) })
	t.Run("course", func(t *testing.T) { handsIn(t, ctx) })
	t.Run("dropped", func(t *testing.T) { showsDropped(t, ctx) })
	t.Run("set-ups", func(t *testing.T) { changesSetUps(t, ctx) })
	t.Run("end", func(t *testing.T) { showsTheEnd(t, ctx) })
	t.Run("keyboard", func(t *testing.T) { playsByKeyboard(t, ctx) })
	t.Run("without scripts", func(t *testing.T) { readsWithoutScripts(t, ctx) })
}

// What the script draws is what the server draws: at every ply, with all eyes, both ways round.
func drawsWhatTheServerDraws(t *testing.T, ctx context.Context) {
	s, server := started(t, nil)
	all, plies := games.All[:2], 4
	if os.Getenv("LUZHANQI_NIGHTLY") != "" {
		all, plies = slices.Concat(games.All, games.All, games.All, games.All), 2000 // whole games
	}
	for n, g := range all {
		name := recorded(t, s, g, plies+n) // each of another game
		f, err := s.records.film(0, name)
		if err != nil {
			t.Fatal(err)
		}
		visit(t, ctx, server+"/records/0/"+name)
		drawn := do(t, ctx, chromedp.Evaluate[[]string](`(async () => {
			const all = [], press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key }));
			const seen = () => [...document.getElementById("picture").childNodes].map((e) => new XMLSerializer().serializeToString(e).replaceAll(' xmlns="http://www.w3.org/2000/svg"', "")).join("");
			for (const flip of [0, 1]) {
				for (const eyes of ["0", "1", "2"]) {
					press(eyes); press("Home");
					for (let ply = 0; ply <= `+fmt.Sprint(f.Last())+`; ply++) { all.push(seen() + "|" + document.getElementById("before").textContent + "|" + document.getElementById("status").textContent + "|" + [1, 2].map((n) => document.getElementById("seat" + n).querySelector(".lost").innerHTML).join("")); press("ArrowRight"); }
				}
				press("f");
			}
			return all;
		})()`, chromedp.EvalAwaitPromise))
		n := 0
		for _, flip := range []bool{false, true} {
			for _, eyes := range []film.Eyes{film.All, film.First, film.Second} {
				if !f.Has(eyes) {
					eyes = film.All
				}
				for ply := range f.Last() + 1 {
					m := page.Match{Film: f, Base: "/", Ply: ply, Eyes: eyes, Flip: flip}
					picture, _, told := m.Drawn()
					lost := m.Lost(1) + m.Lost(2)
					want := picture + "|" + told + "|" + lost
					if got := closed(drawn[n]); got != closed(want) {
						t.Fatalf("%s, ply %d, eyes %s, flip %v:\n%s\n%s", g.Name(), ply, eyes, flip, differs(got, closed(want)), differs(closed(want), got))
					}
					n++
				}
			}
		}
	}
}

// What the script draws of beliefs is what the server draws.
func drawsBeliefs(t *testing.T, ctx context.Context) {
	s, server := started(t, nil)
	name := recorded(t, s, games.All[0], 6)
	f, err := s.records.film(0, name)
	if err != nil {
		t.Fatal(err)
	}
	for _, opinion := range []string{"", "&opinion=1"} {
		for _, eyes := range []film.Eyes{film.All, film.First} {
			m := page.Match{Film: f, Base: "/", Ply: 5, Eyes: eyes, Thought: page.Thought{Types: film.KindsOf(games.All[0]), Heat: "L"}}
			for side := range m.Of {
				if m.Of[side], err = s.records.beliefs(t.Context(), 0, name, game.Side(side), opinion != ""); err != nil {
					t.Fatal(err)
				}
			}
			_, want, _ := m.Drawn()
			if strings.Count(want, "%") < 10 {
				t.Fatalf("the server draws %.200s", want)
			}
			visit(t, ctx, server+"/records/0/"+name+"?ply=5&eyes="+string(eyes)+opinion)
			do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#looks [data-heat=L]").click()`))
			until(t, ctx, `document.getElementById("heated").childElementCount > 0`)
			got := do(t, ctx, chromedp.Evaluate[string](`document.getElementById("heated").innerHTML`))
			if closed(got) != closed(want) {
				t.Fatalf("eyes %s%s: %s\n%s", eyes, opinion, differs(closed(got), closed(want)), differs(closed(want), closed(got)))
			}
		}
	}
}

// What the script draws after the keys have led to a position is what the server draws there: beside the board, too. More positions are
// stepped through than beliefs are loaded for at a time.
func drawsPanel(t *testing.T, ctx context.Context) {
	s, server := started(t, nil)
	plies := 50
	if os.Getenv("LUZHANQI_NIGHTLY") != "" {
		plies = 150
	}
	name := recorded(t, s, games.All[0], plies)
	for _, opinion := range []string{"", "&opinion=1"} {
		visit(t, ctx, server+"/records/0/"+name+"?ply=0&heat=L&sq=B11"+opinion)
		differences := do(t, ctx, chromedp.Evaluate[[]string](`(async () => {
			const all = [], press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key }));
			const parts = ["before", "status", "said", "picture", "heated", "asked", "belief", "bits", "fog", "seat1", "seat2"];
			const quiet = async () => { for (let last = ""; ; ) { await new Promise((done) => setTimeout(done, 30)); const now = document.body.innerHTML; if (now === last) return; last = now; } };
			for (const eyes of ["0", "1", "2"]) {
				press(eyes); press("Home");
				for (let ply = 0; ply <= `+fmt.Sprint(plies)+`; ply += 7) {
					await quiet();
					const q = new URLSearchParams({ ply, eyes: eyes === "0" ? "all" : eyes, heat: "L", sq: "B11" });
					const served = new DOMParser().parseFromString(await (await fetch(location.pathname + "?" + q + "`+opinion+`")).text(), "text/html");
					for (const id of parts) {
						const have = document.getElementById(id), want = served.getElementById(id);
						have.querySelectorAll("[data-drawn]").forEach((e) => e.removeAttribute("data-drawn"));
						if (have.innerHTML !== want.innerHTML) all.push("ply " + ply + ", eyes " + eyes + ", " + id + ":\n" + have.innerHTML.slice(0, 1500) + "\nserved is\n" + want.innerHTML.slice(0, 1500));
					}
					for (let n = 0; n < 7; n++) press("ArrowRight");
				}
			}
			return all;
		})()`, chromedp.EvalAwaitPromise))
		for _, d := range differences[:min(len(differences), 3)] {
			t.Errorf("%d differences; %s", len(differences), d)
		}
	}
}

// Who plays reads what the own move did although the answer is there at once, and at the end sees everything without loading the page
// again.
func showsTheEnd(t *testing.T, ctx context.Context) {
	_, server := started(t, nil)
	visit(t, ctx, server+"/play/luzhanqi?side=1&level=random")
	follow(t, ctx, "#start .strong:not([formaction])")
	until(t, ctx, `document.querySelector("#legal option") !== null && document.getElementById("move") && !document.getElementById("move").disabled`)
	move := do(t, ctx, chromedp.Evaluate[string](`document.querySelector("#legal option").value`))
	write(t, ctx, "#move", move+kb.Enter)
	until(t, ctx, `/^2\. random: /.test(document.getElementById("status").textContent) && /^1\. you: .* \([a-z ]+\)$/.test(document.getElementById("before").textContent)`)
	if do(t, ctx, chromedp.Evaluate[bool](`!document.getElementById("eyes").hidden || document.querySelectorAll("#picture .back").length < 20`)) {
		t.Error("before the end the other side is shown")
	}
	clock := func(side int) string { return fmt.Sprintf(`document.querySelector("#seat%d .time").textContent`, side) }
	until(t, ctx, `/^[0-9.]+ s …$/.test(`+clock(1)+`) && !/…/.test(`+clock(2)+`)`) // it is our turn
	now := do(t, ctx, chromedp.Evaluate[string](clock(1)))
	until(t, ctx, fmt.Sprintf("parseFloat(%s) > parseFloat(%q)", clock(1), now)) // and our clock runs
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`window.confirm = () => true; document.getElementById("resign").click()`))
	until(t, ctx, `/^After/.test(document.getElementById("status").textContent) && !document.getElementById("eyes").hidden && document.querySelectorAll("#eyes a").length === 3`)
	until(t, ctx, `!/…/.test(`+clock(1)+` + `+clock(2)+`)`)
	until(t, ctx, `document.querySelector(".links a")?.textContent === "Its record" && document.querySelectorAll("#picture .back").length === 0`)
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#eyes [data-eyes='1']").click()`))
	until(t, ctx, `document.querySelectorAll("#picture .back").length > 20`)
}

// closed writes empty elements in one way.
func closed(svg string) string {
	for _, name := range []string{"path", "rect", "circle"} {
		svg = strings.ReplaceAll(svg, "></"+name+">", "/>")
	}
	return strings.ReplaceAll(svg, "&#39;", "'")
}

// differs is where a begins to differ from b.
func differs(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[max(0, n-60):min(len(a), n+100)]
}

// A set-up is changed by dragging and by keys; what comes of it is said, and an illegal one cannot be played.
func changesSetUps(t *testing.T, ctx context.Context) {
	_, server := started(t, nil)
	visit(t, ctx, server+"/play/luzhanqi")
	appears(t, ctx, "#editor")
	type state struct {
		On     map[string]string
		Said   string
		May    bool
		Middle map[string][2]float64
	}
	now := func(says string) state {
		t.Helper()
		until(t, ctx, `document.getElementById("said").textContent.includes(`+strconv.Quote(says)+`)`)
		return do(t, ctx, chromedp.Evaluate[state](`(() => {
			const all = [...document.querySelectorAll("#squares [data-sq]")], middle = (e) => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; };
			return {
				On: Object.fromEntries(all.map((e) => [e.dataset.sq, e.getAttribute("aria-label").split(", ")[1]])),
				Said: document.getElementById("said").textContent,
				May: !document.querySelector("#start .strong").disabled,
				Middle: Object.fromEntries(all.map((e) => [e.dataset.sq, middle(e)])),
			};
		})()`))
	}
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.getElementById("board").scrollIntoView()`))
	before := now("")
	from, to := "A4", "E6"
	a, b := before.Middle[from], before.Middle[to]
	do(t, ctx, chromedp.MouseEvent(chromedp.MousePressed, a[0], a[1], chromedp.ButtonLeft))
	do(t, ctx, chromedp.MouseEvent(chromedp.MouseMoved, (a[0]+b[0])/2, (a[1]+b[1])/2, chromedp.ButtonLeft))
	do(t, ctx, chromedp.MouseEvent(chromedp.MouseMoved, b[0], b[1], chromedp.ButtonLeft))
	do(t, ctx, chromedp.MouseEvent(chromedp.MouseReleased, b[0], b[1], chromedp.ButtonLeft))
	dragged := now("to " + to)
	if dragged.On[from] != before.On[to] || dragged.On[to] != before.On[from] {
		t.Fatalf("%s was dragged to %s: %v, then %v", from, to, before.On, dragged.On)
	}
	// The flag to the front row, by keys.
	flag := "B1"
	if dragged.On["D1"] == "flag" {
		flag = "D1"
	}
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`(() => {
		const key = (k) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true, cancelable: true }));
		document.querySelector("#squares [data-sq=`+flag+`]").focus();
		key("Enter");
		for (let n = 0; n < 9; n++) key("ArrowUp");
		key(" ");
	})()`))
	wrong := now("Not legal yet")
	if wrong.May || wrong.On[flag] == "flag" {
		t.Fatalf("the flag in the front row may be played: %+v", wrong)
	}
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("input[name=setup]")[1].click()`))
	if other := now(""); !other.May {
		t.Fatalf("a set-up that is offered may not be played: %+v", other)
	}
}
