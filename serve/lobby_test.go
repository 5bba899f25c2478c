package serve

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
)

// Who waits and has gone leaves a place to others, whether a game could begin or not.
func TestGoneFromLobby(t *testing.T) {
	for name, players := range map[string][2]string{"the table is full": {Elsewhere, "builtin:random"}, "half of a pair": {Elsewhere, Elsewhere}} {
		t.Run(name, func(t *testing.T) {
			socket := filepath.Join(t.TempDir(), "seats")
			served(t, func(c *Config) {
				c.Tables, c.Seats, c.Plain = []Table{arena("jungle", 1)}, 2, "unix://"+socket
				c.Tables[0].Players = players
			})
			sit := func(name string) net.Conn {
				c, err := net.Dial("unix", socket)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { c.Close() })
				fmt.Fprintf(c, "luzhanqi 1 - %s arena\n", name)
				return c
			}
			if players[1] != Elsewhere {
				playing := sit("playing")
				if n, err := playing.Read(make([]byte, 1)); n == 0 {
					t.Fatal(err)
				}
			} else {
				sit("first").Close()
			}
			gone := sit("gone")
			time.Sleep(50 * time.Millisecond)
			gone.Close()
			for until := time.Now().Add(10 * time.Second); ; {
				c := sit("next")
				c.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
				line, _ := bufio.NewReader(c).ReadString('\n')
				if !strings.Contains(line, "play or wait already") {
					return
				}
				if time.Now().After(until) {
					t.Fatal("the places of those who have gone stay taken")
				}
			}
		})
	}
}

// failing is a listener that fails at first.
type failing struct {
	net.Listener
	failures int
}

func (f *failing) Accept() (net.Conn, error) {
	if f.failures > 0 {
		f.failures--
		return nil, errors.New("too many open files")
	}
	return f.Listener.Accept()
}

// A connection that cannot be taken does not close the plain door; too many who do not say who they are are hung up on.
func TestPlainDoor(t *testing.T) {
	c := Default()
	c.Records, c.Tables = nil, nil
	s, err := New(c, "test", zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.plain.Go(func() { s.plainSeats(&failing{l, 2}) })
	var all []net.Conn
	for range maxStrangers + 1 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		all = append(all, c)
	}
	last := all[maxStrangers]
	last.SetReadDeadline(time.Now().Add(5 * time.Second))
	if said, err := io.ReadAll(last); err != nil || len(said) > 0 {
		t.Errorf("one more gets %q, %v", said, err)
	}
	fmt.Fprint(all[0], "x\n")
	if said, _ := bufio.NewReader(all[0]).ReadString('\n'); !strings.Contains(said, "the first line is") {
		t.Errorf("the door is closed: %q", said)
	}
	s.end()
	l.Close()
	s.plain.Wait()
}
