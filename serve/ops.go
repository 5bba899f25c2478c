package serve

import (
	"fmt"
	"net/http"
	"net/http/pprof"
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
	m.Handle("GET /metrics", s.metrics())
}
