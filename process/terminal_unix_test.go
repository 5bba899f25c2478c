//go:build unix

package process

import (
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func onTerminal(t *testing.T, script string) *Process {
	t.Helper()
	if !hasTerminals {
		t.Skip("no terminals here")
	}
	p, err := Start(Command{Args: []string{"/bin/sh", "-c", script}, Terminal: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Stop(0) })
	return p
}

// TestTerminal: all standard streams but errors are the controlling terminal; nothing is echoed;
// bytes come as they were written; the end of output is an end of file.
func TestTerminal(t *testing.T) {
	p := onTerminal(t, `test -t 0 && test -t 1 && ! test -t 2 && echo terminal >/dev/tty; read x; printf 'a\nb\r\n'; echo "got $x"; echo oops >&2; exit 3`)
	if _, err := p.Write([]byte("hello\n"), soon()); err != nil {
		t.Fatal(err)
	}
	if got := readAll(t, p, ""); got != "terminal\na\nb\r\ngot hello\n" {
		t.Fatalf("read %q", got)
	}
	if _, err := p.Read(make([]byte, 1), soon()); err != io.EOF {
		t.Fatalf("after its end: %v", err)
	}
	exit, err := p.Stop(time.Second)
	if err != nil || exit.Code != 3 || exit.Killed {
		t.Fatalf("exit %+v, %v", exit, err)
	}
	if kept, _ := p.Stderr(); string(kept) != "oops\n" {
		t.Fatalf("stderr %q", kept)
	}
}

// TestTerminalInputEnds: a program at a terminal that reads until the end of its input exits by
// itself when it is stopped, even in the middle of a line.
func TestTerminalInputEnds(t *testing.T) {
	for _, typed := range []string{"", "one\n", "one\nhalf"} {
		p := onTerminal(t, `cat; exit 4`)
		if _, err := p.Write([]byte(typed), soon()); err != nil {
			t.Fatal(err)
		}
		if exit, err := p.Stop(10 * time.Second); err != nil || exit.Code != 4 || exit.Killed {
			t.Errorf("%q: %+v, %v", typed, exit, err)
		}
	}
}

func TestTerminalDeadlines(t *testing.T) {
	t.Parallel()
	p := onTerminal(t, `while :; do printf x; sleep 0.01; done`)
	start := time.Now()
	var err error
	for err == nil {
		_, err = p.Read(make([]byte, 10), start.Add(200*time.Millisecond))
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(start) > 20*time.Second {
		t.Fatalf("%v after %v", err, time.Since(start))
	}
	time.AfterFunc(20*time.Millisecond, p.Interrupt)
	for err = nil; err == nil; {
		_, err = p.Read(make([]byte, 10), soon())
	}
	if err != ErrInterrupted {
		t.Fatalf("interrupted read: %v", err)
	}
}

// TestTerminalFull: whoever never reads what is typed cannot hold the referee up.
func TestTerminalFull(t *testing.T) {
	t.Parallel()
	p := onTerminal(t, `stty raw; echo ready; exec sleep 100`)
	readAll(t, p, "ready")
	start := time.Now()
	var err error
	for range 1000 {
		if _, err = p.Write([]byte(strings.Repeat("x", 1000)+"\n"), start.Add(200*time.Millisecond)); err != nil {
			break
		}
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(start) > 20*time.Second {
		t.Fatalf("%v after %v", err, time.Since(start))
	}
}

// TestTerminalKeepsTheLastWords: what a program writes just before it exits is not lost, however
// much it is.
func TestTerminalKeepsTheLastWords(t *testing.T) {
	t.Parallel()
	for range 20 {
		p := onTerminal(t, `i=0; while test $i -lt 2000; do echo "line $i"; i=$((i+1)); done; exit 0`)
		if got := readAll(t, p, ""); strings.Count(got, "\n") != 2000 || !strings.HasSuffix(got, "line 1999\n") {
			t.Fatalf("%d lines, the last %q", strings.Count(got, "\n"), got[max(0, len(got)-20):])
		}
	}
}

// TestScreenEndsTwice: what was written just before the end may come after its first report.
func TestScreenEndsTwice(t *testing.T) {
	var from earlyEnd
	var got []byte
	for {
		b := make([]byte, 10)
		n, err := readScreen(&from, b)
		got = append(got, b[:n]...)
		if err != nil {
			if err != io.EOF || string(got) != "last words" || from.reads != 4 {
				t.Fatalf("%q, %v after %d reads", got, err, from.reads)
			}
			return
		}
	}
}

// earlyEnd is a terminal whose end is reported once before what was written last.
type earlyEnd struct{ reads int }

func (e *earlyEnd) Read(b []byte) (int, error) {
	e.reads++
	if e.reads == 2 {
		return copy(b, "last words"), nil
	}
	return 0, &os.PathError{Op: "read", Path: "terminal", Err: syscall.EIO}
}
