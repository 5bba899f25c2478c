package serve

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/time/rate"

	"luzhanqi/serve/seat"
)

// tokens are one of each role.
func tokens(c *Config) (of map[Role]string) {
	of = map[Role]string{}
	for _, role := range Roles {
		token, hash := NewToken()
		of[role] = token
		c.Tokens = append(c.Tokens, Token{Name: string(role), Role: role, SHA256: hash})
	}
	return of
}

// ask makes a request by a handler, as from an address.
func ask(h http.Handler, from, method, path string, header ...string) *httptest.ResponseRecorder {
	q := httptest.NewRequest(method, "http://localhost"+path, nil)
	q.RemoteAddr = from + ":1234"
	for i := 0; i < len(header); i += 2 {
		if q.Header.Set(header[i], header[i+1]); header[i] == "Host" {
			q.Host = header[i+1]
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, q)
	return w
}

// Each request needs the role that it needs, and is refused without.
func TestRoles(t *testing.T) {
	var of map[Role]string
	s, _ := started(t, func(c *Config) {
		of = tokens(c)
		c.Tables = []Table{arena("jungle", 1)}
	})
	pages, operators := s.Handler(), s.operators()
	for _, c := range []struct {
		h      http.Handler
		method string
		path   string
		codes  [5]int // without a token, and with watch, play, teach, operate
	}{
		{pages, "GET", "/", [5]int{401, 200, 200, 200, 200}},
		{pages, "GET", "/records", [5]int{401, 200, 200, 200, 200}},
		{pages, "GET", "/records/0/nothing.jsonl", [5]int{401, 404, 404, 404, 404}},
		{pages, "GET", "/games/nothing/events", [5]int{401, 404, 404, 404, 404}},
		{pages, "GET", "/play", [5]int{401, 403, 200, 200, 200}},
		{pages, "POST", "/play?game=nosuch", [5]int{401, 403, 303, 303, 303}},
		{pages, "POST", "/games/nothing/move", [5]int{401, 403, 404, 404, 404}},
		{pages, "GET", "/tables/arena/join", [5]int{401, 403, 426, 426, 426}},
		{pages, "GET", "/metrics", [5]int{401, 403, 403, 403, 200}},
		{pages, "GET", "/debug/pprof/", [5]int{401, 404, 404, 404, 404}},
		{pages, "GET", "/sign-in", [5]int{200, 200, 200, 200, 200}},
		{pages, "GET", "/healthz", [5]int{200, 200, 200, 200, 200}},
		{operators, "GET", "/debug/pprof/", [5]int{401, 401, 401, 401, 200}},
		{operators, "GET", "/metrics", [5]int{401, 401, 401, 401, 200}},
		{operators, "POST", "/links?name=play", [5]int{401, 401, 401, 401, 200}},
		{operators, "POST", "/links?name=nobody", [5]int{401, 401, 401, 401, 422}},
	} {
		for i, role := range append([]Role{""}, Roles...) {
			header := []string{"Accept", "application/json"}
			if role != "" {
				header = append(header, "Authorization", "Bearer "+of[role])
			}
			if got := ask(c.h, "127.0.0.1", c.method, c.path, header...).Code; got != c.codes[i] {
				t.Errorf("%s %s as %q: %d, want %d", c.method, c.path, role, got, c.codes[i])
			}
		}
	}
	if got := ask(pages, "127.0.0.1", "GET", "/", "Authorization", "Bearer "+s.config.Tokens[2].SHA256).Code; got != 401 {
		t.Errorf("the hash of a token is taken for it: %d", got)
	}
	if got := ask(pages, "127.0.0.1", "GET", "/", "Accept", "text/html"); got.Code != 303 || got.Header().Get("Location") != "/sign-in" {
		t.Errorf("a browser is led to %d %s", got.Code, got.Header().Get("Location"))
	}
}

// A browser signs in by a token, or once by a link; the cookie is for this server alone, and no script reads it.
func TestSignIn(t *testing.T) {
	var of map[Role]string
	s, _ := started(t, func(c *Config) {
		of = tokens(c)
		c.Proxies = []string{"127.0.0.1"}
	})
	pages := s.Handler()
	signIn := func(token string) *httptest.ResponseRecorder {
		return ask(pages, "127.0.0.1", "POST", "/sign-in?"+url.Values{"token": {token}}.Encode())
	}
	for _, wrong := range []string{"", "x", s.config.Tokens[0].SHA256} {
		if w := signIn(wrong); w.Code != 403 || w.Header().Get("Set-Cookie") != "" {
			t.Errorf("%q: %d", wrong, w.Code)
		}
	}
	link := strings.TrimSpace(ask(s.operators(), "127.0.0.1", "POST", "/links?name=play", "Authorization", "Bearer "+of[Operate]).Body.String())
	code, _ := strings.CutPrefix(link, "/sign-in?code=")
	if w := ask(pages, "127.0.0.1", "GET", link); w.Code != 200 || w.Header().Get("Set-Cookie") != "" || !strings.Contains(w.Body.String(), code) {
		t.Errorf("looking at a link: %d", w.Code)
	}
	for _, token := range []string{of[Play], code} {
		w := signIn(token)
		set := w.Header().Get("Set-Cookie")
		if w.Code != 303 || !strings.HasPrefix(set, "__Host-luzhanqi=") {
			t.Fatalf("%d %s", w.Code, set)
		}
		for _, want := range []string{"; Path=/;", "; HttpOnly", "; Secure", "; SameSite=Lax"} {
			if !strings.Contains(set, want) {
				t.Errorf("%s has no %s", set, want)
			}
		}
		cookie, _, _ := strings.Cut(set, ";")
		if got := ask(pages, "127.0.0.1", "GET", "/play", "Cookie", cookie).Code; got != 200 {
			t.Errorf("who has signed in gets %d", got)
		}
		if got := ask(pages, "127.0.0.1", "GET", "/metrics", "Cookie", cookie).Code; got != 403 {
			t.Errorf("who may play sees metrics: %d", got)
		}
		if got := ask(pages, "127.0.0.1", "POST", "/play?game=x", "Cookie", cookie, "Origin", "https://example.com", "Sec-Fetch-Site", "cross-site").Code; got != 403 {
			t.Errorf("a page elsewhere may play: %d", got)
		}
	}
	if w := signIn(code); w.Code != 403 {
		t.Errorf("a link lets in twice: %d", w.Code)
	}
}

// Whoever signs in very often signs nobody else out.
func TestOthersStaySignedIn(t *testing.T) {
	var of map[Role]string
	s, _ := started(t, func(c *Config) { of = tokens(c) })
	in := func(token string) string {
		w := httptest.NewRecorder()
		if !s.access.signIn(w, token) {
			t.Fatal("it is not let in")
		}
		cookie, _, _ := strings.Cut(w.Header().Get("Set-Cookie"), ";")
		return cookie
	}
	operator, first := in(of[Operate]), in(of[Watch])
	for range 3 * maxOwn {
		in(of[Watch])
	}
	if code := ask(s.Handler(), "127.0.0.1", "GET", "/metrics", "Cookie", operator).Code; code != 200 {
		t.Errorf("the operator gets %d", code)
	}
	if code := ask(s.Handler(), "127.0.0.1", "GET", "/", "Cookie", first).Code; code != 401 {
		t.Errorf("the oldest of very many gets %d", code)
	}
	if len(s.access.signed) != maxOwn+1 {
		t.Errorf("%d are signed in", len(s.access.signed))
	}
	if code := ask(s.operators(), "127.0.0.1", "GET", "/readyz").Code; code != 200 {
		t.Errorf("a probe without a token gets %d", code)
	}
	if w := ask(s.Handler(), "127.0.0.1", "POST", "/api/v1/games", "Authorization", "Bearer "+of[Play], "Origin", "https://example.com", "Sec-Fetch-Site", "cross-site"); w.Code != 403 || !strings.HasPrefix(w.Body.String(), `{"error":`) {
		t.Errorf("the API tells a page of another site %d %s", w.Code, w.Body)
	}
}

// By one token a quarter of all games and seats can be had, so that nobody takes those of others.
func TestShares(t *testing.T) {
	var of map[Role]string
	s, server := started(t, func(c *Config) {
		of = tokens(c)
		c.Games, c.Seats = 8, 8
		c.Tables = []Table{{Name: "arena", Game: "jungle", Players: [2]string{Elsewhere, Elsewhere}}}
	})
	begin := func(role Role) int {
		q, err := http.NewRequest("POST", server+apiPath+"/games", strings.NewReader(`{"game": "jungle", "level": "random"}`))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Content-Type", "application/json")
		q.Header.Set("Authorization", "Bearer "+of[role])
		a, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		return a.StatusCode
	}
	for _, role := range []Role{Play, Operate} {
		for i, want := range []int{201, 201, 503} {
			if code := begin(role); code != want {
				t.Errorf("game %d of %s: %d, not %d", i+1, role, code, want)
			}
		}
	}
	for _, who := range []string{"a", "b"} {
		var all []*joined
		for i := range 3 {
			j := &joined{link: seat.NewLink(), name: "x", table: "arena", owner: who}
			if err := s.wait(j); (err != nil) != (i == 2) {
				t.Errorf("seat %d of %s: %v", i+1, who, err)
			} else if err == nil {
				all = append(all, j)
			}
		}
		s.leave(all[0], "")
		if err := s.wait(&joined{link: seat.NewLink(), name: "x", table: "arena", owner: who}); err != nil {
			t.Errorf("after one of %s has left: %v", who, err)
		}
	}
}

// An address has so many requests answered at a time; those of others do not wait for them.
func TestCrowds(t *testing.T) {
	var c crowds
	for range atATime {
		if !c.enter(t.Context(), "a") {
			t.Fatal("there is no place")
		}
	}
	soon, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	if c.enter(soon, "a") {
		t.Error("one more has a place")
	}
	if !c.enter(t.Context(), "b") {
		t.Error("another address has none")
	}
	c.leave("a")
	if !c.enter(t.Context(), "a") {
		t.Error("the place of who has left stays taken")
	}
	c.leave("b")
	for range atATime {
		c.leave("a")
	}
	if len(c.all) != 0 {
		t.Errorf("%d addresses are remembered", len(c.all))
	}
}

// An address that asks too often is refused, others are not; whose address it is says a named proxy, and nobody else.
func TestRate(t *testing.T) {
	s, _ := started(t, func(c *Config) {
		tokens(c)
		c.Rate, c.Proxies = 2, []string{"10.0.0.1"}
	})
	s.slowly = 0
	h := s.Handler()
	refused := func(n int, from string, header ...string) (count int) {
		for range n {
			if w := ask(h, from, "GET", "/healthz", header...); w.Code == 429 {
				count++
				if w.Header().Get("Retry-After") == "" {
					t.Error("it does not say when to try again")
				}
			}
		}
		return count
	}
	if n := refused(100, "127.0.0.2"); n < 80 {
		t.Errorf("%d of 100 requests at once were refused", n)
	}
	if n := refused(1, "127.0.0.3"); n > 0 {
		t.Error("another address is refused, too")
	}
	if n := refused(1, "127.0.0.2", "X-Forwarded-For", "127.0.0.9"); n == 0 {
		t.Error("somebody says whose address it is")
	}
	if n := refused(100, "10.0.0.1", "X-Forwarded-For", "127.0.0.9, 127.0.0.4"); n < 80 {
		t.Errorf("%d of 100 requests by a proxy were refused", n)
	}
	if n := refused(1, "10.0.0.1", "X-Forwarded-For", "127.0.0.5"); n > 0 {
		t.Error("all clients of a proxy are taken for one")
	}
	for from, want := range map[string]string{
		"2001:db8::1": "2001:db8::/64", "2001:db8::ffff:0:0:9": "2001:db8::/64", "::ffff:10.0.0.9": "10.0.0.9", "10.0.0.9": "10.0.0.9", "x": "x",
	} {
		if got := network(from); got != want {
			t.Errorf("%s has the rate of %s, want %s", from, got, want)
		}
	}
	if n := refused(100, "127.0.0.6", "Host", "elsewhere"); n < 80 {
		t.Errorf("%d of 100 requests by another name were refused", n)
	}
	busy := rate.NewLimiter(0, 1) // however long this takes
	busy.Allow()
	a := access{rate: 1, clients: map[string]*rate.Limiter{"busy": busy}}
	for i := range maxClients - 1 {
		a.clients[fmt.Sprint(i)] = rate.NewLimiter(1, burst)
	}
	if a.lets("new"); a.lets("busy") || len(a.clients) != 2 {
		t.Errorf("%d addresses are known: who asks too often is forgotten before who does not", len(a.clients))
	}
}

// Others can reach the server only if it knows who they are, and nobody reads along.
func TestOpened(t *testing.T) {
	with := func(change func(*Config)) error {
		c := Default()
		c.Listen = "0.0.0.0:0"
		change(&c)
		return c.Check()
	}
	whole := func(c *Config) { tokens(c); c.Names, c.Proxies = []string{"example.com"}, []string{"10.0.0.1"} }
	for want, change := range map[string]func(*Config){
		"others need tokens":     func(*Config) {},
		"it needs certificate":   func(c *Config) { tokens(c) },
		"it needs names":         func(c *Config) { tokens(c); c.Proxies = []string{"10.0.0.1"} },
		"operators":              func(c *Config) { whole(c); c.Operators = "0.0.0.0:0" },
		"has the role":           func(c *Config) { whole(c); c.Tokens[0].Role = "rule" },
		"64 hexadecimal":         func(c *Config) { whole(c); c.Tokens[0].SHA256 = "secret" },
		"needs one of its own":   func(c *Config) { whole(c); c.Tokens[1].Name = c.Tokens[0].Name },
		"both files or none":     func(c *Config) { whole(c); c.Key = "key.pem" },
		"proxies: \"everybody\"": func(c *Config) { whole(c); c.Proxies = []string{"everybody"} },
		"numbers above 0":        func(c *Config) { whole(c); c.Rate = 0 },
	} {
		if err := with(change); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	for _, change := range []func(*Config){
		func(c *Config) { c.Names = []string{"example.com"} }, func(c *Config) { c.Proxies = []string{"127.0.0.1"} },
	} {
		err := with(func(c *Config) { c.Listen = "127.0.0.1:0"; change(c) })
		if err == nil || !strings.Contains(err.Error(), "without tokens") {
			t.Errorf("a proxy lets everybody do everything: %v", err)
		}
	}
	s, _ := started(t, func(c *Config) { whole(c) })
	for from, want := range map[string]int{"10.0.0.1": 200, "127.0.0.1": 200, "10.0.0.2": 403} {
		if got := ask(s.Handler(), from, "GET", "/healthz").Code; got != want {
			t.Errorf("without a certificate %s gets %d, want %d", from, got, want)
		}
	}
	if err := with(whole); err != nil {
		t.Error(err)
	}
}

// certified makes a certificate of this machine, in files, and who trusts it.
func certified(t *testing.T) (cert, key string, trusted *x509.CertPool) {
	t.Helper()
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &secret.PublicKey, secret)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, _ := x509.MarshalPKCS8PrivateKey(secret)
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: pkcs8}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	trusted = x509.NewCertPool()
	known, _ := x509.ParseCertificate(der)
	trusted.AddCert(known)
	return cert, key, trusted
}

// Handshakes that fail, of which strangers can make as many as they like, are logged for who looks for them, and else not.
func TestHandshakesFillNoLog(t *testing.T) {
	cert, key, _ := certified(t)
	for _, level := range []zerolog.Level{zerolog.InfoLevel, zerolog.DebugLevel} {
		c := Default()
		c.Listen, c.Records, c.Tables, c.Drain, c.Certificate, c.Key = "127.0.0.1:0", nil, nil, 0, cert, key
		var logged strings.Builder // read when the server has ended
		s, err := New(c, "test", zerolog.New(zerolog.SyncWriter(&logged)).Level(level))
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ready, done := make(chan string, 1), make(chan error, 1)
		go func() { done <- s.Run(ctx, func(address string) { ready <- address }) }()
		var address string
		select {
		case address = <-ready:
		case err := <-done:
			t.Fatal(err)
		}
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			conn, err := net.Dial("tcp", u.Host)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(conn, "this is no handshake\r\n\r\n")
			io.Copy(io.Discard, conn) // until it is closed
			conn.Close()
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if n := strings.Count(logged.String(), "TLS handshake error"); n != map[zerolog.Level]int{zerolog.InfoLevel: 0, zerolog.DebugLevel: 20}[level] {
			t.Errorf("at level %v %d of 20 are logged", level, n)
		}
	}
}

// With a certificate all is said by TLS, and programs join by token.
func TestTLS(t *testing.T) {
	cert, key, trusted := certified(t)
	var of map[Role]string
	_, address, _ := served(t, func(c *Config) {
		of = tokens(c)
		c.Certificate, c.Key, c.Tables = cert, key, []Table{arena("jungle", 1)}
	})
	u, err := seat.ParseURL(address + "/tables/arena")
	if err != nil || u.Scheme != "https" {
		t.Fatal(u, err)
	}
	for token, want := range map[string]string{of[Play]: "", of[Watch]: "your token allows to watch", "wrong": "a token is needed"} {
		d := seat.Door{URL: u, Token: token, Dial: func(ctx context.Context) (net.Conn, error) {
			return (&tls.Dialer{Config: &tls.Config{RootCAs: trusted}}).DialContext(ctx, "tcp", u.Host)
		}}
		joined := false
		err := d.Sit(t.Context(), time.Second, func(_ context.Context, l *seat.Link) error {
			joined = true
			l.End("enough")
			return nil
		})
		if want == "" && (err != nil || !joined) || want != "" && (err == nil || !strings.Contains(err.Error(), want) || joined) {
			t.Errorf("%s: %v", want, err)
		}
	}
	for range 6 { // the machine may be too busy for the time that an attempt has
		if err = (&seat.Door{URL: u}).Sit(t.Context(), 0, nil); !errors.Is(err, context.DeadlineExceeded) {
			break
		}
	}
	if err == nil || !strings.Contains(fmt.Sprint(err), "certificate") {
		t.Errorf("a certificate that nobody knows is trusted: %v", err)
	}
}
