package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
	"luzhanqi/player/levels"
)

// apart starts this binary as something else, so that its processor time and memory are its alone, and waits for what it says
// first: of a server this is its address. Others say nothing before their end.
func apart(t *testing.T, word, what string) (c *exec.Cmd, said string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c = exec.CommandContext(t.Context(), self, word, what)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if word == serveWord || word == watchWord {
		said, _ = bufio.NewReader(out).ReadString('\n')
	}
	return c, strings.TrimSuffix(strings.TrimSpace(said), "/")
}

// serverApart is a server of a configuration in a process of its own, which ends with the test.
func serverApart(t *testing.T, config string) (pid int, address string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "serve.toml")
	if err := os.WriteFile(file, []byte("listen = \"127.0.0.1:0\"\n"+config), 0o666); err != nil {
		t.Fatal(err)
	}
	c, address := apart(t, serveWord, file)
	if address == "" {
		t.Fatalf("the server does not serve: %v", c.Wait())
	}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
	return c.Process.Pid, address
}

// usage is what a process has used.
type usage struct {
	at            time.Time
	cpu           time.Duration // of all its threads
	memory, peak  float64       // MB in memory, now and at most
	own, ownFiles float64       // MB of memory: its own, and of files such as its binary
}

// used says what a process has used, on Linux.
func used(t *testing.T, pid int) usage {
	t.Helper()
	u := usage{at: time.Now()}
	if runtime.GOOS != "linux" {
		return u
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	for _, nth := range []int{14, 15} { // utime and stime, as proc(5) counts them, in hundredths of a second
		n, _ := strconv.Atoi(string(fields[nth-3]))
		u.cpu += time.Duration(n) * 10 * time.Millisecond
	}
	if text, err = os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		into := map[string]*float64{"VmRSS:": &u.memory, "VmHWM:": &u.peak, "RssAnon:": &u.own, "RssFile:": &u.ownFiles}[fields[0]]
		if into != nil {
			kib, _ := strconv.Atoi(fields[1])
			*into = float64(kib) * 1024 / 1e6
		}
	}
	return u
}

// share is how much of one processor was used between two looks.
func share(from, to usage) float64 {
	return (to.cpu - from.cpu).Seconds() / to.at.Sub(from.at).Seconds()
}

// duel is a game of two persons, whose moves are sent when it is said so. It is the same in every run.
type duel struct {
	t       *testing.T
	address string // of its game in the API
	id      string
	keys    [2]string
	random  *rand.Rand
	plies   int
}

func newDuel(t *testing.T, server, name string) *duel {
	t.Helper()
	g, err := games.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	d := &duel{t: t, random: rand.New(rand.NewPCG(1, 2))}
	var seat struct{ ID, Key string }
	for side, path := range []string{"/invitations", "/accept"} {
		asked := map[string]any{}
		if g.HasSetUp() {
			asked["setup"] = g.RandomSetUp(d.random)
		}
		if side == 0 {
			asked["game"], asked["side"] = name, 1
		} else {
			path = "/invitations/" + seat.ID + path
		}
		if code := d.ask("", "POST", server+apiPath+path, asked, &seat); code != http.StatusCreated {
			t.Fatalf("%s: %d", path, code)
		}
		d.keys[side] = seat.Key
	}
	d.id, d.address = seat.ID, server+apiPath+"/games/"+seat.ID
	return d
}

// ask asks with the key of a seat.
func (d *duel) ask(key, method, address string, body, into any) int {
	d.t.Helper()
	sent, err := json.Marshal(body)
	if err != nil {
		d.t.Fatal(err)
	}
	code, text := asks(d.t, "", method, address, sent, "Content-Type", "application/json", HeaderSeat, key)
	if into != nil && code < 300 {
		_, text, _ = strings.Cut(text, "{") // behind the header
		if err := json.Unmarshal([]byte("{"+text), into); err != nil {
			d.t.Fatalf("%v: %.200s", err, text)
		}
	}
	return code
}

// next chooses the next move, which is sent by what it returns.
func (d *duel) next() (send func()) {
	d.t.Helper()
	side := game.Side(d.plies % 2)
	pause := time.Millisecond
	for deadline := time.Now().Add(time.Minute); ; pause *= 2 { // few requests, however slow the machine is
		var now state
		if code := d.ask(d.keys[side], "GET", d.address, nil, &now); code != http.StatusOK {
			d.t.Fatalf("the game: %d", code)
		}
		if now.End != nil || time.Now().After(deadline) {
			d.t.Fatalf("after ply %d of %d nobody is to move: %+v", len(now.Plies), d.plies, now.End)
		}
		if now.Play == nil || !now.Play.Turn || len(now.Plies) != d.plies {
			time.Sleep(pause)
			continue
		}
		move := now.Play.Legal[d.random.IntN(len(now.Play.Legal))].Move
		return func() {
			d.t.Helper()
			if code := d.ask(d.keys[side], "POST", d.address+"/moves", map[string]any{"move": move, "ply": d.plies}, nil); code != http.StatusNoContent {
				d.t.Errorf("the move %s: %d", move, code)
			}
			d.plies++
		}
	}
}

// quick plays some plies, and says whether all were taken at once: otherwise others have the processors, and times say nothing.
func (d *duel) quick(plies int) bool {
	d.t.Helper()
	slowest := time.Duration(0)
	for range plies {
		send := d.next()
		began := time.Now()
		send()
		slowest = max(slowest, time.Since(began))
	}
	return slowest < 10*time.Millisecond
}

// watchGame follows a game with many connections, and says when all of them have its events. What it is told is the server's host, the game's
// id, their number, and how often each takes what has come to it; until then the system keeps that. Watchers are elsewhere, where their reading
// takes nothing of the server's processors; these are on the same machine, and so read seldom.
func watchGame(what string) error {
	var host, id, every string
	var n int
	if _, err := fmt.Sscan(what, &host, &id, &n, &every); err != nil {
		return fmt.Errorf("%q: allowed is HOST ID NUMBER PERIOD: %w", what, err)
	}
	period, err := time.ParseDuration(every)
	if err != nil {
		return err
	}
	begun, ended := make(chan error, n), make(chan error, n)
	for range n {
		c, err := net.Dial("tcp", host)
		if err != nil {
			return err
		}
		fmt.Fprintf(c, "GET /games/%s/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", id)
		go func() {
			lines := bufio.NewReader(c)
			for {
				line, err := lines.ReadString('\n')
				if err != nil || line == "retry: 1000\n" {
					begun <- err
					break
				}
			}
			err := error(os.ErrDeadlineExceeded)
			for errors.Is(err, os.ErrDeadlineExceeded) {
				time.Sleep(period)
				c.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
				_, err = io.Copy(io.Discard, lines)
			}
			ended <- err
		}()
	}
	for range n {
		if err := <-begun; err != nil {
			return err
		}
	}
	fmt.Println("all watch")
	for range n {
		if err := <-ended; err != nil {
			return err
		}
	}
	return nil
}

// playSeat is a program that plays on standard input and output: what is said is game/level/positions a move.
func playSeat(what string) error {
	words := strings.Split(what, "/")
	nodes, err := strconv.Atoi(words[len(words)-1])
	if len(words) != 3 || err != nil {
		return fmt.Errorf("%q: must be game/level/positions", what)
	}
	g, err := games.Find(words[0])
	if err != nil {
		return err
	}
	l, err := levels.Find(g, words[1])
	if err != nil {
		return err
	}
	rules, _ := game.ParseRules("", g.Options())
	player.Serve(os.Stdin, os.Stdout, g.Protocols()[0].PlayerEnd(rules, game.First, 0), l.New(g, player.Options{Rules: rules, Threads: 1, Nodes: nodes}), rand.New(rand.NewPCG(1, 0)), zerolog.Nop())
	return nil
}
