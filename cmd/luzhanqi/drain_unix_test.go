//go:build unix

package main

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"luzhanqi/process/processtest"
)

// TestServeDrains: with games that are being played, a game of a person, a program that waits, and many who watch, SIGTERM ends the server
// within the drain and two seconds, with status 0; all who watch are told.
func TestServeDrains(t *testing.T) {
	streams := 20
	if os.Getenv("LUZHANQI_NIGHTLY") != "" {
		streams = 100
	}
	const drain = time.Second
	folder := t.TempDir()
	config := filepath.Join(folder, "serve.toml")
	text := fmt.Sprintf("listen = \"127.0.0.1:0\"\nkeep = \"played\"\ndrain = %q\nplain = \"unix://plain\"\n", drain)
	for i := range 10 {
		text += fmt.Sprintf("[[table]]\nname = \"t%d\"\ngame = \"jungle\"\nplayers = [\"builtin:random\", \"builtin:random\"]\npace = \"1s\"\nalways = true\n", i)
	}
	text += "[[table]]\nname = \"arena\"\ngame = \"jungle\"\nplayers = [\"remote\", \"remote\"]\n"
	if err := os.WriteFile(config, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	serve := exec.Command("luzhanqi", "serve", "serve.toml")
	serve.Dir, serve.Stderr = folder, os.Stderr
	out, err := serve.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	defer serve.Process.Kill()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address = strings.TrimSuffix(strings.TrimSpace(address), "/")
	join := exec.Command("luzhanqi", "join", address+"/tables/arena", "--retry", "0s", "--", "luzhanqi", "player", "--game", "jungle", "--level", "random")
	if err := join.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		join.Process.Kill()
		join.Wait()
	}()
	if r, err := http.PostForm(address+"/play", map[string][]string{"game": {"luzhanqi"}, "level": {"easy"}, "side": {"1"}}); err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", r, err)
	}
	var began, ended sync.WaitGroup
	for i := range streams {
		began.Add(1)
		ended.Go(func() {
			r, err := http.Get(fmt.Sprintf("%s/tables/t%d", address, i%10)) // leads to its game
			for err == nil && !strings.Contains(r.Request.URL.Path, "/games/") {
				r.Body.Close()
				r, err = http.Get(fmt.Sprintf("%s/tables/t%d", address, i%10))
			}
			if err == nil {
				r.Body.Close()
				r, err = http.Get(address + r.Request.URL.Path + "/events")
			}
			began.Done()
			if err != nil {
				t.Error(err)
				return
			}
			defer r.Body.Close()
			last := ""
			for lines := bufio.NewScanner(r.Body); lines.Scan(); {
				if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
					last = data
				}
			}
			if !strings.Contains(last, `"end":`) {
				t.Errorf("who watches is told last %.200s", last)
			}
		})
	}
	began.Wait()
	from := time.Now()
	if err := serve.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err = serve.Wait()
	took := time.Since(from)
	ended.Wait()
	t.Logf("it has ended after %v, %d who watch were told", took, streams)
	if err != nil {
		t.Errorf("it ends with %v", err)
	}
	if took > drain+2*time.Second {
		processtest.NeedShare(t)
		t.Errorf("it has ended after %v, not %v", took, drain+2*time.Second)
	}
}
