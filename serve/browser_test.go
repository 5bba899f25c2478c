package serve

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	cdruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/serve/film"
	"luzhanqi/serve/page"
)

// chromium is a browser without windows; the test is skipped where there is none. Whatever a page complains of fails the test.
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
		t.Skip("chromium is missing")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(found), chromedp.WindowSize(1280, 860))
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
	err := chromedp.Listen(ctx, func(e any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := e.(type) {
		case *cdruntime.EventExceptionThrown:
			complaints = append(complaints, fmt.Sprintf("%+v", e.ExceptionDetails))
		case *log.EventEntryAdded:
			complaints = append(complaints, fmt.Sprintf("%+v", *e.Entry))
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
		return chromedp.Void{}, err
	}
	if _, err := chromedp.Run(ctx, enable); err != nil {
		t.Fatal(err)
	}
	within, stop := context.WithTimeout(ctx, time.Minute)
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

// The pages in a browser: one for all, as its start costs a second.
func TestBrowser(t *testing.T) {
	ctx := chromium(t)
	t.Run("draws", func(t *testing.T) { drawsWhatTheServerDraws(t, ctx) })
	t.Run("beliefs", func(t *testing.T) { drawsBeliefs(t, ctx) })
	t.Run("keyboard", func(t *testing.T) { playsByKeyboard(t, ctx) })
}

// What the script draws is what the server draws: at every ply, with all eyes, both ways round.
func drawsWhatTheServerDraws(t *testing.T, ctx context.Context) {
	s, server := started(t, nil)
	all := games.All[:2]
	if os.Getenv("LUZHANQI_NIGHTLY") != "" {
		all = games.All
	}
	for _, g := range all {
		name := recorded(t, s, g, 4)
		f, err := s.records.film(0, name)
		if err != nil {
			t.Fatal(err)
		}
		do(t, ctx, chromedp.Navigate(server+"/records/0/"+name))
		drawn := do(t, ctx, chromedp.Evaluate[[]string](`(async () => {
			const all = [], press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key }));
			const seen = () => [...document.getElementById("picture").childNodes].map((e) => new XMLSerializer().serializeToString(e).replaceAll(' xmlns="http://www.w3.org/2000/svg"', "")).join("");
			for (const flip of [0, 1]) {
				for (const eyes of ["0", "1", "2"]) {
					press(eyes); press("Home");
					for (let ply = 0; ply <= `+fmt.Sprint(f.Last())+`; ply++) { all.push(seen() + "|" + document.getElementById("status").textContent); press("ArrowRight"); }
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
					picture, _, status := page.Match{Film: f, Base: "/", Ply: ply, Eyes: eyes, Flip: flip}.Drawn()
					want := picture + "|" + status
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
			do(t, ctx, chromedp.Navigate(server+"/records/0/"+name+"?ply=5&eyes="+string(eyes)+opinion))
			do(t, ctx, chromedp.Evaluate[chromedp.Void](`document.querySelector("#looks [data-heat=L]").click()`))
			do(t, ctx, chromedp.Poll[bool](`document.getElementById("heated").childElementCount > 0`))
			got := do(t, ctx, chromedp.Evaluate[string](`document.getElementById("heated").innerHTML`))
			if closed(got) != closed(want) {
				t.Fatalf("eyes %s%s: %s\n%s", eyes, opinion, differs(closed(got), closed(want)), differs(closed(want), closed(got)))
			}
		}
	}
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

// A whole game is played with the keyboard alone.
func playsByKeyboard(t *testing.T, ctx context.Context) {
	s, server := started(t, nil)
	do(t, ctx, chromedp.Navigate(server+"/play"))
	do(t, ctx, chromedp.Evaluate[chromedp.Void](`(() => { const f = [...document.forms].find((f) => f.elements.game.value === "gastank"); f.elements.level.value = "random"; f.elements.side.value = "1"; f.querySelector("button").focus(); })()`))
	do(t, ctx, chromedp.KeyEvent(kb.Enter))
	do(t, ctx, chromedp.WaitVisible("#squares"))
	address := do(t, ctx, chromedp.Location())
	id := address[strings.LastIndexByte(address, '/')+1:]
	h := s.find(id)
	if h == nil {
		t.Fatalf("no game at %s", address)
	}
	for range 34 {
		// The first legal move: to its piece and on to its square by arrows, chosen with the space bar.
		do(t, ctx, chromedp.Poll[bool](`/^After/.test(document.getElementById("status").textContent) || !document.getElementById("move").disabled`, chromedp.WithPollingInterval(5*time.Millisecond)))
		if do(t, ctx, chromedp.Evaluate[bool](`/^After/.test(document.getElementById("status").textContent)`)) {
			break
		}
		before := do(t, ctx, chromedp.Evaluate[int](`document.getElementById("moves").children.length`))
		moved := do(t, ctx, chromedp.Evaluate[bool](`(() => {
			const key = (k) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true, cancelable: true }));
			const legal = document.getElementById("legal").options[0].value, from = legal.slice(0, 2), to = legal.slice(2);
			const walk = (name) => {
				const at = () => document.activeElement.getAttribute("aria-label").slice(0, 2);
				document.querySelector("#squares a[tabindex='0']").focus();
				for (let n = 0; n < 40 && at() !== name; n++) {
					const [f, r] = [at().charCodeAt(0) - name.charCodeAt(0), at()[1] - name[1]];
					key(f < 0 ? "ArrowRight" : f > 0 ? "ArrowLeft" : r < 0 ? "ArrowUp" : "ArrowDown");
				}
				return at() === name;
			};
			if (!walk(from)) return false;
			key(" ");
			if (!walk(to)) return false;
			key(" ");
			return true;
		})()`))
		if !moved {
			t.Fatal("the arrows do not lead to a square")
		}
		do(t, ctx, chromedp.Poll[bool](fmt.Sprintf(`document.getElementById("moves").children.length > %d`, before), chromedp.WithPollingInterval(5*time.Millisecond)))
	}
	select {
	case <-h.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("the game did not end")
	}
}
