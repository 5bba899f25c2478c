package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"luzhanqi/game/games"
	"luzhanqi/player/levels"
	"luzhanqi/serve/film"
)

// started is a server without tables, with its address, and what ends both.
func started(t *testing.T, change func(*Config)) (*Server, string) {
	t.Helper()
	c := Default()
	c.Records, c.Tables = []string{t.TempDir()}, nil
	c.Keep = c.Records[0]
	if change != nil {
		change(&c)
	}
	s, err := New(c, "test", zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	s.newID = func() string { n++; return fmt.Sprintf("id%024d", n) }
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		s.end()
		s.void()
		s.close()
		s.play.Wait()
		h.Close()
		s.records.close()
	})
	return s, h.URL
}

// browser keeps cookies, as browsers do.
func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, Timeout: 20 * time.Second}
}

func get(t *testing.T, c *http.Client, address string) (int, string) {
	t.Helper()
	r, err := c.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(text)
}

// data is what a page of a game tells its script.
type data struct {
	Frames map[string][]string
	Plies  []struct{ Short string }
	Play   *struct {
		Turn  bool
		Legal []film.Choice
	}
	End *struct{ Code, Reason string }
}

var dataOf = regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`)

func read(t *testing.T, c *http.Client, address string) data {
	t.Helper()
	_, html := get(t, c, address)
	found := dataOf.FindStringSubmatch(html)
	if found == nil {
		t.Fatalf("no data in\n%.500s", html)
	}
	var d data
	if err := json.Unmarshal([]byte(found[1]), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// begin begins a game, and returns the address of its page.
func begin(t *testing.T, c *http.Client, server string, form url.Values) string {
	t.Helper()
	r, err := c.PostForm(server+"/play", form)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if !strings.HasPrefix(r.Request.URL.Path, "/games/") {
		t.Fatalf("led to %v", r.Request.URL)
	}
	return r.Request.URL.Scheme + "://" + r.Request.URL.Host + r.Request.URL.Path
}

// turn waits until it is the person's turn, or the game is over.
func turn(t *testing.T, c *http.Client, address string) data {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if d := read(t, c, address); d.End != nil || d.Play != nil && d.Play.Turn {
			return d
		}
	}
	t.Fatal("it never was the person's turn")
	return data{}
}

// The page to which somebody who begins a game is led has the position: it does not have to be loaded again.
func TestPageBegins(t *testing.T) {
	const rounds = 8 // without the wait, one page of some twenty has none
	_, server := started(t, func(c *Config) { c.Games = rounds * len(games.All) })
	for n := range rounds * len(games.All) {
		g := games.All[n%len(games.All)]
		r, err := browser(t).PostForm(server+"/play", url.Values{"game": {g.Name()}, "level": {levels.Easiest(g).Name}, "side": {"1"}})
		if err != nil {
			t.Fatal(err)
		}
		html, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || !strings.Contains(string(html), `id="squares"><a`) || strings.Contains(string(html), "There is no position yet") {
			t.Errorf("%s: the page has no position: %v", g.Name(), err)
		}
	}
}

func send(t *testing.T, c *http.Client, address string, form url.Values) (int, string) {
	t.Helper()
	q, _ := http.NewRequest("POST", address+"/move", strings.NewReader(form.Encode()))
	q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	q.Header.Set("Accept", "application/json")
	r, err := c.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, _ := io.ReadAll(r.Body)
	return r.StatusCode, string(text)
}

// A person plays a game to its end in every game; its record is kept, and can be seen.
func TestPlayToTheEnd(t *testing.T) {
	s, server := started(t, nil)
	for _, g := range games.All[1:] { // Luzhanqi's games are long; see TestHiddenUntilTheEnd
		c := browser(t)
		address := begin(t, c, server, url.Values{"game": {g.Name()}, "level": {"random"}, "side": {"2"}, "name": {"<b>me</b>"}})
		plies := 0
		for d := turn(t, c, address); ; d = turn(t, c, address) {
			if d.End != nil {
				plies = len(d.Plies)
				break
			}
			if len(d.Plies) > 60 {
				if code, text := send(t, c, address, url.Values{"resign": {"yes"}}); code != http.StatusNoContent {
					t.Fatalf("%s: resigning: %d %s", g.Name(), code, text)
				}
				continue
			}
			move := url.Values{"move": {d.Play.Legal[0].Move}, "ply": {fmt.Sprint(len(d.Plies))}}
			if code, text := send(t, c, address, move); code != http.StatusNoContent {
				t.Fatalf("%s: %v: %d %s", g.Name(), move, code, text)
			}
		}
		if _, html := get(t, c, address); strings.Contains(html, "<b>me") {
			t.Errorf("%s: a name became HTML", g.Name())
		}
		<-s.find(address[strings.LastIndexByte(address, '/')+1:]).Done()
		_, list := get(t, c, server+"/records")
		link := regexp.MustCompile(`href="(/records/0/[^"]+)"`).FindStringSubmatch(list)
		if link == nil {
			t.Fatalf("%s: no record in the list", g.Name())
		}
		if d := read(t, c, server+link[1]); len(d.Plies) != plies {
			t.Errorf("%s: the record has %d plies, the game had %d", g.Name(), len(d.Plies), plies)
		}
	}
}

// What a person may not do is refused, with a reason.
func TestMovesThatAreRefused(t *testing.T) {
	s, server := started(t, func(c *Config) { c.Games = 1 })
	c := browser(t)
	address := begin(t, c, server, url.Values{"game": {"gastank"}, "level": {"random"}, "side": {"1"}})
	d := turn(t, c, address)
	legal := d.Play.Legal[0].Move
	for _, test := range []struct {
		who  *http.Client
		form url.Values
		code int
		says string
	}{
		{c, url.Values{"move": {"A9B9"}, "ply": {"0"}}, 422, "A9B9"},
		{c, url.Values{"move": {"A1A2"}, "ply": {"0"}}, 422, "not allowed now"},
		{c, url.Values{"move": {legal}, "ply": {"7"}}, 422, "has gone on"},
		{c, url.Values{"move": {legal}}, 422, "has gone on"},
		{browser(t), url.Values{"move": {legal}, "ply": {"0"}}, 403, "only who plays"},
		{browser(t), url.Values{"resign": {"yes"}}, 403, "only who plays"},
		{c, url.Values{"move": {strings.Repeat("A", 70<<10)}, "ply": {"0"}}, 422, ""},
	} {
		if code, text := send(t, test.who, address, test.form); code != test.code || !strings.Contains(text, test.says) {
			t.Errorf("%.60v: %d %.200s", test.form, code, text)
		}
	}
	if code, text := get(t, browser(t), server+"/play"); code != 200 || !strings.Contains(text, "Begin") {
		t.Errorf("the form: %d", code)
	}
	r, err := browser(t).PostForm(server+"/play", url.Values{"game": {"gastank"}, "level": {"random"}, "side": {"1"}})
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a second game where one is allowed: %d", r.StatusCode)
	}
	for _, form := range []url.Values{
		{"game": {"go"}, "level": {"random"}},
		{"game": {"gastank"}, "level": {"./bot"}},
		{"game": {"gastank"}, "level": {"random"}, "side": {"3"}},
		{"game": {"luzhanqi"}, "level": {"random"}, "setup": {"A1:9"}},
	} {
		r, err := browser(t).PostForm(server+"/play", form)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if r.Request.URL.Path != "/play" || !bytes.Contains(text, []byte(`role="alert"`)) {
			t.Errorf("%v led to %v", form, r.Request.URL)
		}
	}
	if s.people != 1 {
		t.Errorf("%d people play", s.people)
	}
}

// Requests that no page of the server makes are refused.
func TestGuard(t *testing.T) {
	_, server := started(t, nil)
	for _, test := range []struct {
		method, path string
		header       map[string]string
		code         int
	}{
		{"GET", "/", nil, 200},
		{"GET", "/", map[string]string{"Host": "luzhanqi.example"}, 421},
		{"GET", "/", map[string]string{"Host": "127.0.0.1.example:80"}, 421},
		{"POST", "/play", map[string]string{"Origin": "http://elsewhere.example"}, 403},
		{"POST", "/play", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"DELETE", "/play", nil, 405},
		{"GET", "/games/none", nil, 404},
		{"GET", "/records/0/..%2f..%2fetc%2fpasswd", nil, 404},
		{"GET", "/records/9/x.jsonl", nil, 404},
		{"GET", "/static/page.go", nil, 404},
		{"GET", "/debug/pprof/", nil, 404},
		{"GET", "/healthz", nil, 200},
		{"GET", "/metrics", nil, 200},
	} {
		q, _ := http.NewRequest(test.method, server+test.path, nil)
		for k, v := range test.header {
			q.Header.Set(k, v)
			if k == "Host" {
				q.Host = v
			}
		}
		r, err := browser(t).Do(q)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != test.code {
			t.Errorf("%s %s %v: %d, not %d", test.method, test.path, test.header, r.StatusCode, test.code)
		}
		if r.StatusCode == 200 && !strings.Contains(r.Header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s has no policy", test.path)
		}
	}
}

// Addresses that others reach, and programs, are not configured by mistake.
func TestConfig(t *testing.T) {
	write := func(text string) string {
		file := filepath.Join(t.TempDir(), "serve.toml")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	for text, says := range map[string]string{
		`listen = "0.0.0.0:80"`:               "others could reach it",
		`listen = "8057"`:                     "allowed are forms such as",
		`operators = "192.168.1.1:1"`:         "others could reach it",
		`drain = "soon"`:                      "allowed are forms such as",
		`colour = "red"`:                      "unknown key",
		`watchers = 0`:                        "allowed are whole numbers",
		`connections = 0`:                     "allowed are whole numbers from 1",
		"[[table]]\nname = \"a b\"":           "needs a name of its own",
		"[[table]]\nname = \"a\"\ngame=\"x\"": "allowed are luzhanqi",
		"[[table]]\nname = \"a\"\ngame=\"jungle\"\nplayers=[\"builtin:easy\",\"rm -rf /\"]": "allowed are builtin:LEVEL",
	} {
		if _, err := Load(write(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
	c, err := Load(write("records = [\".\"]\n[[table]]\nname = \"a\"\ngame = \"jungle\"\nplayers = [\"builtin:easy\", \"builtin:easy\"]\npace = \"1s\"\n"))
	if err != nil || len(c.Tables) != 1 || c.Tables[0].Pace != Duration(time.Second) || c.Listen != Default().Listen {
		t.Errorf("%+v %v", c, err)
	}
}

// The end that was asked for comes: streams and games end, and nothing is left.
func TestDrain(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	c := Default()
	c.Listen, c.Records, c.Drain = "127.0.0.1:0", nil, Duration(50*time.Millisecond)
	s, err := New(c, "test", zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	address, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- s.Run(ctx, func(a string) { address <- strings.TrimSuffix(a, "/") }) }()
	server := <-address
	client := browser(t)
	client.Timeout = 0
	game := begin(t, client, server, url.Values{"game": {"luzhanqi"}, "level": {"random"}, "side": {"1"}})
	table := func() string {
		for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
			if r, err := client.Get(server + "/tables/show"); err == nil {
				r.Body.Close()
				if strings.HasPrefix(r.Request.URL.Path, "/games/") {
					return r.Request.URL.Path
				}
			}
		}
		t.Fatal("the table is not played")
		return ""
	}()
	var streams []io.ReadCloser
	for range 20 {
		for _, address := range []string{game + "/events", server + table + "/events"} {
			r, err := client.Get(address)
			if err != nil {
				t.Fatal(err)
			}
			streams = append(streams, r.Body)
		}
	}
	began := time.Now()
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("draining took %v", took)
	}
	for _, body := range streams {
		text, _ := io.ReadAll(body)
		body.Close()
		if !bytes.Contains(text, []byte(`"end":{`)) {
			t.Errorf("a stream ended without the end of its game: %.200s", text)
		}
		if bytes.Contains(text, []byte(`"code":"void"`)) && !bytes.Contains(text, []byte(`"reason":"interrupted: the server has ended"`)) {
			t.Errorf("a stream does not say why its game is void: %.300s", text[max(0, len(text)-300):])
		}
	}
	client.CloseIdleConnections()
}

// TestUnseen: that pieces are hidden is said of games in which they are.
func TestUnseen(t *testing.T) {
	_, address := started(t, nil)
	for game, hides := range map[string]bool{"luzhanqi": true, "jungle": false, "chess1d": false} {
		code, body := get(t, browser(t), address+"/play/"+game)
		if said := strings.Contains(body, "Nobody sees your pieces"); code != http.StatusOK || said != hides {
			t.Errorf("%s: %d, said %v", game, code, said)
		}
	}
}

// Set-ups that are offered are different: who chooses sees what.
func TestOffered(t *testing.T) {
	_, address := started(t, nil)
	value := regexp.MustCompile(`name="setup" value="([^"]*)"`)
	for _, g := range games.All {
		if !g.HasSetUp() {
			continue
		}
		_, body := get(t, browser(t), address+"/play/"+g.Name())
		seen := map[string]bool{}
		for _, found := range value.FindAllStringSubmatch(body, -1) {
			seen[found[1]] = true
		}
		if all := strings.Count(body, `name="setup"`); all != offers || len(seen) != all {
			t.Errorf("%s: %d set-ups, %d of them different", g.Name(), all, len(seen))
		}
	}
}
