package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// While a hostile process does all that it can from addresses of its own, others play and watch on, and the server's memory is
// bounded.
func TestBesieged(t *testing.T) {
	folder := t.TempDir()
	with := siege{
		Report: filepath.Join(folder, "report"), Plain: filepath.Join(folder, "plain"), For: 2 * time.Second,
		HalfOpen: 20, Slow: 5, Crowd: 20, Line: 64 << 20, Requests: 2000, Origins: 50, Paths: "/healthz",
	}
	watchers, plies, pace, rate := 5, 10, time.Duration(0), 100
	nightly := os.Getenv("LUZHANQI_NIGHTLY") != ""
	if nightly {
		with.For, with.HalfOpen, with.Slow, with.Crowd, with.Line, with.Requests, with.Paths = 25*time.Second, 1000, 100, 1000, 1<<30, 10_000, "/"
		watchers, plies, pace, rate = 50, 150, 100*time.Millisecond, 1000
	}
	pid, server := serverApart(t, fmt.Sprintf("rate = %d\nplain = %q\n[[table]]\nname = \"arena\"\ngame = \"luzhanqi\"\nplayers = [\"remote\", \"builtin:random\"]\n", rate, "unix://"+with.Plain))
	with.Host = server[len("http://"):]
	d := newDuel(t, server, "luzhanqi")
	c := newCrowd(t, server)
	quiet := d.quick(20)
	c.follow(d.id, watchers)
	// play lets a person move, others watch, and one look at a page.
	play := func(name string) (p99, page time.Duration) {
		var late, pages []time.Duration
		for range plies {
			next := time.Now().Add(pace)
			send := d.next()
			at := time.Now()
			send()
			c.wait(d.plies, watchers)
			c.mu.Lock()
			for _, arrived := range c.arrived[d.plies] {
				late = append(late, arrived.Sub(at))
			}
			c.mu.Unlock()
			at = time.Now()
			if code, _ := get(t, http.DefaultClient, server+"/games/"+d.id); code != http.StatusOK {
				t.Errorf("%s: the page: %d", name, code)
			}
			pages = append(pages, time.Since(at))
			time.Sleep(time.Until(next))
		}
		text, p99 := percentiles(late)
		texts, page := percentiles(pages)
		t.Logf("%s: events come %s after the move; a page takes %s", name, text, texts)
		return p99, page
	}
	play("before")
	before := used(t, pid)
	text, err := json.Marshal(with)
	if err != nil {
		t.Fatal(err)
	}
	hostile, _ := apart(t, siegeWord, string(text))
	time.Sleep(with.For / 10) // all of it has begun
	from := used(t, pid)
	p99, page := play("besieged")
	to := used(t, pid)
	if err := hostile.Wait(); err != nil {
		t.Fatal(err)
	}
	theirs := (hostile.ProcessState.UserTime() + hostile.ProcessState.SystemTime()).Seconds() / with.For.Seconds()
	var got sieged
	if text, err = os.ReadFile(with.Report); err == nil {
		err = json.Unmarshal(text, &got)
	}
	if err != nil {
		t.Fatal(err)
	}
	after := used(t, pid)
	t.Logf("the server has %.0f %% of a processor, the hostile process %.0f %%; %.0f MB in memory before, %.0f at most", 100*share(from, to), 100*theirs, before.memory, after.peak)
	t.Logf("%d requests a second, answers %v; of %d half-open connections %d were closed, %d refused; bytes taken of endless lines %v",
		got.Reached, got.Answers, got.Opened, got.Closed, got.Refused, got.Taken)
	if got.Answers["429"] == 0 || got.Answers["403"] == 0 {
		t.Errorf("too many requests, or those of a page elsewhere, were not refused: %v", got.Answers)
	}
	for where, taken := range got.Taken {
		if taken < 0 || taken > 16<<20 { // what the kernel keeps is among it
			t.Errorf("%d bytes of an endless line were taken: %s", taken, where)
		}
	}
	if after.peak > 200 && !raced {
		t.Errorf("%.0f MB in memory, not 200 at most", after.peak)
	}
	if !nightly || raced {
		return
	}
	if !quiet {
		t.Log("others have the processors: times are not judged")
	} else if p99 > 100*time.Millisecond || page > 100*time.Millisecond {
		t.Errorf("p99 is %v of events and %v of pages, not 100 ms", p99, page)
	}
}
