package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"
	"syscall"
)

// Forms are the addresses that [Listen] takes.
const Forms = "allowed are tcp://127.0.0.1:4000, where port 0 is any that is free, and unix://PATH"

// Listen listens at tcp://HOST:PORT or unix://PATH. Unless anybody may come, the address is one of this machine, and a
// socket is its owner's alone. A socket that nobody listens at any more is replaced.
func Listen(address string, anybody bool) (net.Listener, error) {
	kind, where, ok := strings.Cut(address, "://")
	if !ok || where == "" || kind != "tcp" && kind != "unix" {
		return nil, fmt.Errorf("%q: %s", address, Forms)
	}
	if kind == "unix" {
		return listenUnix(where, anybody)
	}
	host, _, err := net.SplitHostPort(where)
	if err != nil {
		return nil, fmt.Errorf("%q: %w; %s", address, err, Forms)
	}
	if ip := net.ParseIP(host); !anybody && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("%q: %w", address, ErrOthers)
	}
	return net.Listen("tcp", where)
}

// ErrOthers: the address is not of this machine alone.
var ErrOthers = errors.New("others could reach it: allowed are 127.0.0.1, [::1] and localhost")

func listenUnix(path string, anybody bool) (net.Listener, error) {
	l, err := net.Listen("unix", path)
	if errors.Is(err, syscall.EADDRINUSE) && stale(path) {
		if err := os.Remove(path); err != nil {
			return nil, err
		}
		l, err = net.Listen("unix", path)
	}
	if err != nil || anybody {
		return l, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// stale says whether a socket was left by who does not listen any more.
func stale(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSocket == 0 {
		return false
	}
	c, err := net.Dial("unix", path)
	if err == nil {
		c.Close()
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}

// Name is the address of a listener, in the form that [Listen] takes.
func Name(l net.Listener) string { return l.Addr().Network() + "://" + l.Addr().String() }
