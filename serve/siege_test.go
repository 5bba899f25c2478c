package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// siege is what a hostile process does to a server, all at once, for some time. Its addresses are those of this machine that nobody
// else uses.
type siege struct {
	Host, Plain string // a server's address, and the path of the socket for programs without HTTP
	Report      string // the file for what has come of it
	For         time.Duration
	HalfOpen    int    // connections that say half of a request; those that were closed are opened again
	Slow        int    // clients that ask for long answers, and read nothing
	Line        int64  // bytes of lines that do not end: in a request, in a body, in what a program says first and later
	Requests    int    // a second, all over ten connections
	Crowd       int    // connections over each of which one request is made after another
	Origins     int    // requests a second of a page elsewhere, by its reader's browser
	Paths       string // of the requests, between blanks
}

// sieged is what has come of a siege.
type sieged struct {
	mu      sync.Mutex
	Answers map[string]int   // by status
	Closed  int              // half-open connections that the server has closed
	Opened  int              // half-open connections
	Refused int              // connections that could not be opened
	Taken   map[string]int64 // bytes of each endless line until the connection was closed
	Reached int              // requests a second that were sent
}

// besiege is the hostile process.
func besiege(what string) error {
	var s siege
	if err := json.Unmarshal([]byte(what), &s); err != nil {
		return err
	}
	got := &sieged{Answers: map[string]int{}, Taken: map[string]int64{}}
	end := time.Now().Add(s.For)
	var all sync.WaitGroup
	for range s.HalfOpen {
		all.Go(func() { s.halfOpen(got, end) })
	}
	for i := range s.Slow {
		all.Go(func() {
			if c := s.dial("127.0.0.4"); c != nil {
				defer c.Close()
				c.SetReadBuffer(1)
				for range 50 {
					fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", s.path(i))
				}
				time.Sleep(time.Until(end))
			}
		})
	}
	for where, begin := range map[string]string{
		"header": "GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ",
		"body":   fmt.Sprintf("POST /play HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n", s.Line),
		"plain":  "", "seat": "luzhanqi 1 - besieger arena\n",
	} {
		all.Go(func() { s.line(got, where, begin, end) })
	}
	all.Go(func() {
		s.flood(got, s.Origins, "127.0.0.5", "Origin: http://elsewhere.example\r\nSec-Fetch-Site: cross-site\r\nContent-Length: 0\r\n", "POST", end)
	})
	for range s.Crowd {
		all.Go(func() { s.ask(got, "127.0.0.8", end) })
	}
	sent := make([]int, 10)
	for i := range sent {
		all.Go(func() { sent[i] = s.flood(got, s.Requests/len(sent), "127.0.0.2", "", "GET", end) })
	}
	began := time.Now()
	all.Wait()
	for _, n := range sent {
		got.Reached += n
	}
	took := time.Since(began).Seconds()
	got.Reached = int(float64(got.Reached) / took)
	text, err := json.Marshal(got)
	if err != nil {
		return err
	}
	return os.WriteFile(s.Report, text, 0o666)
}

func (s *siege) path(i int) string {
	all := strings.Fields(s.Paths)
	return all[i%len(all)]
}

// dial connects from an address of this machine; nil: it was not let.
func (s *siege) dial(from string) *net.TCPConn {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: 5 * time.Second}
	c, err := d.Dial("tcp", s.Host)
	if err != nil {
		return nil
	}
	return c.(*net.TCPConn)
}

// ask makes one request after another over a connection.
func (s *siege) ask(got *sieged, from string, end time.Time) {
	for i := 0; time.Now().Before(end); i++ {
		c := s.dial(from)
		if c == nil {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		c.SetDeadline(end.Add(time.Second))
		for answers := bufio.NewReader(c); time.Now().Before(end); i++ {
			fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", s.path(i))
			r, err := http.ReadResponse(answers, nil)
			if err != nil {
				break
			}
			io.Copy(io.Discard, r.Body)
			r.Body.Close()
			got.mu.Lock()
			got.Answers[strconv.Itoa(r.StatusCode)]++
			got.mu.Unlock()
		}
		c.Close()
	}
}

func (s *siege) halfOpen(got *sieged, end time.Time) {
	for time.Now().Before(end) {
		c := s.dial("127.0.0.3")
		got.mu.Lock()
		if got.Opened++; c == nil {
			got.Refused++
		}
		got.mu.Unlock()
		if c == nil {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: local")
		c.SetReadDeadline(end)
		_, err := io.Copy(io.Discard, c)
		c.Close()
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			got.mu.Lock()
			got.Closed++
			got.mu.Unlock()
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// line says a line without an end, as long as anybody listens.
func (s *siege) line(got *sieged, where, begin string, end time.Time) {
	var c net.Conn
	var err error
	if where == "plain" || where == "seat" {
		c, err = net.Dial("unix", s.Plain)
	} else if c = s.dial("127.0.0.6"); c.(*net.TCPConn) == nil {
		err = errors.New("refused")
	}
	taken := int64(-1)
	if err == nil {
		c.SetDeadline(end)
		fmt.Fprint(c, begin)
		if where == "seat" {
			io.ReadFull(c, make([]byte, 1)) // until the game begins
		}
		taken = 0
		block := bytes.Repeat([]byte("x"), 64<<10)
		for err == nil && taken < s.Line {
			var n int
			n, err = c.Write(block[:min(int64(len(block)), s.Line-taken)])
			taken += int64(n)
		}
		c.Close()
	}
	got.mu.Lock()
	got.Taken[where] = taken
	got.mu.Unlock()
}

// refused says whether both kinds of requests were.
func (got *sieged) refused() bool {
	got.mu.Lock()
	defer got.mu.Unlock()
	return got.Answers["429"] > 0 && got.Answers["403"] > 0
}

// flood sends so many requests a second, and reads what comes: until the end, or, on a slow machine, until some were refused. It
// returns how many it has sent.
func (s *siege) flood(got *sieged, rate int, from, header, method string, end time.Time) (sent int) {
	began := time.Now()
	over := func() bool {
		now := time.Now()
		return now.After(end) && (got.refused() || now.After(end.Add(time.Minute)))
	}
	for rate > 0 && !over() {
		c := s.dial(from)
		if c == nil {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		c.SetDeadline(end.Add(time.Minute))
		var closed atomic.Bool
		var reading sync.WaitGroup
		reading.Go(func() {
			defer closed.Store(true)
			for lines := bufio.NewReader(c); ; {
				line, err := lines.ReadSlice('\n')
				if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
					return
				}
				if status, ok := bytes.CutPrefix(line, []byte("HTTP/1.1 ")); ok && len(status) > 3 {
					got.mu.Lock()
					got.Answers[string(status[:3])]++
					got.mu.Unlock()
				}
			}
		})
		for !closed.Load() && !over() {
			var batch bytes.Buffer
			due := int(time.Since(began).Seconds() * float64(rate))
			n := 0
			for ; sent+n < due && n < 100; n++ {
				fmt.Fprintf(&batch, "%s %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n", method, s.path(sent+n), header)
			}
			if _, err := c.Write(batch.Bytes()); err != nil {
				break
			}
			sent += n
			time.Sleep(5 * time.Millisecond)
		}
		c.Close()
		reading.Wait()
	}
	return sent
}
