package tournament

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"luzhanqi/game"
	"luzhanqi/referee"
	"luzhanqi/tournament/queue"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

// A hostile worker has a worker's credential, and no manners.
type hostile struct {
	*testing.T
	*nats.Conn
	name, tournament string

	mu     sync.Mutex
	denied int // permissions that it asked for and did not get
}

// join connects a hostile worker as a worker does.
func join(t *testing.T, url, name, password, token string) *hostile {
	t.Helper()
	h := &hostile{T: t, name: name}
	var err error
	h.Conn, err = nats.Connect(url, nats.UserInfo(name, password), nats.Token(token), nats.CustomInboxPrefix("_INBOX."+name), nats.NoReconnect(),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if strings.Contains(strings.ToLower(err.Error()), "permissions violation") {
				h.mu.Lock()
				h.denied++
				h.mu.Unlock()
			}
		}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	m, err := h.Request("luzhanqi.worker."+name+".find", nil, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	h.tournament = string(m.Data)
	return h
}

// said is what the coordinator answers.
type said struct {
	Job     *queue.Job
	Ticket  map[string]any
	Error   string
	Refused bool
}

// ask says something in a name to the coordinator.
func (h *hostile) ask(kind string, request map[string]any, part []byte) (a said, err error) {
	h.Helper()
	line, err := json.Marshal(request)
	if err != nil {
		h.Fatal(err)
	}
	m, err := h.Request(fmt.Sprintf("luzhanqi.worker.%s.%s.%s", h.name, kind, h.tournament), append(append(line, '\n'), part...), 5*time.Second)
	if err == nil {
		err = json.Unmarshal(m.Data, &a)
	}
	return a, err
}

// take takes a game.
func (h *hostile) take() said {
	h.Helper()
	for range 100 {
		a, err := h.ask("take", map[string]any{"wait_ms": 1000, "slot": 1}, nil)
		if err != nil {
			h.Fatal(err)
		}
		if a.Ticket != nil || a.Refused {
			return a
		}
	}
	h.Fatal("there is no game to take")
	return said{}
}

// play plays a game honestly.
func (h *hostile) play(j *queue.Job) *store.Result {
	return (&worker{version: "hostile"}).result(h.Context(), &queue.Claim{Job: *j, Deliveries: 1})
}

// written is a result as it is brought.
func written(t *testing.T, r *store.Result) []byte {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...), r.Record...)
}

// bring brings a result, and says whether it was refused.
func (h *hostile) bring(ticket map[string]any, r *store.Result) said {
	h.Helper()
	a, err := h.ask("bring", map[string]any{"ticket": ticket, "slot": 1}, written(h.T, r))
	if err != nil {
		h.Fatal(err)
	}
	return a
}

// swapped is a result in which the other player has won.
func swapped(r *store.Result) *store.Result {
	if r.Ending.Winner != nil {
		other := r.Ending.Winner.Other()
		r.Ending.Winner = &other
		return r
	}
	first := game.First
	r.Ending = &referee.Ending{Code: referee.Won, Winner: &first, Plies: r.Ending.Plies}
	return r
}

func (h *hostile) refusals() int {
	time.Sleep(50 * time.Millisecond) // they come by another way than answers
	return h.deniedYet()
}

func (h *hostile) deniedYet() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.denied
}

// mustNotAnswer asks for something that nobody may do.
func (h *hostile) mustNotAnswer(subject string) {
	h.Helper()
	before := h.deniedYet()
	if m, err := h.Request(subject, nil, 20*time.Millisecond); err == nil {
		h.Errorf("%s: found %s", subject, m.Data)
	}
	for end := time.Now().Add(10 * time.Second); h.deniedYet() == before; time.Sleep(time.Millisecond) { // see refusals
		if time.Now().After(end) {
			h.Errorf("%s was not denied", subject)
			return
		}
	}
}

// sleepUntilOver waits while games are played.
func (h *hostile) sleepUntilOver() {
	for range 100 {
		if _, err := h.Request("luzhanqi.worker."+h.name+".find", nil, time.Second); err != nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// contested is the tournament that is attacked.
func contested(t testing.TB) *Tournament {
	tour := levels(t, schedule.Spec{Format: schedule.RoundRobin, Games: 20, Cycles: 1, Seed: 5}, "jungle", "random", "greedy", "random")
	return tour
}

// honestly plays the games of a tournament: twenty until it was attacked, and then all, until the context ends.
func honestly(ctx context.Context, t *testing.T, o Options, token string, attacked <-chan struct{}) {
	url := o.URL
	if url == "" {
		url = "nats://" + o.Listen
	}
	client, err := queue.Dial(url, token, "honest", func(text string) { t.Log(text) })
	if err != nil {
		t.Error(err)
		return
	}
	defer client.Close()
	deaf, err := client.Hear(func(queue.Over) {})
	if err != nil {
		t.Error(err)
		return
	}
	defer deaf()
	for played := 0; ctx.Err() == nil; {
		ids, _ := client.Tournaments(ctx)
		time.Sleep(time.Millisecond) // while none has begun
		for len(ids) > 0 && ctx.Err() == nil {
			claim, err := client.Desk(ids[0], 1).Next(ctx, time.Second)
			if err != nil {
				break
			}
			if claim == nil {
				continue
			}
			stop := claim.Keep()
			bringing, cancel := context.WithTimeout(ctx, time.Minute)
			if err := claim.Bring(bringing, (&worker{version: "honest"}).result(ctx, claim)); err != nil && ctx.Err() == nil {
				t.Errorf("an honest result is refused: %v", err)
			}
			cancel()
			stop()
			if played++; played == 20 {
				<-attacked
			}
		}
	}
}

// resist makes an attack in the middle of a tournament, and compares what comes of that with one that nobody has
// attacked. However slow the machine, there are games to attack.
func resist(t *testing.T, o Options, undisturbed string, token func() string, hostileJoins func() *hostile, attack func(*hostile) string) {
	var mu sync.Mutex
	var warnings []string
	o.Warn = func(text string) {
		mu.Lock()
		defer mu.Unlock()
		warnings = append(warnings, text)
	}
	o.Concurrency = 0
	ctx, ended := context.WithCancel(t.Context())
	begun, attacked := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	defer all.Wait()
	begin := sync.OnceFunc(func() { close(begun) })
	play := sync.OnceFunc(func() {
		all.Go(func() {
			defer ended() // it ends before only if it cannot play
			honestly(ctx, t, o, token(), attacked)
		})
	})
	o.Events = func(e Event) {
		switch e.Kind {
		case EventOpen:
			play()
		case EventResult:
			begin()
		}
	}
	if o.URL != "" { // a run there says nothing when it begins
		play()
	}
	all.Go(func() {
		defer begin()
		defer ended()
		if _, err := Run(ctx, contested(t), o); err != nil {
			t.Errorf("the tournament ended with %v", err)
		}
	})
	<-begun
	h, want := (*hostile)(nil), ""
	func() {
		defer close(attacked)
		h = hostileJoins()
		want = attack(h)
	}()
	all.Wait()
	if got := scores(t, o.Dir); got != undisturbed {
		t.Errorf("undisturbed\n%s\nattacked\n%s", undisturbed, got)
	}
	mu.Lock()
	defer mu.Unlock()
	named := slices.ContainsFunc(warnings, func(text string) bool {
		return regexp.MustCompile(want).MatchString(text) && strings.Contains(text, h.name[:4])
	})
	if want != "" && !named || want == "" && strings.Contains(strings.Join(warnings, "\n"), "refused") {
		t.Errorf("want a warning with %q; found %q", want, warnings)
	}
	if around, _ := filepath.Glob(filepath.Join(o.Dir, "../*")); len(around) != 1 {
		t.Errorf("around the store are %q", around)
	}
}

// Whatever a worker does with its credential, it gains nothing by it, and the tournament comes to its right end.
func TestHostileWorkers(t *testing.T) {
	whole := options(t, filepath.Join(t.TempDir(), "undisturbed"))
	if _, err := Run(t.Context(), contested(t), whole); err != nil {
		t.Fatal(err)
	}
	undisturbed := scores(t, whole.Dir)
	for name, attack := range attacks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(t, filepath.Join(t.TempDir(), "store"))
			o.Listen = freeAddress(t)
			token := sync.OnceValue(func() string {
				token, err := queue.ReadToken(filepath.Join(o.Dir, TokenName))
				if err != nil {
					t.Error(err)
				}
				return token
			})
			resist(t, o, undisturbed, token, func() *hostile { return join(t, "nats://"+o.Listen, "evil-1", token(), token()) }, attack)
		})
		if !slices.Contains([]string{"reads everything", "manages JetStream", "has answers sent elsewhere", "publishes jobs, results and records", "brings a lie"}, name) {
			continue // the server has no part in these
		}
		t.Run(name+", in a cluster", func(t *testing.T) {
			t.Parallel()
			o := options(t, filepath.Join(t.TempDir(), "store"))
			o.URL, o.Token = documentedServer(t), "coordinator:a long secret"
			coordinator, err := nats.Connect(o.URL, nats.UserInfo("coordinator", "a long secret"))
			if err != nil {
				t.Fatal(err)
			}
			defer coordinator.Close()
			for _, subject := range []string{"$JS.API.STREAM.PURGE.>", "luzhanqi.*.job.stray.>", "luzhanqi.worker.other.>", "_INBOX.other.>", "luzhanqi.worker.here.>"} {
				coordinator.Subscribe(subject, func(m *nats.Msg) { t.Errorf("to %s went %q", m.Subject, m.Data) })
			}
			if err := coordinator.Flush(); err != nil {
				t.Fatal(err)
			}
			resist(t, o, undisturbed, func() string { return o.Token }, func() *hostile { return join(t, o.URL, "lab1", "another secret", "") }, attack)
		})
	}
}

// documentedServer is one whose users are those of docs/tournament.md.
func documentedServer(t *testing.T) string {
	page, err := os.ReadFile("../docs/tournament.md")
	if err != nil {
		t.Fatal(err)
	}
	config := regexp.MustCompile("(?s)```\n(jetstream: enabled.*?)```").FindSubmatch(page)
	if config == nil {
		t.Fatal("the page shows no configuration of a server")
	}
	o := new(server.Options)
	if err := o.ProcessConfigString(string(bytes.TrimSpace(config[1]))); err != nil {
		t.Fatal(err)
	}
	o.Host, o.Port, o.StoreDir, o.NoLog, o.NoSigs, o.MaxPayload = "127.0.0.1", server.RANDOM_PORT, t.TempDir(), true, true, 8<<20
	return started(t, o)
}

// The embedded server lets nobody in who does not know the token, or who wants to be somebody else.
func TestWhoIsLetIn(t *testing.T) {
	o := Options{Dir: t.TempDir(), Warn: func(text string) { t.Log(text) }}
	o.Listen = freeAddress(t)
	if err := o.admit(); err != nil {
		t.Fatal(err)
	}
	client, err := o.connect(t.Context(), "open")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for _, c := range []struct {
		name, token string
		let         bool
	}{
		{"good", o.Token, true},
		{"good", "", false},
		{"good", "wrong", false},
		{"good", o.Token[1:], false},
		{"here", o.Token, false},
		{"", o.Token, false},
		{"a.b", o.Token, false},
		{"*", o.Token, false},
		{">", o.Token, false},
		{"a b", o.Token, false},
		{strings.Repeat("x", 200), o.Token, false},
	} {
		conn, err := nats.Connect("nats://"+o.Listen, nats.UserInfo(c.name, c.token), nats.Token(c.token))
		if (err == nil) != c.let {
			t.Errorf("%q with %.4q…: %v", c.name, c.token, err)
		}
		if err == nil {
			conn.Close()
		}
	}
}
