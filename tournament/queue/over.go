package queue

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// Over is what workers are told of a tournament that is played to its end. Nothing depends on it: who does not hear it
// sees in time that no coordinator answers.
type Over struct {
	ID      string `json:"id"`
	Closing bool   `json:"closing,omitempty"` // the queue ends with it
}

const kindOver = "over"

// over tells all workers that have been here that the tournament is over, and lets nobody find it any more.
func (g *gate) over() {
	g.find.Unsubscribe()
	text, err := json.Marshal(Over{ID: g.queue.id, Closing: g.queue.client.server != nil})
	if err != nil {
		return
	}
	g.mu.Lock()
	names := make([]string, 0, len(g.known))
	for name := range g.known {
		names = append(names, name)
	}
	g.mu.Unlock()
	for _, name := range names {
		g.conn.Publish(inbox(name)+"."+kindOver, text)
	}
	g.conn.FlushTimeout(time.Second)
}

// know keeps the name of a worker that is to be told the end; false: it was sent away.
func (g *gate) know(name string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.away[name] {
		return false
	}
	if name != g.queue.client.name && len(g.known) < maxTaking {
		g.known[name] = true
	}
	return true
}

// Hear calls told for each tournament that ends, until stop is called. When a queue closes with its tournament, the loss of the
// connection is no warning.
func (c *Client) Hear(told func(Over)) (stop func(), err error) {
	sub, err := c.conn.Subscribe(inbox(c.name)+"."+kindOver, func(m *nats.Msg) {
		var over Over
		if json.Unmarshal(m.Data, &over) != nil {
			return
		}
		if over.Closing {
			c.closing.say(true)
		}
		told(over)
	})
	if err != nil {
		return nil, err
	}
	return func() { sub.Unsubscribe() }, nil
}

// closed says whether the queue was closed at the end of its tournament, and has not come back since. Of a connection that is
// lost it waits a moment for that news.
func (c *Client) closed(ctx context.Context) bool {
	if c.conn.IsConnected() {
		return c.closing.said(ctx, 0)
	}
	return c.closing.said(ctx, closingSoon)
}

// closing knows whether the queue that a connection leads to has said that it closes.
type closing struct {
	mu   sync.Mutex
	told chan struct{} // closed when it has
}

// closingSoon is how long the loss of a connection waits for that news, which came on it before: a connection tells its losses
// and its messages in goroutines of their own.
const closingSoon = time.Second

func newClosing() *closing { return &closing{told: make(chan struct{})} }

// say notes that the queue closes, or is there again.
func (c *closing) say(closes bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.told:
		if !closes {
			c.told = make(chan struct{})
		}
	default:
		if closes {
			close(c.told)
		}
	}
}

// said waits so long for the news, but no longer than the context lasts.
func (c *closing) said(ctx context.Context, wait time.Duration) bool {
	c.mu.Lock()
	told := c.told
	c.mu.Unlock()
	select {
	case <-told:
		return true
	default:
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-told:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}
