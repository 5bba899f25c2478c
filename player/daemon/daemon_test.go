package daemon

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
	"luzhanqi/player/levels"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// started is the address of a daemon that plays a level with a seed, and what ends it and waits.
func started(t testing.TB, g game.Game, level string, nodes int, change func(*Daemon)) (address string, drain func()) {
	t.Helper()
	d := &Daemon{Limits: Usual(runtime.GOMAXPROCS(0)), Log: zerolog.Nop(), Begin: begin(t, g, level, nodes)}
	d.Limits.Drain = 0
	l, err := levels.Find(g, level)
	if err != nil {
		t.Fatal(err)
	}
	d.Timed = l.Timed && nodes == 0
	if change != nil {
		change(d)
	}
	at, err := Listen("tcp://127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- d.Serve(ctx, at) }()
	drain = sync.OnceFunc(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(drain)
	return at.Addr().String(), drain
}

// begin begins conversations in the first protocol of a game, all with the same seed.
func begin(t testing.TB, g game.Game, level string, nodes int) func() Conversation {
	l, err := levels.Find(g, level)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		t.Fatal(err)
	}
	return func() Conversation {
		return Conversation{
			End:    g.Protocols()[0].PlayerEnd(rules, game.First, time.Minute), // the game's own limit cuts moves short on a busy machine
			Player: l.New(g, player.Options{Nodes: nodes, Rules: rules, Threads: 1, Cut: func(int64) {}}), Random: rand.New(rand.NewPCG(7, 0)),
		}
	}
}

// play plays a game of random moves against who is at the other end, and returns all moves.
func play(c io.ReadWriter, g game.Game, seed uint64, limits game.Limits) (moves []game.Move, err error) {
	rules, _ := game.ParseRules("", g.Options())
	r := rand.New(rand.NewPCG(seed, 1))
	side := game.Side(seed % 2)
	end := g.Protocols()[0].RefereeEnd(side, limits)
	var pos game.Position
	tell := func(e game.Event) error {
		var v game.View
		if pos != nil {
			v = pos.View(side)
		}
		for _, message := range end.Tell(e, v) {
			if _, err := c.Write(message); err != nil {
				return err
			}
		}
		return nil
	}
	var buf []byte
	answer := func() (game.Answer, error) {
		for chunk := make([]byte, 4096); ; {
			n, a, err := end.Scan(buf, false)
			if n > 0 || err != nil {
				buf = buf[n:]
				return a, err
			}
			if n, err = c.Read(chunk); err != nil {
				return a, err
			}
			buf = append(buf, chunk[:n]...)
		}
	}
	if err := tell(game.Event{Kind: game.EventBegin}); err != nil {
		return nil, err
	}
	var setUps [2]game.SetUp
	if g.HasSetUp() {
		a, err := answer()
		if err != nil {
			return nil, err
		}
		setUps[side], setUps[side.Other()] = a.SetUp, g.RandomSetUp(r)
	}
	if pos, err = g.New(rules, setUps); err != nil {
		return nil, err
	}
	for {
		if o, over := pos.Outcome(); over {
			return moves, tell(game.Event{Kind: game.EventEnd, Draw: o.Draw, Winner: o.Winner})
		} else if len(moves) >= limits.MaxPlies && limits.MaxPlies > 0 {
			return moves, tell(game.Event{Kind: game.EventEnd, Draw: true})
		}
		if err := tell(game.Event{Kind: game.EventTurn, Side: pos.Mover()}); err != nil {
			return moves, err
		}
		var m game.Move
		if pos.Mover() == side {
			asked := time.Now()
			a, err := answer()
			if err != nil {
				return moves, err
			}
			if late := time.Since(asked); late > limits.Move+limits.Grace {
				return moves, fmt.Errorf("ply %d was answered after %v of %v", len(moves), late, limits.Move)
			}
			m = a.Move
		} else {
			all := pos.Moves(nil)
			m = all[r.IntN(len(all))]
		}
		if err := pos.Check(m); err != nil {
			return moves, err
		}
		mover := pos.Mover()
		pos, moves = pos.Play(m), append(moves, m)
		if err := tell(game.Event{Kind: game.EventMoved, Side: mover, Move: m}); err != nil {
			return moves, err
		}
	}
}

// quick are limits of a test that is not about time.
func quick(g game.Game, plies int) game.Limits {
	l := g.Limits()
	l.Move, l.Grace, l.MaxPlies = time.Minute, time.Minute, plies
	return l
}

// onPipes is the same game on standard input and output.
func onPipes(t *testing.T, g game.Game, level string, nodes int, seed uint64, limits game.Limits) []game.Move {
	t.Helper()
	here, there := net.Pipe()
	here.SetDeadline(time.Now().Add(time.Minute))
	done := make(chan error)
	go func() {
		c := begin(t, g, level, nodes)()
		done <- player.Serve(there, there, c.End, c.Player, c.Random, zerolog.Nop())
		there.Close()
	}()
	moves, err := play(here, g, seed, limits)
	here.Close()
	if served := <-done; err != nil || served != nil && served != player.ErrHungUp {
		t.Fatal(err, served)
	}
	return moves
}

// Whoever connects gets the moves that the same level gives on standard input and output, however many play at a time.
func TestMovesAreThose(t *testing.T) {
	for _, c := range []struct {
		game, level     string
		nodes, n, plies int
	}{{"luzhanqi", "greedy", 0, 8, 100}, {"luzhanqi", "strong", 60, 2, 12}, {"jungle", "easy", 0, 4, 30}} {
		g, err := games.Find(c.game)
		if err != nil {
			t.Fatal(err)
		}
		address, _ := started(t, g, c.level, c.nodes, nil)
		var all sync.WaitGroup
		for i := range c.n {
			all.Go(func() {
				seed := uint64(i % 4)
				conn, err := net.Dial("tcp", address)
				if err != nil {
					t.Error(err)
					return
				}
				defer conn.Close()
				conn.SetDeadline(time.Now().Add(time.Minute))
				got, err := play(conn, g, seed, quick(g, c.plies))
				if err != nil {
					t.Errorf("%s, %s, game %d: %v", c.game, c.level, i, err)
					return
				}
				conn.(*net.TCPConn).CloseWrite() // not every protocol tells the end of a game that the referee has ended
				if n, err := conn.Read(make([]byte, 1)); err != io.EOF {
					t.Errorf("after the end came %d bytes, %v", n, err)
				}
				if want := onPipes(t, g, c.level, c.nodes, seed, quick(g, c.plies)); !reflect.DeepEqual(got, want) {
					t.Errorf("%s, %s, game %d: the moves differ from those on pipes", c.game, c.level, i)
				}
			})
		}
		all.Wait()
	}
}

// resident is the memory of this process, in KiB.
func resident(t *testing.T) (kib int) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("memory is measured on Linux")
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	fmt.Sscan(rest, &kib)
	return kib
}

// Two hundred referees at a time play whole games, and as many against the strongest level;
// each costs less than 2 MB. The memory of the referees, in the same process, is counted, too.
func TestManySessions(t *testing.T) {
	g := games.All[0]
	if os.Getenv("LUZHANQI_NIGHTLY") == "" {
		manySessions(t, g, "greedy", 0, 40, 100)
		return
	}
	manySessions(t, g, "greedy", 0, 200, g.Limits().MaxPlies)
	manySessions(t, g, levels.Strongest(g).Name, 500, 200, g.Limits().MaxPlies)
}

func manySessions(t *testing.T, g game.Game, level string, nodes, sessions, plies int) {
	address, drain := started(t, g, level, nodes, nil)
	limits := g.Limits()
	limits.Move, limits.Grace = time.Minute, 10*time.Minute // this machine may have other work
	one := func(seed, plies int) int {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Error(err)
			return 0
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(20 * time.Minute))
		limits := limits
		limits.MaxPlies = plies
		moves, err := play(conn, g, uint64(seed), limits)
		if err != nil {
			t.Errorf("game %d: %v", seed, err)
		}
		return len(moves)
	}
	one(0, 10) // what all sessions share is loaded
	before, most, total, began := resident(t), 0, 0, time.Now()
	var all sync.WaitGroup
	plied := make([]int, sessions)
	for i := range sessions {
		all.Go(func() { plied[i] = one(i, plies) })
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		all.Wait()
	}()
	for over := false; !over; {
		over = passes(done, 50*time.Millisecond)
		most = max(most, resident(t))
	}
	for _, n := range plied {
		total += n
	}
	each := (most - before) / sessions
	t.Logf("%s: %d sessions, %d plies in %v: %d KiB more, %d KiB each", level, sessions, total, time.Since(began).Round(time.Millisecond), most-before, each)
	if each > 2000 && sessions >= 100 { // fewer do not outweigh the garbage of one
		t.Errorf("%d KiB a session", each)
	}
	drain()
}

// What goes beyond a limit is hung up on, and others play on.
func TestLimits(t *testing.T) {
	g, err := games.Find("jungle")
	if err != nil {
		t.Fatal(err)
	}
	address, _ := started(t, g, "random", 0, func(d *Daemon) {
		d.Limits.Sessions, d.Limits.First, d.Limits.Idle, d.Limits.Patience = 3, time.Second/5, time.Second/3, time.Second/5
		d.Limits.Line, d.Limits.Unasked = 1000, 100_000
	})
	dial := func() net.Conn {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		c.SetDeadline(time.Now().Add(20 * time.Second))
		return c
	}
	ends := func(c net.Conn) {
		t.Helper()
		if _, err := io.Copy(io.Discard, c); err != nil && os.IsTimeout(err) {
			t.Error("nobody hung up")
		}
	}
	feed := func(c net.Conn, text string, most int) {
		for n := 0; n < most; n += len(text) {
			if _, err := io.WriteString(c, text); err != nil {
				return
			}
		}
	}
	ends(dial()) // who says nothing at all
	silent := dial()
	feed(silent, "\n", 1)
	ends(silent) // who says no more
	long := dial()
	feed(long, strings.Repeat("x", 5000), 1<<20)
	ends(long)
	lines := dial()
	feed(lines, strings.Repeat("x\n", 2500), 1<<20)
	ends(lines)

	var full []net.Conn
	for range 3 {
		c := dial()
		feed(c, "\n", 1)
		full = append(full, c)
	}
	ends(dial()) // one too many
	for _, c := range full {
		ends(c)
	}
	if _, err := play(dial(), g, 1, quick(g, 20)); err != nil {
		t.Error(err)
	}
}

// At the end nobody is let in, a game goes on to its end, and who does not come to one is hung up on.
func TestDrain(t *testing.T) {
	g, err := games.Find("jungle")
	if err != nil {
		t.Fatal(err)
	}
	address, drain := started(t, g, "random", 0, func(d *Daemon) { d.Limits.Drain = time.Second })
	playing, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer playing.Close()
	idle, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	playing.SetDeadline(time.Now().Add(20 * time.Second))
	idle.SetDeadline(time.Now().Add(20 * time.Second))
	ended := make(chan struct{})
	began := time.Now()
	middle := &after{ReadWriter: playing, writes: 10, do: func() {
		go func() {
			defer close(ended)
			drain()
		}()
	}}
	if _, err := play(middle, g, 1, quick(g, 100)); err != nil {
		t.Error(err)
	}
	<-ended
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %v to drain", took)
	}
	if _, err := io.Copy(io.Discard, idle); err != nil && os.IsTimeout(err) {
		t.Error(err)
	}
	if c, err := net.Dial("tcp", address); err == nil {
		c.Close()
		t.Error("somebody was let in after the end")
	}
}

// after does something after so many writes.
type after struct {
	io.ReadWriter
	writes int
	do     func()
}

func (a *after) Write(b []byte) (int, error) {
	if a.writes--; a.writes == 0 {
		a.do()
	}
	return a.ReadWriter.Write(b)
}

// Only addresses of this machine are taken, unless anybody may come; the socket of a daemon that was killed is replaced.
func TestListen(t *testing.T) {
	for _, wrong := range []string{"", "4000", "tcp://", "http://127.0.0.1:1", "tcp://127.0.0.1", "tcp://0.0.0.0:0", "tcp://:0", "tcp://example.com:0"} {
		if l, err := Listen(wrong, false); err == nil {
			l.Close()
			t.Errorf("listens on %q", wrong)
		} else if !strings.Contains(err.Error(), "allowed are") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	if l, err := Listen("tcp://0.0.0.0:0", true); err != nil {
		t.Error(err)
	} else {
		l.Close()
	}
	path := filepath.Join(t.TempDir(), "s")
	first, err := Listen("unix://"+path, false)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if l, err := Listen("unix://"+path, false); err == nil {
		l.Close()
		t.Error("two listen on one socket")
	}
	first.(*net.UnixListener).SetUnlinkOnClose(false)
	first.Close()
	second, err := Listen("unix://"+path, false)
	if err != nil {
		t.Fatal("the socket of one that is gone:", err)
	}
	second.Close()
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if l, err := Listen("unix://"+path, false); err == nil {
		l.Close()
		t.Error("a file was replaced")
	}
}

// If all are asked at once, all answer in time: shares of those who play add up to the limit.
func TestShare(t *testing.T) {
	now := time.Now()
	for _, playing := range []int{0, 1, 2, 7, 200} {
		end := share(now, now.Add(time.Second), time.Minute, playing, 2)
		if each, rounds := end.Sub(now), max(1, (playing+1)/2); each*time.Duration(rounds) > time.Second || each < time.Second/time.Duration(rounds+1) {
			t.Errorf("%d play at two slots: %v each", playing, each)
		}
	}
	if end := share(now, now.Add(-time.Second), time.Minute, 1, 1); !end.After(now) {
		t.Error("who is late already gets no time at all")
	}
	if each := share(now, now.Add(time.Minute), 100*time.Millisecond, 2, 1).Sub(now); each > 50*time.Millisecond {
		t.Errorf("who has a minute thinks for %v beside one who has 100ms", each)
	}
}

// The earliest deadline goes first.
func TestSlots(t *testing.T) {
	s := slots{all: 1, free: 1}
	now := time.Now()
	s.take(now)
	order := make(chan int, 3)
	var all sync.WaitGroup
	for i, after := range []time.Duration{3, 1, 2} {
		all.Go(func() {
			s.take(now.Add(after))
			order <- int(after)
			s.give()
		})
		for { // until it waits
			s.mu.Lock()
			n := len(s.waiting)
			s.mu.Unlock()
			if n == i+1 {
				break
			}
			runtime.Gosched()
		}
	}
	s.give()
	all.Wait()
	for want := 1; want <= 3; want++ {
		if got := <-order; got != want {
			t.Errorf("%d came before %d", got, want)
		}
	}
}
