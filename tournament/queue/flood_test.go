package queue

import (
	"fmt"
	"net"
	"runtime"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	rec "luzhanqi/referee/record"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

// A worker that sends without end is sent away, and does not come back by that name; meanwhile the coordinator's own requests, and
// those of another worker, are answered in good time. What it sends may be of the kind that costs most, and large. With one processor
// it is answered as fast as it is read, but others wait behind it.
func TestFloods(t *testing.T) {
	for _, processors := range []int{1, runtime.GOMAXPROCS(0)} {
		t.Run(fmt.Sprintf("%d processors", processors), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			flood(t)
		})
	}
}

func flood(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	const id = "flooded"
	client, err := Embed(t.Context(), t.TempDir(), address, "secret", id, func(text string) { t.Log(text) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
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
		tooLong := time.AfterFunc(30*time.Second, func() {
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
				t.Errorf("%s: a job could not be offered: %v after %v", kind, err, time.Since(begun))
			}
			// It may get no game, as they are the flood's, but an answer.
			if _, err := other.Desk(id, 1).Next(t.Context(), 100*time.Millisecond); err != nil {
				t.Errorf("%s: another worker asked for a game: %v after %v", kind, err, time.Since(begun))
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
