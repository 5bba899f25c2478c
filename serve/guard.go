package serve

import (
	"compress/gzip"
	"crypto/subtle"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"

	"luzhanqi/serve/page"
)

func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// guard lets only requests through that pages of this server make, or somebody at this machine, and sets what all answers have.
func (s *Server) guard(next http.Handler) http.Handler {
	foreign := http.NewCrossOriginProtection()
	next = foreign.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.counts.requests.Add(1)
		if !ownName(r.Host) { // a page elsewhere, whose name was made to lead here
			s.refuse(w, r, http.StatusMisdirectedRequest, "this server is known as localhost and 127.0.0.1")
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", page.Policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
		next.ServeHTTP(w, r)
	})
}

// ownName says whether a host is this machine.
func ownName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// compressed lets text travel small, to those who can read it so.
func compressed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") || strings.HasSuffix(r.URL.Path, "/events") {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Add("Vary", "Accept-Encoding")
		z := &zipping{ResponseWriter: w}
		defer z.end()
		next.ServeHTTP(z, r)
	})
}

var zippers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

// zipping compresses what is written, unless it has no content.
type zipping struct {
	http.ResponseWriter
	to *gzip.Writer
}

func (z *zipping) WriteHeader(code int) {
	kind := z.Header().Get("Content-Type")
	if code == http.StatusOK && !strings.Contains(kind, "woff2") {
		z.Header().Set("Content-Encoding", "gzip")
		z.Header().Del("Content-Length")
		z.to = zippers.Get().(*gzip.Writer)
		z.to.Reset(z.ResponseWriter)
	}
	z.ResponseWriter.WriteHeader(code)
}

func (z *zipping) Write(b []byte) (int, error) {
	if z.to == nil {
		return z.ResponseWriter.Write(b)
	}
	return z.to.Write(b)
}

func (z *zipping) end() {
	if z.to != nil {
		z.to.Close()
		zippers.Put(z.to)
	}
}
