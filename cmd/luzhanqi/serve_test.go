package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"luzhanqi/process/processtest"
)

// TestServeStart: the first page has come within a second of the start of `luzhanqi serve`, which nobody has configured. On two busy
// processors it took 15 to 250 ms. What else the machine does counts as little as it can: the best of several starts does.
func TestServeStart(t *testing.T) {
	const most, starts = time.Second, 5
	least := time.Hour
	for range starts {
		if least = min(least, firstPage(t)); least < most {
			t.Logf("the first page takes %v", least)
			return
		}
	}
	processtest.NeedShare(t)
	t.Errorf("the first page takes %v at least, of %d starts, and %v is allowed", least, starts, most)
}

// firstPage starts a server in an empty folder, and says when its first page was there.
func firstPage(t *testing.T) time.Duration {
	t.Helper()
	serve := exec.Command("luzhanqi", "serve", "--listen", "127.0.0.1:0")
	serve.Dir, serve.Stderr = t.TempDir(), os.Stderr
	out, err := serve.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		serve.Process.Kill()
		serve.Wait()
	}()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the server says %q: %v", address, err)
	}
	r, err := http.Get(strings.TrimSpace(address))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	page, err := io.ReadAll(r.Body)
	took := time.Since(began)
	if err != nil || r.StatusCode != http.StatusOK || !strings.Contains(string(page), "<h2>Now</h2>") {
		t.Fatalf("the first page is %d, %v: %.200s", r.StatusCode, err, page)
	}
	return took
}
