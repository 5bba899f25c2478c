//go:build unix

package serve

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"
)

// asServed is what the test does in a process of its own: it serves until it is told to end.
const asServed = "LUZHANQI_TEST_SERVED"

// TestServed is no test, but the process that others start.
func TestServed(t *testing.T) {
	if os.Getenv(asServed) == "" {
		t.Skip("it is started by TestServiceManager")
	}
	c := Default()
	c.Listen, c.Records, c.Tables, c.Drain = "127.0.0.1:0", nil, nil, 0
	s, err := New(c, "test", zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() {
		bufio.NewReader(os.Stdin).ReadByte()
		stop()
	}()
	if err := s.Run(ctx, func(address string) { fmt.Println("address " + address) }); err != nil {
		t.Fatal(err)
	}
	if left := os.Getenv("LISTEN_FDS") + os.Getenv("NOTIFY_SOCKET"); left != "" {
		t.Errorf("programs that are started would get %q", left)
	}
}

// A service manager hands over the socket, and is told that the server is ready, lives, and ends.
func TestServiceManager(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "notify")
	manager, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer manager.Close()
	listener, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	file, err := listener.File()
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	// The shell knows its process before it becomes the server's.
	run := exec.CommandContext(t.Context(), "/bin/sh", "-c", `LISTEN_PID=$$ exec "$0" -test.run='^TestServed$'`, os.Args[0])
	run.Env = append(os.Environ(), asServed+"=1", "NOTIFY_SOCKET="+socket, "WATCHDOG_USEC=40000", "LISTEN_FDS=1", "LISTEN_FDNAMES=pages")
	run.ExtraFiles = []*os.File{file}
	out := &strings.Builder{}
	run.Stdout, run.Stderr = out, out
	in, err := run.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	file.Close()
	defer run.Process.Signal(syscall.SIGKILL)
	heard := func() string {
		t.Helper()
		manager.SetReadDeadline(time.Now().Add(30 * time.Second))
		message := make([]byte, 4096)
		n, err := manager.Read(message)
		if err != nil {
			t.Fatalf("the service manager hears nothing: %v\n%s", err, out)
		}
		return string(message[:n])
	}
	if said := heard(); !strings.HasPrefix(said, "READY=1\nSTATUS=serving http://"+address) {
		t.Errorf("first it says %q", said)
	}
	for range 3 {
		if said := heard(); said != "WATCHDOG=1" {
			t.Errorf("then it says %q", said)
		}
	}
	r, err := http.Get("http://" + address + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	in.Close()
	said := heard()
	for said == "WATCHDOG=1" {
		said = heard()
	}
	if !strings.HasPrefix(said, "STOPPING=1\n") || !strings.Contains(said, "EXTEND_TIMEOUT_USEC=") {
		t.Errorf("at the end it says %q", said)
	}
	if err := run.Wait(); err != nil || !strings.Contains(out.String(), "address http://"+address) {
		t.Errorf("%v\n%s", err, out)
	}
}
