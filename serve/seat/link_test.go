package seat

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/referee"
)

// connected attaches both ends of a new connection.
func connected(t *testing.T, a, b *Link) (cut func()) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	here, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	there, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	left, right := a.Detach(), b.Detach()
	if err := errors.Join(a.Attach(left, here, right.Received), b.Attach(right, there, left.Received)); err != nil {
		t.Fatal(err)
	}
	return func() { here.Close() }
}

// A link is ended while connections come: nothing panics, and nobody waits for those that came later.
func TestEndWhileAttached(t *testing.T) {
	for range 200 {
		l, other := NewLink(), NewLink()
		var both sync.WaitGroup
		both.Go(func() {
			for range 5 {
				here, there := net.Pipe()
				mine, its := l.Detach(), other.Detach()
				l.Attach(mine, here, its.Received)
				other.Attach(its, there, mine.Received)
			}
		})
		both.Go(func() { l.End("enough") })
		both.Go(func() { other.End("enough") })
		both.Wait()
		l.Detach()
		other.Detach()
	}
}

// What a side has said before it ended the link, while there was no connection, arrives over the next one.
func TestToldLater(t *testing.T) {
	l, other := NewLink(), NewLink()
	if _, err := l.Write([]byte("last")); err != nil {
		t.Fatal(err)
	}
	l.End("exited")
	short, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	if l.Told(short); short.Err() == nil {
		t.Fatal("it is told without a connection")
	}
	connected(t, l, other)
	b := make([]byte, 10)
	if n, err := other.Read(t.Context(), b, time.Now().Add(10*time.Second)); err != nil || string(b[:n]) != "last" {
		t.Fatalf("%q %v", b[:n], err)
	}
	other.End("")
	l.Told(t.Context())
	if n, err := other.Read(t.Context(), b, time.Now().Add(10*time.Second)); n > 0 || err != io.EOF || other.State().Reason != "exited" {
		t.Errorf("%d %v %+v", n, err, other.State())
	}
}

// What has arrived after the deadline is not read before a later one.
func TestReadDeadline(t *testing.T) {
	l := NewLink()
	deadline := time.Now()
	time.Sleep(5 * time.Millisecond)
	l.mu.Lock()
	l.arrive([]byte("late"))
	l.mu.Unlock()
	b := make([]byte, 3)
	if n, err := l.Read(t.Context(), b, deadline); n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%q %v", b[:n], err)
	}
	for _, want := range []string{"lat", "e"} {
		if n, err := l.Read(t.Context(), b, time.Now().Add(time.Second)); err != nil || string(b[:n]) != want {
			t.Errorf("%q %v, want %q", b[:n], err, want)
		}
	}
}

// asked is what becomes of a question of 100 ms, and when, at a seat whose grace is long enough for a busy machine.
func asked(t *testing.T, l *Link) (*referee.Foul, time.Duration) {
	t.Helper()
	g, err := games.Find("jungle")
	if err != nil {
		t.Fatal(err)
	}
	p := g.Protocols()[0]
	s := New(l, p, game.First, g.Limits(), time.Second, nil)
	start := time.Now()
	_, foul := s.Ask(t.Context(), referee.Question{Start: start, Limit: 100 * time.Millisecond, Deadline: start.Add(100 * time.Millisecond)})
	if foul == nil {
		t.Fatal("there is an answer")
	}
	return foul, time.Since(start)
}

// A break that follows another in a turn is not given the grace anew: the time is over before the second has lasted for it.
func TestBreaksAreBounded(t *testing.T) {
	l, other := NewLink(), NewLink()
	done := make(chan struct{})
	time.AfterFunc(400*time.Millisecond, func() {
		defer close(done)
		connected(t, l, other)()
	})
	foul, took := asked(t, l)
	<-done
	if foul.Code != referee.TimedOut || took < 400*time.Millisecond {
		t.Errorf("%s after %v: %s", foul.Code, took, foul.Text)
	}
}

// A break from before the question gives no time for it.
func TestEarlierBreak(t *testing.T) {
	l, other := NewLink(), NewLink()
	l.broke = time.Now().Add(-500 * time.Millisecond)
	done := make(chan struct{})
	time.AfterFunc(10*time.Millisecond, func() {
		defer close(done)
		connected(t, l, other)
	})
	defer other.Detach()
	foul, took := asked(t, l)
	<-done
	if foul.Code != referee.TimedOut || took > 550*time.Millisecond {
		t.Errorf("%s after %v: %s", foul.Code, took, foul.Text)
	}
}

// A program that answers last and exits while its connection is broken has answered.
func TestExitInABreak(t *testing.T) {
	l, other := NewLink(), NewLink()
	done := make(chan error, 1)
	go func() { done <- Bridge(t.Context(), l, &exiting{text: "answer"}) }()
	time.Sleep(20 * time.Millisecond)
	connected(t, l, other)
	b := make([]byte, 10)
	if n, err := other.Read(t.Context(), b, time.Now().Add(10*time.Second)); err != nil || string(b[:n]) != "answer" {
		t.Fatalf("%q %v", b[:n], err)
	}
	other.End("")
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// exiting is a program that says something and exits.
type exiting struct{ text string }

func (p *exiting) Read(b []byte) (n int, err error) {
	if n = copy(b, p.text); n == 0 {
		err = io.EOF
	}
	p.text = p.text[n:]
	return n, err
}

func (p *exiting) Write(b []byte) (int, error) { return len(b), nil }
func (p *exiting) Close() string               { return "exited" }

// A token is not sent where others can read it.
func TestClearToken(t *testing.T) {
	dialed := errors.New("dialed")
	for address, want := range map[string]bool{
		"http://example.com/tables/x": false, "http://10.0.0.1:80/tables/x": false, "https://example.com/tables/x": true,
		"http://localhost:1/tables/x": true, "http://[::1]:1/tables/x": true,
	} {
		u, err := ParseURL(address)
		if err != nil {
			t.Fatal(err)
		}
		d := Door{URL: u, Token: "secret", Dial: func(context.Context) (net.Conn, error) { return nil, dialed }}
		if err := d.Sit(t.Context(), 0, nil); errors.Is(err, dialed) != want {
			t.Errorf("%s: %v", address, err)
		}
	}
}
