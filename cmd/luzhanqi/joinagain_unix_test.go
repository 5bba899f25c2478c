//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A server is killed in the middle of a game and started anew: who plays until it is stopped loses that game and takes a seat again.
func TestJoinGoesOn(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	config := filepath.Join(t.TempDir(), "serve.toml")
	text := fmt.Sprintf("listen = %q\n[[table]]\nname = \"arena\"\ngame = \"jungle\"\nplayers = [\"remote\", \"builtin:random\"]\ntime = \"10m\"\n", address)
	if err := os.WriteFile(config, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	start := func() *exec.Cmd {
		serve := exec.Command("luzhanqi", "serve", config)
		serve.Stderr = os.Stderr
		if err := serve.Start(); err != nil {
			t.Fatal(err)
		}
		return serve
	}
	playing := func() {
		t.Helper()
		for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			r, err := http.Get("http://" + address + "/api/v1/games")
			if err != nil {
				continue
			}
			said, _ := io.ReadAll(r.Body)
			r.Body.Close()
			if strings.Contains(string(said), `"live":true`) {
				return
			}
		}
		t.Fatal("no game has begun")
	}
	serve := start()
	// Only who has been told something is known to sit: who was let in, but not answered, asks again, and that is game 1, too.
	told := filepath.Join(t.TempDir(), "told")
	join := exec.Command("luzhanqi", "join", "http://"+address+"/tables/arena", "--games", "0", "--", "sh", "-c", `read -r line && : >"$0" && exec sleep 600`, told)
	out, err := join.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := join.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		join.Process.Kill()
		join.Wait()
	}()
	playing()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(told); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the program is told nothing")
		}
	}
	serve.Process.Kill()
	serve.Wait()
	serve = start()
	defer func() {
		serve.Process.Kill()
		serve.Wait()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "game 1: the server knows it no longer") {
		t.Fatalf("join says %q, %v", line, err)
	}
	playing()
}
