package serve

import (
	"fmt"
	"hash/fnv"
	"net/http"
	"sync"
	"time"

	"luzhanqi/serve/live"
	"luzhanqi/serve/page"
)

// index is the first page.
func (s *Server) index(w http.ResponseWriter, r *http.Request) {
	p := page.Index{Events: "/events", Seq: s.front.now(s.all)} // before the games are looked at, so that nothing falls between
	for _, h := range s.all() {
		h.Look(func(g live.Glance) {
			p.Add(g.Film, "/games/"+h.ID, g.Live)
		})
	}
	all, _ := s.records.list()
	for _, b := range all[:min(len(all), 12)] {
		p.Records = append(p.Records, rowOf(b))
	}
	p.More = len(all) > len(p.Records)
	html, err := p.HTML()
	s.write(w, r, html, err)
}

// indexEvents says when the first page has other games, or a board that it had not.
func (s *Server) indexEvents(w http.ResponseWriter, r *http.Request) {
	have := r.Header.Get("Last-Event-ID")
	if have == "" {
		have = r.FormValue("after")
	}
	s.stream(w, r, frontEvery, nil, func() (string, error) {
		now := s.front.now(s.all)
		if now == have {
			return "", nil
		}
		have = now
		return fmt.Sprintf("id: %s\ndata: {}\n\n", now), nil
	})
}

// frontEvery is how often the games are looked at for those who look at the first page, however many they are.
const frontEvery = 500 * time.Millisecond

// front is what the first page shows, as a number: while it is the same, so are the games, and which of them have begun and ended.
type front struct {
	mu   sync.Mutex
	next time.Time // before it nobody looks
	seen string
}

func (f *front) now(all func() []*hosted) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Now().Before(f.next) {
		return f.seen
	}
	sum := fnv.New64a()
	for _, h := range all() {
		h.Look(func(g live.Glance) {
			fmt.Fprintln(sum, h.ID, g.Film.Begun(), g.Live, h.live())
		})
	}
	f.seen, f.next = fmt.Sprintf("%016x", sum.Sum64()), time.Now().Add(frontEvery)
	return f.seen
}
