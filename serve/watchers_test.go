package serve

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// crowd follows a game. The events of all are counted together.
type crowd struct {
	t       *testing.T
	host    string
	all     sync.WaitGroup
	mu      sync.Mutex
	arrived map[int][]time.Time // by ply
	wrong   []string            // what came out of order
	ended   int                 // streams that ended by themselves
	conns   []net.Conn
}

func newCrowd(t *testing.T, server string) *crowd {
	c := &crowd{t: t, host: strings.TrimPrefix(server, "http://"), arrived: map[int][]time.Time{}}
	t.Cleanup(c.leave)
	return c
}

// connect asks for a game's events.
func (c *crowd) connect(id string) net.Conn {
	c.t.Helper()
	conn, err := net.Dial("tcp", c.host)
	if err != nil {
		c.t.Fatal(err)
	}
	c.conns = append(c.conns, conn)
	fmt.Fprintf(conn, "GET /games/%s/events HTTP/1.1\r\nHost: localhost\r\n\r\n", id)
	return conn
}

// stall lets some ask, and read nothing, ever.
func (c *crowd) stall(id string, n int) {
	for range n {
		c.connect(id).(*net.TCPConn).SetReadBuffer(1)
	}
}

var plyOf = regexp.MustCompile(`"ply":\{"n":(\d+),`)

// follow lets others read all, and waits until the server has begun to answer each.
func (c *crowd) follow(id string, n int) {
	var begun sync.WaitGroup
	begun.Add(n)
	for range n {
		conn := c.connect(id)
		c.all.Go(func() {
			lines := bufio.NewReaderSize(conn, 16<<10)
			began, latest := sync.OnceFunc(begun.Done), 0
			defer began()
			for {
				line, err := lines.ReadString('\n')
				if err != nil {
					c.mu.Lock()
					c.ended++
					c.mu.Unlock()
					return
				}
				if strings.HasPrefix(line, "retry: ") {
					began()
				}
				found := plyOf.FindStringSubmatch(line)
				if found == nil {
					continue
				}
				now := time.Now()
				ply, _ := strconv.Atoi(found[1])
				c.mu.Lock()
				c.arrived[ply] = append(c.arrived[ply], now)
				if latest > 0 && ply != latest+1 {
					c.wrong = append(c.wrong, fmt.Sprintf("ply %d after %d", ply, latest))
				}
				c.mu.Unlock()
				latest = ply
			}
		})
	}
	begun.Wait()
}

// leave ends all streams.
func (c *crowd) leave() {
	for _, conn := range c.conns {
		conn.Close()
	}
	c.all.Wait()
	c.conns = nil
}

// wait waits until a ply has come to so many.
func (c *crowd) wait(ply, n int) {
	c.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		c.mu.Lock()
		have, ended := len(c.arrived[ply]), c.ended
		c.mu.Unlock()
		if have >= n {
			return
		}
		if ended > 0 || time.Now().After(deadline) {
			c.t.Fatalf("ply %d has come to %d of %d, and %d streams have ended", ply, have, n, ended)
		}
	}
}

// percentiles are those of times, in words, and the 99th.
func percentiles(late []time.Duration) (string, time.Duration) {
	slices.Sort(late)
	p99 := late[len(late)*99/100]
	return fmt.Sprintf("p50 %v, p99 %v, the latest %v", late[len(late)/2], p99, late[len(late)-1]), p99
}

// Many watch one game, and some of them stop reading: the others see each event soon after the move was sent, none is lost, and
// the server takes little processor time and memory for it.
func TestManyWatchers(t *testing.T) {
	nightly := os.Getenv("LUZHANQI_NIGHTLY") != ""
	watchers, stalled, plies, pace := 50, 5, 20, time.Duration(0)
	if nightly {
		watchers, stalled, plies, pace = 1000, 20, 60, time.Second/3
	}
	pid, server := serverApart(t, "rate = 10000\n")
	d := newDuel(t, server, "luzhanqi")
	quiet := d.quick(20)
	alone := used(t, pid)
	c := newCrowd(t, server)
	c.stall(d.id, stalled)
	c.follow(d.id, watchers-stalled)
	sent := map[int]time.Time{}
	from, ours := used(t, pid), used(t, os.Getpid())
	for range plies {
		next := time.Now().Add(pace)
		send := d.next()
		sent[d.plies+1] = time.Now()
		send()
		c.wait(d.plies, watchers-stalled)
		time.Sleep(time.Until(next))
	}
	to, oursToo := used(t, pid), used(t, os.Getpid())
	if _, text := get(t, http.DefaultClient, server+"/healthz"); text != "ok\n" {
		t.Errorf("%q", text)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.wrong) > 0 {
		t.Errorf("%d events are out of order: %v", len(c.wrong), c.wrong[:min(5, len(c.wrong))])
	}
	var late []time.Duration // from the sending of a move to its event
	for ply, at := range sent {
		if n := len(c.arrived[ply]); n != watchers-stalled {
			t.Errorf("ply %d has come to %d", ply, n)
		}
		for _, arrived := range c.arrived[ply] {
			late = append(late, arrived.Sub(at))
		}
	}
	text, p99 := percentiles(late)
	t.Logf("%d watchers, %d stalled, %d plies: events come %s after the move", watchers, stalled, plies, text)
	t.Logf("the server has %.1f %% of a processor, the clients %.1f %%; %.1f MB in memory, %.1f at most (%.1f its own, %.1f of its binary), without watchers %.1f",
		100*share(from, to), 100*share(ours, oursToo), to.memory, to.peak, to.own, to.ownFiles, alone.memory)
	if !nightly || raced {
		return
	}
	if runtime.GOOS == "linux" && (share(from, to) > 0.15 || to.peak > 80) {
		t.Errorf("%.1f %% of a processor, %.1f MB: not 15 %%, 80 MB", 100*share(from, to), to.peak)
	}
	if !quiet {
		t.Log("others have the processors: times are not judged")
	} else if p99 > 100*time.Millisecond {
		t.Errorf("p99 is %v, not 100 ms", p99)
	}
}
