package serve

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"luzhanqi/process/processtest"
)

// from connects from an address of this machine.
func from(t *testing.T, address, to string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}, Timeout: 10 * time.Second}
	c, err := d.Dial("tcp", to)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// open are those of connections that the server has not closed within d.
func open(all []net.Conn, d time.Duration) (left []net.Conn) {
	still := make([]bool, len(all))
	var reading sync.WaitGroup
	for i, c := range all {
		c.SetReadDeadline(time.Now().Add(d))
		reading.Go(func() {
			_, err := c.Read(make([]byte, 1))
			still[i] = errors.Is(err, os.ErrDeadlineExceeded)
		})
	}
	reading.Wait()
	for i, c := range all {
		if still[i] {
			left = append(left, c)
		}
	}
	return left
}

// One address has a thousand connections with half of a request each: all beyond its share are closed, the others can still be
// used, and who comes from elsewhere is answered meanwhile as if there were none.
func TestHalfOpen(t *testing.T) {
	const most, all = 100, 1000
	_, server := serverApart(t, fmt.Sprintf("connections = %d\n", most))
	host := server[len("http://"):]
	var conns []net.Conn
	for range all {
		c := from(t, "127.0.0.2", host)
		fmt.Fprint(c, "GET /healthz HTTP/1.1\r\nHost: local")
		conns = append(conns, c)
	}
	slowest := time.Duration(0)
	for range 20 {
		began := time.Now()
		r, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}).Get(server)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, r.Body)
		r.Body.Close()
		slowest = max(slowest, time.Since(began))
	}
	t.Logf("the first page, 20 times, each by a connection of its own: %v at most", slowest)
	left := open(conns, 500*time.Millisecond)
	if len(left) != most {
		processtest.NeedShare(t)
		t.Fatalf("%d of %d connections are open, not %d", len(left), all, most)
	}
	if slowest > time.Second {
		processtest.NeedShare(t)
		t.Errorf("who comes from elsewhere waits for %v, not 1 s", slowest)
	}
	// Whoever goes makes place.
	fmt.Fprint(left[0], "host\r\nConnection: close\r\n\r\n")
	left[0].SetReadDeadline(time.Now().Add(10 * time.Second))
	if text, err := io.ReadAll(left[0]); !strings.Contains(string(text), "200 OK") {
		processtest.NeedShare(t)
		t.Errorf("half of a request, and the other half: %.100q, %v", text, err)
	}
	if got := open([]net.Conn{from(t, "127.0.0.2", host), from(t, "127.0.0.2", host)}, 500*time.Millisecond); len(got) != 1 {
		processtest.NeedShare(t)
		t.Errorf("one has gone, and %d of two others come in", len(got))
	}
}

// The connections of a proxy are not counted as one client's.
func TestDoorOfProxies(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	refused := make(chan struct{}, 10)
	d := &door{Listener: l, most: 1, proxies: []string{"127.0.0.9"}, open: map[string]int{}, refused: func() { refused <- struct{}{} }}
	go func() {
		for {
			c, err := d.Accept()
			if err != nil {
				return
			}
			defer c.Close()
			fmt.Fprint(c, "x")
		}
	}()
	for _, test := range []struct {
		address string
		lets    bool
	}{{"127.0.0.9", true}, {"127.0.0.9", true}, {"127.0.0.9", true}, {"127.0.0.2", true}, {"127.0.0.2", false}, {"127.0.0.3", true}} {
		c := from(t, test.address, l.Addr().String())
		c.SetReadDeadline(time.Now().Add(10 * time.Second))
		if n, err := c.Read(make([]byte, 1)); (n == 1) != test.lets {
			t.Errorf("from %s: %d bytes, %v", test.address, n, err)
		}
	}
	if len(refused) != 1 {
		t.Errorf("%d were refused, not 1", len(refused))
	}
}
