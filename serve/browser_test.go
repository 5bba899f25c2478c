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

	"luzhanqi/game/games"
	"luzhanqi/referee"
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

// What the script draws is what the server draws: at every ply, with all eyes, both ways round.
func TestScriptDrawsWhatTheServerDraws(t *testing.T) {
	ctx := chromium(t)
	s, server := started(t, nil)
	for _, g := range games.All {
		played := &referee.Game{Conditions: referee.Conditions{Game: g, Limits: g.Limits()}, Seed: 7, Number: 1, Attempt: 1}
		played.Limits.MaxPlies = 8
		for i := range played.Entrants {
			e, err := referee.ParseEntrant(g, "builtin:random", fmt.Sprint("player ", i+1))
			if err != nil {
				t.Fatal(err)
			}
			played.Entrants[i] = e
		}
		if err := played.SetRules(""); err != nil {
			t.Fatal(err)
		}
		k := s.records.begin(played)
		if _, err := played.Play(t.Context(), k); err != nil {
			t.Fatal(err)
		}
		name, err := k.end()
		if err != nil {
			t.Fatal(err)
		}
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
					picture, status := page.Match{Film: f, Base: "/", Ply: ply, Eyes: eyes, Flip: flip}.Drawn()
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
func TestPlayByKeyboard(t *testing.T) {
	ctx := chromium(t)
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
