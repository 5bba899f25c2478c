package serve

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"luzhanqi/serve/page"
	"luzhanqi/serve/seat"
)

// Role is what a token allows. Each contains the ones before it.
type Role string

// The roles.
const (
	Watch   Role = "watch"   // to look at games and records
	Play    Role = "play"    // to play, and to seat programs
	Teach   Role = "teach"   // to see what all students have handed in, and their marks
	Operate Role = "operate" // to see health, metrics and profiles, and to let others in
)

// Roles are all roles, the weakest first.
var Roles = []Role{Watch, Play, Teach, Operate}

func (r Role) allows(what Role) bool { return slices.Index(Roles, r) >= slices.Index(Roles, what) }

// Token is who may come, and for what. The token itself is 256 random bits, so that one plain hash keeps it secret.
type Token struct {
	Name   string `toml:"name"`
	Role   Role   `toml:"role"`
	SHA256 string `toml:"sha256"` // of the token, in hexadecimal digits

	Course  string `toml:"course"`  // of a student; of a teacher: this one alone
	Student string `toml:"student"` // by the roster's id, or the name that submissions have
}

// NewToken draws a token, which is shown once, and how a configuration has it.
func NewToken() (token, hash string) {
	token = rand.Text() + rand.Text()
	return token, hashOf(token)
}

func hashOf(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

func checkTokens(all []Token) error {
	names := map[string]bool{}
	for i, t := range all {
		if t.Name == "" || names[t.Name] {
			return fmt.Errorf("token %d has the name %q: each needs one of its own", i+1, t.Name)
		}
		names[t.Name] = true
		if !slices.Contains(Roles, t.Role) {
			return fmt.Errorf("token %q has the role %q: allowed are %v", t.Name, t.Role, Roles)
		}
		if sum, err := hex.DecodeString(t.SHA256); err != nil || len(sum) != sha256.Size {
			return fmt.Errorf("token %q: sha256 = %q: allowed are 64 hexadecimal digits, as luzhanqi serve --new-token prints them", t.Name, t.SHA256)
		}
	}
	return nil
}

// access knows who may come. Without tokens everybody at this machine may do everything.
type access struct {
	tokens  []Token
	secure  bool // browsers come by TLS, to this server or to its proxy
	mu      sync.Mutex
	signed  map[string]pass // sign-ins, by the hash of their cookie
	links   map[string]pass // links that let somebody in once, by the hash of their code
	clients map[string]*rate.Limiter
	rate    float64 // requests a second of one client
}

// pass lets somebody in for a while.
type pass struct {
	token Token
	until time.Time
}

const (
	signedFor = 30 * 24 * time.Hour
	linkFor   = 24 * time.Hour
	maxPasses = 10_000
	// maxOwn is how many browsers are signed in by one token, and how many of its links can be used: who asks for more takes away own ones.
	maxOwn = 100
)

// find is the token with a hash; compared are hashes, so that how long it takes says nothing of the token.
func (a *access) find(token string) (Token, bool) {
	hash := hashOf(token)
	for _, t := range a.tokens {
		if equal(strings.ToLower(t.SHA256), hash) {
			return t, true
		}
	}
	return Token{}, false
}

// cookie is the name of the one that a browser is known by.
func (a *access) cookie() string {
	if a.secure {
		return "__Host-luzhanqi"
	}
	return "luzhanqi"
}

// who is who a request comes from.
func (a *access) who(r *http.Request) (Token, bool) {
	if len(a.tokens) == 0 {
		return Token{Role: Operate}, true
	}
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return a.find(bearer)
	}
	c, err := r.Cookie(a.cookie())
	if err != nil {
		return Token{}, false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	p, ok := a.signed[hashOf(c.Value)]
	return p.token, ok && time.Now().Before(p.until)
}

// forgetOldest forgets the oldest of those passes, if there are so many of them.
func forgetOldest(of map[string]pass, most int, those func(pass) bool) {
	n, oldest := 0, ""
	for k, p := range of {
		if !those(p) {
			continue
		}
		if n++; oldest == "" || p.until.Before(of[oldest].until) {
			oldest = k
		}
	}
	if n >= most {
		delete(of, oldest)
	}
}

// give adds a pass, and returns what it is known by.
func give(to map[string]pass, p pass) string {
	maps.DeleteFunc(to, func(_ string, old pass) bool { return time.Now().After(old.until) })
	own := func(old pass) bool { return old.token.SHA256 == p.token.SHA256 }
	if forgetOldest(to, maxOwn, own); len(to) >= maxPasses {
		forgetOldest(to, 1, func(pass) bool { return true })
	}
	code := rand.Text() + rand.Text()
	to[hashOf(code)] = p
	return code
}

// signIn lets a browser in, by a token or by the code of a link, which can be used once.
func (a *access) signIn(w http.ResponseWriter, token string) bool {
	t, ok := a.find(token)
	a.mu.Lock()
	defer a.mu.Unlock()
	if !ok {
		p, known := a.links[hashOf(token)]
		delete(a.links, hashOf(token))
		if !known || time.Now().After(p.until) {
			return false
		}
		t = p.token
	}
	http.SetCookie(w, &http.Cookie{
		Name: a.cookie(), Value: give(a.signed, pass{t, time.Now().Add(signedFor)}), Path: "/", MaxAge: int(signedFor / time.Second),
		Secure: a.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
	return true
}

// needed is what a request needs; "": nothing.
func needed(r *http.Request) Role {
	switch path := r.URL.Path; {
	case path == "/sign-in" || path == "/healthz" || path == "/readyz" || strings.HasPrefix(path, "/static/"):
		return ""
	case path == "/metrics":
		return Operate
	case ofCourse(path):
		return Watch // the courses know who may what
	case r.Method != http.MethodGet && r.Method != http.MethodHead, path == "/play", strings.HasSuffix(path, "/join") && r.Header.Get(seat.HeaderLink) == "":
		return Play
	}
	return Watch
}

// burst is how many seconds' requests may come at once.
const burst = 5

// maxClients is of how many addresses the rate is known; then those are forgotten who may make all requests again, or else all.
const maxClients = 10_000

// lets says whether a client may make another request now.
func (a *access) lets(client string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	of := a.clients[client]
	if of == nil {
		if len(a.clients) >= maxClients {
			maps.DeleteFunc(a.clients, func(_ string, l *rate.Limiter) bool { return l.Tokens() >= float64(l.Burst()) })
		}
		if len(a.clients) >= maxClients {
			clear(a.clients)
		}
		of = rate.NewLimiter(rate.Limit(a.rate), int(burst*a.rate))
		a.clients[client] = of
	}
	return of.Allow()
}

// network is whose rate an address shares: of IPv6 everybody has 2^64 addresses, a /64.
func network(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	if a = a.Unmap().WithZone(""); a.Is4() {
		return a.String()
	}
	p, _ := a.Prefix(64)
	return p.String()
}

// client is the address of who asks: what a trusted proxy says, or else who is connected.
func (c *Config) client(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	if !slices.Contains(c.Proxies, host) {
		return host
	}
	said := r.Header.Values("X-Forwarded-For")
	if len(said) == 0 {
		return host
	}
	all := strings.Split(said[len(said)-1], ",")
	last := strings.TrimSpace(all[len(all)-1])
	if a, err := netip.ParseAddr(last); err == nil {
		return a.String()
	}
	return host
}

// private says whether nobody can read a request on its way: it came by TLS, from this machine, or from a proxy that is named.
func (c *Config) private(r *http.Request) bool {
	if c.Certificate != "" {
		return true
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && (from.Addr().Unmap().IsLoopback() || slices.Contains(c.Proxies, from.Addr().Unmap().String()))
}

// opened says whether others than this machine may come, and to what end the configuration has all that they need.
func (c *Config) opened() error {
	switch {
	case len(c.Tokens) == 0:
		return fmt.Errorf("others could reach it: allowed are 127.0.0.1, [::1] and localhost; others need tokens, and a certificate or a proxy (docs/serve.md)")
	case c.Certificate == "" && len(c.Proxies) == 0:
		return fmt.Errorf("others could reach it, and read tokens on their way: it needs certificate and key, or proxies")
	case len(c.Names) == 0:
		return fmt.Errorf("others could reach it: it needs names, by which they know it")
	}
	return nil
}

// admitted lets only requests through that may be made.
func (s *Server) admitted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		need := needed(r)
		if t, ok := s.access.who(r); need != "" && !ok {
			if r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html") {
				http.Redirect(w, r, "/sign-in", http.StatusSeeOther)
				return
			}
			w.Header().Set("WWW-Authenticate", "Bearer")
			s.refuse(w, r, http.StatusUnauthorized, "a token is needed, as Authorization: Bearer TOKEN")
			return
		} else if need != "" && !t.Role.allows(need) {
			s.refuse(w, r, http.StatusForbidden, fmt.Sprintf("your token allows to %s; this needs one that allows to %s", t.Role, need))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// signIn lets a browser in. The code of a link comes by POST, so that whoever only looks at the link does not use it up.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost && s.access.signIn(w, strings.TrimSpace(r.FormValue("token"))) {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	code := http.StatusOK
	if r.Method == http.MethodPost {
		s.counts.refused.Add(1)
		code = http.StatusForbidden
	}
	html, err := page.SignIn{Code: r.FormValue("code"), Refused: code != http.StatusOK}.HTML()
	if err != nil {
		s.write(w, r, nil, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	w.Write(html)
}

// invite makes a link by which the bearer of a token can sign in once.
func (s *Server) invite(w http.ResponseWriter, r *http.Request) {
	at := slices.IndexFunc(s.access.tokens, func(t Token) bool { return t.Name == r.FormValue("name") })
	if at < 0 {
		http.Error(w, "name: no token of the configuration is called so", http.StatusUnprocessableEntity)
		return
	}
	s.access.mu.Lock()
	defer s.access.mu.Unlock()
	fmt.Fprintf(w, "/sign-in?code=%s\n", give(s.access.links, pass{s.access.tokens[at], time.Now().Add(linkFor)}))
}

// allowed says whether the token in the first line of a plain connection allows to play.
func (a *access) allowed(token string) bool {
	t, ok := a.find(token)
	return len(a.tokens) == 0 || ok && t.Role.allows(Play)
}
