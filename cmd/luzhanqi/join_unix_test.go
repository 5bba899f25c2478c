//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// cutting passes connections on to a server and breaks the first so many of them, each after so many bytes of the server's.
func cutting(t *testing.T, to string, cuts, after int64) (address string, cut *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	cut = &atomic.Int64{}
	var taken atomic.Int64
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s, err := net.Dial("tcp", to)
			if err != nil {
				c.Close()
				continue
			}
			go func() {
				io.Copy(s, c)
				s.Close()
			}()
			go func() {
				if taken.Add(1) > cuts {
					io.Copy(c, s)
				} else if n, _ := io.CopyN(c, s, after); n == after {
					cut.Add(1)
				}
				c.Close()
				s.Close()
			}()
		}
	}()
	return l.Addr().String(), cut
}

// A server, luzhanqi join and a program are processes of their own; the connection between the first two is cut again and again,
// and the game is played to its end by the rules.
func TestJoinOverBrokenConnections(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	luzhanqi := filepath.Join(dir, "luzhanqi")
	if err := os.Symlink(exe, luzhanqi); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "serve.toml")
	if err := os.WriteFile(config, fmt.Appendf(nil, "keep = %q\n[[table]]\nname = \"arena\"\ngame = \"jungle\"\nplayers = [\"remote\", \"builtin:random\"]\ntime = \"60s\"\n",
		filepath.Join(dir, "played")), 0o666); err != nil {
		t.Fatal(err)
	}
	serve := exec.CommandContext(t.Context(), luzhanqi, "serve", config, "--listen", "127.0.0.1:0")
	var said strings.Builder
	serve.Stderr = &said
	out, err := serve.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the server says no address: %v\n%s", err, &said)
	}
	server := strings.Trim(strings.TrimPrefix(strings.TrimSpace(line), "http://"), "/")
	proxy, cut := cutting(t, server, 5, 600)
	join := exec.CommandContext(t.Context(), luzhanqi, "join", "http://"+proxy+"/tables/arena", "--name", "ada", "--", luzhanqi, "player", "--game", "jungle", "--level", "random")
	joined, err := join.CombinedOutput()
	if err != nil || !strings.Contains(string(joined), "game 1: played to its end") {
		t.Errorf("join: %v\n%s", err, joined)
	}
	if cut.Load() != 5 {
		t.Errorf("the connection was cut %d times", cut.Load())
	}
	var records []string
	for deadline := time.Now().Add(20 * time.Second); len(records) == 0 && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		records, _ = filepath.Glob(filepath.Join(dir, "played", "*.jsonl"))
	}
	if err := serve.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := serve.Wait(); err != nil {
		t.Errorf("the server, told to end: %v\n%s", err, &said)
	}
	if len(records) != 1 {
		t.Fatalf("records are %v", records)
	}
	text, err := os.ReadFile(records[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"ada"`, `"remote"`, `"broken_ms"`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the record has no %s", part)
		}
	}
	if strings.Contains(string(text), `"disconnected"`) || strings.Contains(string(text), `"void"`) {
		t.Errorf("the game was not played to its end: %.300s", text[max(0, len(text)-300):])
	}
	if replayed, err := exec.CommandContext(t.Context(), luzhanqi, "replay", records[0]).CombinedOutput(); err != nil {
		t.Errorf("replay: %v\n%s", err, replayed)
	}
}

// The program runs before a seat is asked for, so that what it takes to start is no time of its first move; without a seat it ends.
func TestJoinStartsFirst(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	luzhanqi := filepath.Join(dir, "luzhanqi")
	if err := os.Symlink(exe, luzhanqi); err != nil {
		t.Fatal(err)
	}
	started := filepath.Join(dir, "started")
	comes := func(what func() bool) bool {
		deadline := time.Now().Add(20 * time.Second)
		for ; !what() && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		}
		return what()
	}
	pid := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !comes(func() bool {
			text, _ := os.ReadFile(started)
			n, err := fmt.Sscanln(string(text), &pid)
			return n == 1 && err == nil
		}) {
			t.Error("a seat is asked for, and the program does not run yet")
		}
		http.Error(w, "no seat", http.StatusForbidden)
	}))
	defer server.Close()
	said, err := exec.CommandContext(t.Context(), luzhanqi, "join", server.URL+"/tables/arena", "--", "sh", "-c", "echo $$ > "+started+"; cat").CombinedOutput()
	if err == nil || !strings.Contains(string(said), "the server refuses: no seat") {
		t.Errorf("%v\n%s", err, said)
	}
	if pid > 0 && !comes(func() bool { return syscall.Kill(pid, 0) != nil }) {
		t.Error("the program lives on")
	}
}
