package serve

import (
	"fmt"
	"net/http"
	"time"
)

const (
	streamHeartbeat = 15 * time.Second // proxies and clients take a stream that is quiet for longer for a dead one
	streamPatience  = 10 * time.Second // for a client to read
)

// stream sends what there is of news, again and again as time goes by and whenever something has changed, until the server ends.
// changed may be nil: nobody says so.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, every time.Duration, changed func() <-chan struct{}, news func() (string, error)) {
	if s.counts.streams.Add(1) > int64(s.config.Watchers) {
		s.counts.streams.Add(-1)
		s.refuse(w, r, http.StatusServiceUnavailable, fmt.Sprintf("%d watch already, and no more can", s.config.Watchers))
		return
	}
	defer s.counts.streams.Add(-1)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	c := http.NewResponseController(w)
	look := time.NewTicker(every)
	defer look.Stop()
	said := time.Now()
	text := "retry: 1000\n\n"
	for {
		var change <-chan struct{}
		if changed != nil {
			change = changed() // before what is new is asked for, so that nothing falls between
		}
		now, err := news()
		if err != nil {
			return
		}
		if text += now; now == "" && time.Since(said) > streamHeartbeat {
			text += ":\n\n"
		}
		if text != "" {
			c.SetWriteDeadline(time.Now().Add(streamPatience))
			if _, err := w.Write([]byte(text)); err != nil || c.Flush() != nil {
				return
			}
			text, said = "", time.Now()
		}
		select {
		case <-change:
		case <-look.C:
		case <-r.Context().Done():
			return
		case <-s.closing.Done():
			return
		}
	}
}
