package queue

import (
	"fmt"
	"net"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	rec "luzhanqi/referee/record"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

// A worker that sends without end is sent away, and does not come back by that name; meanwhile the coordinator's own requests, and
// those of another worker, are answered in good time. What it sends may be of the kind that costs most, and large. With one processor
// it is answered as fast as it is read, but others wait behind it. How long they wait is judged without the race detector, which makes
// a flood so slow that it says nothing.
func TestFloods(t *testing.T) {
	for _, processors := range []int{1, runtime.GOMAXPROCS(0)} {
		t.Run(fmt.Sprintf("%d processors", processors), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			late := t.Errorf
			if raced {
				late = t.Logf
			}
			flood(t, late)
		})
	}
}

// letIn begins a queue to which workers come by a port, with the token "secret".
func letIn(t *testing.T, id string) (address string, c *Client) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address = l.Addr().String()
	l.Close()
	c, err = Embed(t.Context(), t.TempDir(), address, "secret", id, func(text string) { t.Log(text) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return address, c
}

func flood(t *testing.T, late func(string, ...any)) {
	const id = "flooded"
	address, client := letIn(t, id)
	q := client.Queue(id, 1)
	desk(t, q)
	other, err := Dial("nats://"+address, "secret", "other", func(text string) { t.Error(text) })
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	games := 0
	for _, kind := range []string{"find", kindKeep + "." + id, kindBring + "." + id, kindTake + "." + id} {
		name := "evil-" + kind[:4]
		join := func() (*nats.Conn, error) {
			return nats.Connect("nats://"+address, nats.UserInfo(name, "secret"), nats.Token("secret"), nats.CustomInboxPrefix(inbox(name)), nats.NoReconnect())
		}
		evil, err := join()
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for evil.PublishRequest(subjectOf(name, kind), inbox(name)+".x", []byte("{\"ticket\":{}}\n")) == nil {
			}
		}()
		tooLong := time.AfterFunc(2*time.Minute, func() {
			t.Errorf("%s: it was not sent away", kind)
			evil.Close()
		})
		for flooding := true; flooding; {
			select {
			case <-ended:
				flooding = false
			default:
			}
			games++
			game := fmt.Sprintf("r01-p001-g%d", games)
			begun := time.Now()
			if err := q.Offer(t.Context(), &Job{Schema: store.Schema, Place: schedule.Place{ID: game}, Header: rec.Header{Attempt: 1}}); err != nil {
				late("%s: a job could not be offered: %v after %v", kind, err, time.Since(begun))
			}
			// It may get no game, as they are the flood's, but an answer.
			if _, err := other.Desk(id, 1).Next(t.Context(), 100*time.Millisecond); err != nil {
				late("%s: another worker asked for a game: %v after %v", kind, err, time.Since(begun))
			}
		}
		tooLong.Stop()
		evil.Close()
		if again, err := join(); err == nil {
			again.Close()
			t.Errorf("%s: it was let in again", kind)
		}
	}
}

// Whose requests wait for answers is not taken for a flood, however many they are, nor who brings in one go what it had to keep
// back while the coordinator was stopped.
func TestHonestCrowds(t *testing.T) {
	const id = "crowded"
	address, client := letIn(t, id)
	desk(t, client.Queue(id, 1))
	conn, err := nats.Connect("nats://"+address, nats.UserInfo("busy", "secret"), nats.Token("secret"), nats.CustomInboxPrefix(inbox("busy")), nats.NoReconnect())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for range 12_000 {
		if err := conn.Publish(subjectOf("busy", kindKeep+"."+id), []byte("{\"ticket\":{}}\n")); err != nil {
			t.Fatal(err)
		}
	}
	// What comes while too much of it waits is dropped, so it waits until the last of all that is answered; what came before that is
	// then read, and answered before the next.
	for range 2 {
		for end := time.Now().Add(time.Minute); ; {
			_, err := conn.Request(subjectOf("busy", kindKeep+"."+id), []byte("{\"ticket\":{}}\n"), time.Second)
			if err == nil {
				break
			}
			if !conn.IsConnected() || time.Now().After(end) {
				t.Fatal(err)
			}
		}
	}
	var all sync.WaitGroup
	enough := time.Now().Add(3 * maxInsistence)
	for range 50 {
		all.Go(func() {
			for n := 0; n < 400 || time.Now().Before(enough); n++ {
				if _, err := conn.Request(subjectOf("busy", kindFind), nil, 30*time.Second); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}

// Whose requests come without end before the echo is sent away, be they answered or not; the coordinator's own worker is not.
func TestGateSendsAway(t *testing.T) {
	_, client := letIn(t, "gate")
	for name, want := range map[string]bool{"evil": true, client.name: false} {
		var warned []string
		g := client.Queue("gate", 1).newGate(t.Context(), t.Context(), Gate{Warn: func(text string) { warned = append(warned, text) }})
		g.conn = client.conn // no echo comes back, as nobody has subscribed to it
		handle := g.served(kindKeep+".gate", g.speaking, func(string, *nats.Msg, time.Time) []byte { return nil })
		m := &nats.Msg{Subject: subjectOf(name, kindKeep+".gate")}
		for range echoEvery + maxFlood + 1 {
			handle(m)
		}
		g.work.Wait()
		if away := !g.know(name); away != want || want != slices.ContainsFunc(warned, func(w string) bool { return strings.Contains(w, "faster than they are read") }) {
			t.Errorf("%s: sent away %v, want %v; warned %q", name, away, want, warned)
		}
	}
}

// Requests are ahead of an echo from when it is sent until it is back, or may be lost.
func TestLine(t *testing.T) {
	sent, lost := 0, uint64(0)
	l := &line{came: map[string]int{}, send: func() error { sent++; return nil }, losses: func() uint64 { return lost }}
	ahead := func(name string, requests int) (n int) {
		for range requests {
			n = l.ahead(name)
		}
		return n
	}
	if n := ahead("a", echoEvery); n != 0 || sent != 1 {
		t.Errorf("%d ahead of the echo that is sent now, %d were sent", n, sent)
	}
	for _, name := range []string{"a", "b"} {
		if n := ahead(name, maxFlood+1); n != maxFlood+1 || sent != 1 {
			t.Errorf("%s has %d ahead, %d echoes were sent", name, n, sent)
		}
	}
	for range 20 {
		l.echoed()
		if n := ahead("a", echoEvery+maxAhead); n != maxAhead {
			t.Errorf("%d ahead after an echo", n)
		}
	}
	lost++
	if n := ahead("a", 1); n != 0 {
		t.Errorf("%d ahead of an echo that may be lost", n)
	}
	if n := ahead("a", echoEvery+maxAhead); n != maxAhead {
		t.Errorf("%d ahead after a loss", n)
	}
	l = &line{came: map[string]int{}, send: func() error { return errLost }, losses: func() uint64 { return 0 }}
	if n := ahead("a", 20_000); n != 0 {
		t.Errorf("%d ahead of an echo that could not be sent", n)
	}
}

func TestInsistence(t *testing.T) {
	begin := time.Now()
	var i insistence
	for _, c := range []struct {
		after time.Duration
		want  bool
	}{{0, false}, {maxInsistence / 2, false}, {maxInsistence, true}, {maxInsistence + pause + 1, false}, {2*maxInsistence + pause, false}, {2*maxInsistence + pause + 1, true}} {
		if got := i.goesOn(begin.Add(c.after)); got != c.want {
			t.Errorf("after %v: %v", c.after, got)
		}
	}
}
