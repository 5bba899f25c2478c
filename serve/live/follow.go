package live

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

const (
	// heartbeat keeps proxies and clients from taking a quiet stream for a dead one.
	heartbeat = 15 * time.Second
	// patience is how long a client may take to read what was written; who is slower comes back with its last number.
	patience = 10 * time.Second
)

// Follow streams the events of an audience, as server-sent events, from the one after that which the client has, until
// the game has ended, the client leaves, or ctx is done.
func (l *Game) Follow(ctx context.Context, who Audience, w http.ResponseWriter, r *http.Request) {
	have, err := strconv.Atoi(r.Header.Get("Last-Event-ID"))
	if err != nil {
		have, _ = strconv.Atoi(r.FormValue("after"))
	}
	l.watchers.Add(1)
	defer l.watchers.Add(-1)
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	c := http.NewResponseController(w)
	alive := time.NewTicker(heartbeat)
	defer alive.Stop()
	quiet := []byte("retry: 1000\n\n")
	for last := false; ; {
		now := l.open[who].now.Load()
		c.SetWriteDeadline(time.Now().Add(patience))
		w.Write(quiet)
		quiet = nil
		for have = max(0, min(have, len(now.list))); have < len(now.list); have++ {
			w.Write(now.list[have])
		}
		if c.Flush() != nil || now.end || last {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-ctx.Done():
			last = true // what has happened until now is still told
		case <-now.changed:
		case <-alive.C:
			quiet = []byte(":\n\n")
		}
	}
}
