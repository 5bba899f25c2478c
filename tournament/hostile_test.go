package tournament

import (
	"bytes"
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

// attacks are what a worker's credential must not be good for. Each is made while a tournament runs, and says what the
// coordinator has to warn about; "": nothing.
var attacks = map[string]func(h *hostile) (warned string){
	"reads everything": func(h *hostile) string {
		heard := 0
		subjects := []string{">", "_INBOX.>", "_INBOX.*.>", "luzhanqi.>", "luzhanqi.worker.>", "luzhanqi.*.job.>", "luzhanqi.*.done.>", "$SYS.>", "$JS.>", "$O.>", "$KV.>", "$JS.ACK.>", "_R_.>"}
		for _, subject := range subjects {
			h.Subscribe(subject, func(*nats.Msg) { heard++ })
			h.QueueSubscribe(subject, "q", func(*nats.Msg) { heard++ })
		}
		h.Flush()
		h.sleepUntilOver()
		if heard > 0 || h.refusals() < len(subjects) {
			h.Errorf("it heard %d messages; %d of %d subscriptions were denied", heard, h.refusals(), 2*len(subjects))
		}
		return ""
	},
	"manages JetStream": func(h *hostile) string {
		jobs, done := "LUZHANQI_"+h.tournament+"_JOBS", "LUZHANQI_"+h.tournament+"_DONE"
		for _, api := range []string{"INFO", "STREAM.NAMES", "STREAM.LIST", "STREAM.CREATE.X", "SERVER.REMOVE", "ACCOUNT.PURGE.$G", "META.LEADER.STEPDOWN"} {
			h.mustNotAnswer("$JS.API." + api)
		}
		for _, stream := range []string{jobs, done} {
			for _, api := range []string{
				"STREAM.INFO.%s", "STREAM.UPDATE.%s", "STREAM.PURGE.%s", "STREAM.DELETE.%s", "STREAM.MSG.GET.%s", "STREAM.MSG.DELETE.%s", "STREAM.SNAPSHOT.%s",
				"DIRECT.GET.%s", "CONSUMER.NAMES.%s", "CONSUMER.LIST.%s", "CONSUMER.CREATE.%s", "CONSUMER.CREATE.%s.x", "CONSUMER.DURABLE.CREATE.%s.x",
				"CONSUMER.INFO.%s.all", "CONSUMER.DELETE.%s.all", "CONSUMER.MSG.NEXT.%s.all",
			} {
				h.mustNotAnswer("$JS.API." + fmt.Sprintf(api, stream))
			}
		}
		h.mustNotAnswer("$SYS.REQ.SERVER.PING")
		h.mustNotAnswer("$SYS.REQ.ACCOUNT.$G.CONNZ")
		return ""
	},
	"has answers sent elsewhere": func(h *hostile) string {
		jobs := "LUZHANQI_" + h.tournament + "_JOBS"
		for _, kind := range []string{"find", "take." + h.tournament, "bring." + h.tournament, "keep." + h.tournament, "x"} {
			for _, to := range []string{
				"$JS.API.STREAM.DELETE." + jobs, "$JS.API.STREAM.PURGE." + jobs, "luzhanqi." + h.tournament + ".job.stray.1",
				"luzhanqi." + h.tournament + ".done.r01-p001-g1.1", "luzhanqi.worker.other.bring." + h.tournament, "_INBOX.other.1",
			} {
				h.PublishRequest("luzhanqi.worker."+h.name+"."+kind, to, []byte("{\"wait_ms\":1}\n"))
			}
		}
		h.Flush()
		return "has not taken"
	},
	"publishes jobs, results and records": func(h *hostile) string {
		for _, subject := range []string{"luzhanqi.%s.job.r01-p001-g1.1", "luzhanqi.%s.job.stray.1", "luzhanqi.%s.done.r01-p001-g1.1", "$O.LUZHANQI_%s_DONE.C.x", "luzhanqi.worker.here.bring.%s", "luzhanqi.worker.*.take.%s"} {
			h.Publish(fmt.Sprintf(subject, h.tournament), []byte("{}"))
		}
		h.Flush()
		if h.refusals() < 5 {
			h.Errorf("%d were denied", h.refusals())
		}
		return ""
	},
	"acknowledges what others have taken": func(h *hostile) string {
		for i := range 200 {
			for _, stream := range []string{"JOBS", "DONE"} {
				for _, what := range []string{"+ACK", "-NAK", "+TERM"} {
					h.Publish(fmt.Sprintf("$JS.ACK.LUZHANQI_%s_%s.all.1.%d.%d.%d.0", h.tournament, stream, i, i, time.Now().UnixNano()), []byte(what))
				}
			}
		}
		ticket := h.take().Ticket
		ticket["ack"] = strings.Replace(ticket["ack"].(string), ".all.1.", ".all.2.", 1)
		for _, kind := range []string{"keep", "return", "leave", "bring"} {
			if a, err := h.ask(kind, map[string]any{"ticket": ticket}, nil); err != nil || !a.Refused {
				h.Errorf("%s with another acknowledgement: %+v, %v", kind, a, err)
			}
		}
		return "has not taken"
	},
	"brings what it has not taken": func(h *hostile) string {
		taken := h.take()
		r := h.play(taken.Job)
		for _, ticket := range []map[string]any{
			nil, {}, {"id": r.ID, "attempt": 1, "deliveries": 1, "ack": "$JS.ACK", "mark": "AAAA"},
		} {
			if a := h.bring(ticket, r); !a.Refused {
				h.Errorf("with the ticket %v: %+v", ticket, a)
			}
		}
		return "has not taken"
	},
	"brings a lie": func(h *hostile) string {
		taken := h.take()
		if a := h.bring(taken.Ticket, swapped(h.play(taken.Job))); !a.Refused {
			h.Errorf("%+v", a)
		}
		if a := h.take(); !a.Refused {
			h.Errorf("and gets game %v", a.Ticket)
		}
		return "ends otherwise"
	},
	"brings another game's result": func(h *hostile) string {
		one, other := h.take(), h.take()
		r := h.play(other.Job)
		if a := h.bring(one.Ticket, r); !a.Refused {
			h.Errorf("%+v", a)
		}
		return "brings a result of"
	},
	"brings a path": func(h *hostile) string {
		taken := h.take()
		r := h.play(taken.Job)
		r.ID = "../../../" + r.ID
		if a := h.bring(taken.Ticket, r); !a.Refused {
			h.Errorf("%+v", a)
		}
		return "no name of a game"
	},
	"brings garbage": func(h *hostile) string {
		taken := h.take()
		if a, err := h.ask("bring", map[string]any{"ticket": taken.Ticket}, []byte("\xff\xff\xff\xff garbage")); err != nil || !a.Refused {
			h.Errorf("%+v, %v", a, err)
		}
		return "are its text"
	},
	"brings it twice": func(h *hostile) string {
		taken := h.take()
		r := h.play(taken.Job)
		for range 2 {
			if a := h.bring(taken.Ticket, r); a.Error != "" {
				h.Errorf("%+v", a)
			}
		}
		h.bring(taken.Ticket, swapped(r))
		return ""
	},
	"brings 64 MiB": func(h *hostile) string {
		taken := h.take()
		line, _ := json.Marshal(map[string]any{"ticket": taken.Ticket})
		err := h.Publish(fmt.Sprintf("luzhanqi.worker.%s.bring.%s", h.name, h.tournament), append(append(line, '\n'), make([]byte, 64<<20)...))
		if err == nil && h.FlushTimeout(5*time.Second) == nil {
			h.Error("the server has taken it")
		}
		return ""
	},
	"says what is no request": func(h *hostile) string {
		for _, kind := range []string{"find", "take", "keep", "return", "leave", "bring", "", "*", "take.x", "bring.x.y"} {
			for _, text := range []string{"", "\n", "{", "{}\n", "null\n", "[]\n", `{"ticket":null}` + "\n", `{"wait_ms":-1,"part":-7,"parts":99999999,"slot":-9}` + "\n", strings.Repeat("x", 1<<20)} {
				h.Publish("luzhanqi.worker."+h.name+"."+kind+"."+h.tournament, []byte(text))
			}
		}
		h.Flush()
		return "has not taken"
	},
	"floods": func(h *hostile) string {
		for _, kind := range []string{"find", "take." + h.tournament, "keep." + h.tournament, "bring." + h.tournament} {
			for range 20_000 {
				h.Publish("luzhanqi.worker."+h.name+"."+kind, []byte("{\"ticket\":{}}\n"))
			}
		}
		h.FlushTimeout(20 * time.Second)
		return "has not taken"
	},
	"takes games and plays none": func(h *hostile) string {
		for range 5 {
			h.take()
		}
		return ""
	},
}

func (h *hostile) refusals() int {
	time.Sleep(50 * time.Millisecond) // they come by another way than answers
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.denied
}

// mustNotAnswer asks for something that nobody may do.
func (h *hostile) mustNotAnswer(subject string) {
	h.Helper()
	before := h.refusals()
	if m, err := h.Request(subject, nil, 20*time.Millisecond); err == nil {
		h.Errorf("%s: found %s", subject, m.Data)
	}
	if h.refusals() == before {
		h.Errorf("%s was not denied", subject)
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
	tour.Limits.Move, tour.Limits.First = time.Minute, time.Minute
	return tour
}

// resist makes an attack in the middle of a tournament, and compares what comes of that with one that nobody has
// attacked.
func resist(t *testing.T, o Options, undisturbed string, hostileJoins func() *hostile, attack func(*hostile) string) {
	var mu sync.Mutex
	var warnings []string
	o.Warn = func(text string) {
		mu.Lock()
		defer mu.Unlock()
		warnings = append(warnings, text)
	}
	o.Concurrency, o.Pin = 1, "off"
	begun, attacked := make(chan struct{}), make(chan struct{})
	one := sync.OnceFunc(func() { close(begun) })
	o.Events = func(e Event) {
		if e.Kind == EventResult {
			one()
			if e.Progress.Finished == e.Progress.MinGames-10 { // games that the attacker may take
				<-attacked
			}
		}
	}
	ended := make(chan error, 1)
	go func() {
		_, err := Run(t.Context(), contested(t), o)
		ended <- err
	}()
	<-begun
	want := ""
	var h *hostile
	func() {
		defer close(attacked)
		h = hostileJoins()
		want = attack(h)
	}()
	if err := <-ended; err != nil {
		t.Errorf("the tournament ended with %v", err)
	}
	if got := scores(t, o.Dir); got != undisturbed {
		t.Errorf("undisturbed\n%s\nattacked\n%s", undisturbed, got)
	}
	mu.Lock()
	defer mu.Unlock()
	named := slices.ContainsFunc(warnings, func(text string) bool { return strings.Contains(text, want) && strings.Contains(text, h.name[:4]) })
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
			resist(t, o, undisturbed, func() *hostile {
				token, err := queue.ReadToken(filepath.Join(o.Dir, TokenName))
				if err != nil {
					t.Fatal(err)
				}
				return join(t, "nats://"+o.Listen, "evil-1", token, token)
			}, attack)
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
			resist(t, o, undisturbed, func() *hostile { return join(t, o.URL, "lab1", "another secret", "") }, attack)
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
