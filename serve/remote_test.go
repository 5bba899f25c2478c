package serve

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
	"luzhanqi/player/levels"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
	"luzhanqi/serve/seat"
)

// arena is a table at which programs from elsewhere play a built-in level.
func arena(gameName string, atATime int) Table {
	return Table{Name: "arena", Game: gameName, Players: [2]string{Elsewhere, "builtin:random"}, Games: atATime, Grace: Duration(5 * time.Second)}
}

// served is a server with tables that is running, its address, and what drains it.
func served(t *testing.T, change func(*Config)) (s *Server, address string, drain func()) {
	t.Helper()
	c := Default()
	c.Listen, c.Records, c.Tables, c.Drain = "127.0.0.1:0", []string{t.TempDir()}, nil, 0
	c.Keep = c.Records[0]
	change(&c)
	s, err := New(c, "test", zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ready, done := make(chan string, 1), make(chan error, 1)
	go func() { done <- s.Run(ctx, func(address string) { ready <- address }) }()
	drain = sync.OnceFunc(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(drain)
	select {
	case address = <-ready:
	case err := <-done:
		t.Fatal(err)
	}
	return s, strings.TrimSuffix(address, "/"), drain
}

// ours is a program that is a player of ours, with a seed, in this process.
type ours struct {
	io.Reader
	io.Writer
	close func() string
}

func (p *ours) Close() string { return p.close() }

func program(t *testing.T, g game.Game, level string, seed uint64) *ours {
	l, err := levels.Find(g, level)
	if err != nil {
		t.Fatal(err)
	}
	rules, _ := game.ParseRules("", g.Options())
	in, toProgram := io.Pipe()
	fromProgram, out := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		end := g.Protocols()[0].PlayerEnd(rules, game.First, 0)
		player.Serve(in, out, end, l.New(g, player.Options{Rules: rules, Threads: 1}), rand.New(rand.NewPCG(seed, 0)), zerolog.Nop())
		out.Close()
		in.Close()
	}()
	return &ours{fromProgram, toProgram, func() string {
		toProgram.Close()
		fromProgram.Close()
		<-done
		return "exit status 0"
	}}
}

// cutting is a connection that breaks after so many bytes.
type cutting struct {
	net.Conn
	left  atomic.Int64
	cut   func()
	heard func() // the other side has answered on it; nil: nobody asks
}

func (c *cutting) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 && c.heard != nil {
		c.heard()
	}
	if c.left.Add(int64(-n)) < 0 {
		c.cut()
		c.Conn.Close()
	}
	return n, err
}

// absences are the times from when connections were cut until the server has answered on the next ones.
type absences struct {
	mu  sync.Mutex
	all []time.Duration
}

func (a *absences) add(d time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, d)
}

// join lets a program join a table with a connection that is cut so many times.
func join(ctx context.Context, t *testing.T, server, name string, cuts int, away *absences, p func() seat.Program) error {
	t.Helper()
	u, err := seat.ParseURL(server + "/tables/arena")
	if err != nil {
		t.Fatal(err)
	}
	var left, cutAt atomic.Int64
	left.Store(int64(cuts))
	r := rand.New(rand.NewPCG(uint64(len(name)), uint64(cuts)))
	d := seat.Door{URL: u, Name: name, Dial: func(ctx context.Context) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, "tcp", u.Host)
		if err != nil {
			return nil, err
		}
		broken := &cutting{Conn: c, cut: sync.OnceFunc(func() {
			left.Add(-1)
			cutAt.Store(time.Now().UnixNano())
		}), heard: sync.OnceFunc(func() {
			if at := cutAt.Swap(0); at != 0 {
				away.add(time.Duration(time.Now().UnixNano() - at))
			}
		})}
		broken.left.Store(300 + r.Int64N(70)) // in the middle of frames and of lines; the first answer has some 270 bytes
		if left.Load() <= 0 {
			broken.left.Store(math.MaxInt64)
		}
		return broken, nil
	}}
	err = d.Sit(ctx, 20*time.Second, func(ctx context.Context, l *seat.Link) error { return seat.Bridge(ctx, l, p()) })
	if left.Load() > 0 {
		t.Errorf("%s was cut %d times of %d", name, cuts-int(left.Load()), cuts)
	}
	return err
}

// again plays a recorded game again, with its programs in this process and not over a network.
func again(t *testing.T, h record.Header, g game.Game, level string, seed uint64) (moves []string) {
	t.Helper()
	random, _ := levels.Find(g, "random")
	played := &referee.Game{
		Conditions: referee.Conditions{Game: g, Limits: g.Limits()}, Seed: h.Seed, Number: h.Number, Attempt: h.Attempt, Concurrency: 1,
	}
	if err := played.SetRules(""); err != nil {
		t.Fatal(err)
	}
	for side := range played.Entrants {
		e := referee.Entrant{Name: h.Players[side].Name, Level: &random}
		if h.Players[side].Remote != nil {
			e = referee.Entrant{Name: e.Name, Protocol: g.Protocols()[0], Seat: func(_ context.Context, _ *referee.Game, side game.Side, m func(referee.Message)) (referee.Seat, error) {
				here, there := net.Pipe()
				p := program(t, g, level, seed)
				go func() {
					io.Copy(p, there)
					p.Close()
				}()
				go func() {
					io.Copy(there, p)
					there.Close()
				}()
				return seat.New(seat.NewPlain(here), g.Protocols()[0], side, g.Limits(), time.Second, m), nil
			}}
		}
		played.Entrants[side] = e
	}
	watch := &moved{}
	if _, err := played.Play(t.Context(), watch); err != nil {
		t.Fatal(err)
	}
	for _, m := range watch.moves {
		moves = append(moves, g.FormatMove(m))
	}
	return moves
}

type moved struct {
	referee.NoObserver
	moves []game.Move
}

func (m *moved) Moved(_, _ game.Position, p referee.Played) { m.moves = append(m.moves, p.Move) }

// Programs elsewhere play whole games however often their connections break, and the moves are those that they would have
// played here: nothing of what is said is lost or doubled.
func TestBridged(t *testing.T) {
	programs, which, level := 4, []string{"jungle", "luzhanqi"}, "greedy"
	if os.Getenv("LUZHANQI_NIGHTLY") != "" {
		programs = 200
	}
	limit, grace, within := 30*time.Second, 5*time.Second, 5*time.Second // the machine may be busy
	if os.Getenv("LUZHANQI_ALONE") != "" {
		limit, grace, within = 3*time.Second, 2*time.Second, 2*time.Second // who is away for longer has lost
	}
	for _, name := range which {
		g, err := games.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		s, address, drain := served(t, func(c *Config) {
			c.Tables, c.Seats = []Table{arena(name, programs)}, programs
			c.Tables[0].Time, c.Tables[0].Grace = Duration(limit), Duration(grace)
		})
		var all sync.WaitGroup
		var away absences
		for i := range programs {
			all.Go(func() {
				err := join(t.Context(), t, address, fmt.Sprintf("p%d", i), 5, &away, func() seat.Program { return program(t, g, level, uint64(i)) })
				if err != nil {
					t.Errorf("%s, program %d: %v", name, i, err)
				}
			})
		}
		all.Wait()
		resumed := s.counts.resumed.Load()
		drain()
		if resumed < int64(5*programs) {
			t.Errorf("%s: %d connections were resumed", name, resumed)
		}
		slices.Sort(away.all)
		if n := len(away.all); n != 5*programs {
			t.Errorf("%s: %d connections were answered after a cut, of %d", name, n, 5*programs)
		} else if longest := away.all[n-1]; longest > within {
			t.Errorf("%s: a connection was resumed after %v, more than %v", name, longest, within)
		} else {
			t.Logf("%s: resumed after %v in the middle, %v for 99 of 100, %v at most", name, away.all[n/2], away.all[n*99/100], longest)
		}
		files, _ := filepath.Glob(filepath.Join(s.config.Keep, "*.jsonl*"))
		if len(files) != programs {
			t.Errorf("%s: %d games are kept of %d", name, len(files), programs)
		}
		for n, file := range files {
			r := replayed(t, file)
			if r.Ending.Code == referee.Void || r.Ending.Foul() || r.Header.Players[0].Remote == nil || r.Header.Players[0].Remote.Grace != float64(grace.Milliseconds()) {
				t.Fatalf("%s: %v, %+v", file, r.Ending, r.Header.Players[0])
			}
			trips := slices.ContainsFunc(r.Moves, func(l record.Line) bool { return l.RoundTrip > 0 })
			if !trips {
				t.Error("no round trip is on record")
			}
			if n >= 4 && os.Getenv("LUZHANQI_NIGHTLY") == "" {
				continue // that takes as long as the games
			}
			var got []string
			for _, m := range r.Moves {
				got = append(got, m.Move)
			}
			var seed uint64
			fmt.Sscanf(r.Header.Players[0].Name, "p%d", &seed)
			if want := again(t, r.Header, g, level, seed); !slices.Equal(got, want) {
				t.Errorf("%s: the moves of %s differ from those without a network, from ply %d on", name, r.Header.Players[0].Name, differ(got, want))
			}
		}
	}
}

func differ(a, b []string) int {
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return i + 1
		}
	}
	return len(a) + 1
}

// replayed judges a record, which must agree with the rules.
func replayed(t *testing.T, file string) *record.Replay {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := record.Read(f, games.Find)
	if err != nil || len(r.Disagreements) > 0 {
		t.Fatalf("%s: %v %v", file, err, r.Disagreements)
	}
	return r
}

// Who loses the connection for longer than the grace loses the game, and so does who hangs up or whose program ends.
func TestDisconnected(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	socket := filepath.Join(t.TempDir(), "seats")
	s, address, drain := served(t, func(c *Config) {
		c.Tables = []Table{arena("jungle", 5)}
		c.Tables[0].Grace = Duration(300 * time.Millisecond)
		c.Plain = "unix://" + socket
	})
	ends := func(name string) *referee.Ending {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
			files, _ := filepath.Glob(filepath.Join(s.config.Keep, "*.jsonl*"))
			for _, file := range files {
				if r, err := os.ReadFile(file); err == nil && strings.Contains(string(r), `"name":"`+name+`"`) && strings.Contains(string(r), `"event":"end"`) {
					return replayed(t, file).Ending
				}
			}
		}
		t.Fatalf("the game of %s does not end", name)
		return nil
	}
	u, _ := seat.ParseURL(address + "/tables/arena")
	gone := make(chan struct{})
	d := seat.Door{URL: u, Name: "gone", Dial: func(ctx context.Context) (net.Conn, error) {
		select {
		case <-gone:
			return nil, io.ErrUnexpectedEOF // no network any more
		default:
		}
		c, err := (&net.Dialer{}).DialContext(ctx, "tcp", u.Host)
		if err != nil {
			return nil, err
		}
		broken := &cutting{Conn: c, cut: sync.OnceFunc(func() { close(gone) })}
		broken.left.Store(250)
		return broken, nil
	}}
	g, _ := games.Find("jungle")
	err := d.Sit(t.Context(), time.Second, func(ctx context.Context, l *seat.Link) error { return seat.Bridge(ctx, l, program(t, g, "random", 1)) })
	if err == nil {
		t.Error("nobody says that the connection was lost")
	}
	if e := ends("gone"); e.Code != referee.Disconnected || !strings.Contains(e.Reason, "had no connection for 300ms") {
		t.Errorf("%s: %s", e.Code, e.Reason)
	}

	c, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(c, "luzhanqi 1 - nc arena\n")
	if n, err := c.Read(make([]byte, 10)); n == 0 {
		t.Error("nothing is said to nc: ", err)
	}
	c.Close()
	if e := ends("nc"); e.Code != referee.Disconnected || !strings.Contains(e.Reason, "hung up") {
		t.Errorf("%s: %s", e.Code, e.Reason)
	}

	short := program(t, g, "random", 1)
	err = join(t.Context(), t, address, "short", 0, &absences{}, func() seat.Program {
		return &ours{io.LimitReader(short, 1), short, func() string { short.Close(); return "exited with code 3" }}
	})
	if err == nil || !strings.Contains(err.Error(), "exited with code 3") {
		t.Errorf("%v", err)
	}
	if e := ends("short"); e.Code != referee.Crashed || !strings.Contains(e.Reason, "its bridge says: exited with code 3") {
		t.Errorf("%s: %s", e.Code, e.Reason)
	}
	drain()
}

// What cannot be joined is refused in words.
func TestJoinRefused(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "seats")
	_, address, _ := served(t, func(c *Config) {
		c.Tables, c.Seats, c.Plain = []Table{arena("jungle", 1)}, 0, "unix://"+socket
	})
	for path, want := range map[string]string{"/tables/nosuch": "no table of that name", "/tables/arena": "0 programs from elsewhere"} {
		u, err := seat.ParseURL(address + path)
		if err != nil {
			t.Fatal(err)
		}
		err = (&seat.Door{URL: u}).Sit(t.Context(), 0, func(context.Context, *seat.Link) error { return nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	for line, want := range map[string]string{
		"GET / HTTP/1.1\n": "allowed is luzhanqi 1 TOKEN NAME TABLE", "luzhanqi 1 - me nosuch\n": "no table", strings.Repeat("x", 400): "did not come",
		"luzhanqi 1 - me arena\n": "0 programs",
	} {
		c, err := net.Dial("unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(c, line)
		c.SetReadDeadline(time.Now().Add(10 * time.Second))
		said, _ := io.ReadAll(c)
		c.Close()
		if !strings.Contains(string(said), want) {
			t.Errorf("%q: %q", line, said)
		}
	}
	for _, wrong := range []string{"", "127.0.0.1:80", "ftp://x/tables/y", "http://x/", "http:///tables/x"} {
		if _, err := seat.ParseURL(wrong); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}
