package serve

import (
	"fmt"
	"net/http"
	"net/http/pprof"
	"runtime"
	"slices"
	"strings"
	"time"

	"luzhanqi/referee"
)

// operators answers who runs the server.
func (s *Server) operators() http.Handler {
	m := http.NewServeMux()
	s.health(m)
	m.HandleFunc("POST /links", s.invite)
	m.HandleFunc("GET /debug/pprof/", pprof.Index)
	m.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	m.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !ownName(r.Host) {
			http.Error(w, "this server is known as localhost and 127.0.0.1", http.StatusMisdirectedRequest)
			return
		}
		if probe := r.URL.Path == "/healthz" || r.URL.Path == "/readyz"; probe {
			m.ServeHTTP(w, r)
			return
		}
		if t, ok := s.access.who(r); !ok || !t.Role.allows(Operate) {
			http.Error(w, "a token of the role operate is needed, as Authorization: Bearer TOKEN", http.StatusUnauthorized)
			return
		}
		http.NewCrossOriginProtection().Handler(m).ServeHTTP(w, r)
	})
}

// health adds what says how the server is.
func (s *Server) health(m *http.ServeMux) {
	m.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	m.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if s.ending.Err() != nil {
			http.Error(w, "draining: no new game begins", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	m.HandleFunc("GET /metrics", s.metrics)
}

// metrics are in the text format of Prometheus, version 0.0.4.
func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) {
	var b strings.Builder
	one := func(name, kind, help string, value any) {
		fmt.Fprintf(&b, "# HELP luzhanqi_%[1]s %[3]s\n# TYPE luzhanqi_%[1]s %[2]s\nluzhanqi_%[1]s %[4]v\n", name, kind, help, value)
	}
	s.mu.Lock()
	live, people := 0, s.people
	for _, h := range s.games {
		if h.live() {
			live++
		}
	}
	s.mu.Unlock()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	one("games_live", "gauge", "Games that are being played.", live)
	one("people_playing", "gauge", "Games that people play.", people)
	one("watchers", "gauge", "Streams of events that are open.", s.counts.streams.Load())
	s.mu.Lock()
	seated, queue := s.seated, 0
	for _, waiting := range s.lobby {
		queue += len(waiting)
	}
	s.mu.Unlock()
	one("seats", "gauge", "Programs from elsewhere that play or wait.", seated)
	one("queue", "gauge", "Programs from elsewhere that wait for a game.", queue)
	one("resumed_total", "counter", "Broken connections of programs that went on.", s.counts.resumed.Load())
	one("games_total", "counter", "Games that have begun.", s.counts.games.Load())
	one("plies_total", "counter", "Moves that were played.", s.counts.plies.Load())
	one("requests_total", "counter", "Requests to pages.", s.counts.requests.Load())
	one("refused_total", "counter", "Requests and connections that were refused.", s.counts.refused.Load())
	one("memory_bytes", "gauge", "Memory obtained from the system.", memory.Sys)
	one("goroutines", "gauge", "Goroutines.", runtime.NumGoroutine())
	one("uptime_seconds", "gauge", "Since the server began.", fmt.Sprintf("%.0f", time.Since(s.began).Seconds()))
	fmt.Fprintf(&b, "# HELP luzhanqi_endings_total Games by how they ended.\n# TYPE luzhanqi_endings_total counter\n")
	s.counts.endingsMu.Lock()
	for _, code := range slices.Sorted(slices.Values(referee.Codes)) {
		fmt.Fprintf(&b, "luzhanqi_endings_total{code=%q} %d\n", code, s.counts.endings[string(code)])
	}
	s.counts.endingsMu.Unlock()
	s.counts.moves.write(&b)
	s.submissions(&b)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	fmt.Fprint(w, b.String())
}
