package process

import (
	"errors"
	"io"
	"os"
	"testing"
	"time"
)

// within fails where f waits for ever.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatalf("%s: still waiting after 10 s", what)
	}
}

// TestStreamsDoNotWait: a deadline that is over, also the zero time, is no leave to wait for ever; what there is
// room for is written, and what is there is read. The pipes of all systems but Linux are these.
func TestStreamsDoNotWait(t *testing.T) {
	for name, over := range map[string]time.Time{"zero time": {}, "past": time.Unix(1, 0), "long ago": time.Unix(-1, 0), "now": time.Now()} {
		t.Run(name, func(t *testing.T) {
			r, w := streams(t)
			out, in := &streamSink{w}, &streamSource{stream: r}
			buf := make([]byte, 10)
			within(t, "read of nothing", func() {
				if n, err := in.read(buf, over); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
					t.Errorf("read of nothing: %d, %v", n, err)
				}
			})
			within(t, "write", func() {
				if n, err := out.write([]byte("hello"), over); n != 5 || err != nil {
					t.Errorf("write: %d, %v", n, err)
				}
			})
			within(t, "read", func() {
				if n, err := in.read(buf, over); string(buf[:n]) != "hello" || err != nil {
					t.Errorf("read: %q, %v", buf[:n], err)
				}
			})
			within(t, "write without room", func() {
				n, err := out.write(make([]byte, 8<<20), over)
				if n == 8<<20 || !errors.Is(err, os.ErrDeadlineExceeded) {
					t.Errorf("write without room: %d, %v", n, err)
				}
			})
		})
	}
}

// TestLastLooks: what a stream was not tried for, since its time was over before it began, is tried again, three times at most.
func TestLastLooks(t *testing.T) {
	for _, c := range []struct {
		name  string
		takes []time.Duration // of each try; later ones take no time
		tries int
		err   error
	}{
		{"no processor", []time.Duration{5 * time.Millisecond}, 2, nil},
		{"none for long", []time.Duration{5 * time.Millisecond, 25 * time.Millisecond}, 3, nil},
		{"none at all", []time.Duration{5 * time.Millisecond, 25 * time.Millisecond, 250 * time.Millisecond}, 3, os.ErrDeadlineExceeded},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tries := 0
			err := lastLooks(func(time.Time) error {
				if tries++; tries <= len(c.takes) {
					time.Sleep(c.takes[tries-1])
					return os.ErrDeadlineExceeded
				}
				return c.err
			})
			if tries != c.tries || !errors.Is(err, c.err) {
				t.Errorf("%d tries, %v; want %d, %v", tries, err, c.tries, c.err)
			}
		})
	}
}

// TestStreamInterrupted: what is there comes before the interruption, and the interruption before the deadline.
func TestStreamInterrupted(t *testing.T) {
	t.Parallel()
	r, w := streams(t)
	in := &streamSource{stream: r}
	w.Write([]byte("last words"))
	time.AfterFunc(20*time.Millisecond, in.interrupt)
	buf := make([]byte, 100)
	for range 2 {
		within(t, "read", func() {
			n, err := in.read(buf, time.Now().Add(time.Hour))
			if n == 0 && err != errInterrupted || n > 0 && string(buf[:n]) != "last words" {
				t.Errorf("%q, %v", buf[:n], err)
			}
		})
	}
	w.Write([]byte("more"))
	if n, err := in.read(buf, time.Now().Add(time.Hour)); string(buf[:n]) != "more" || err != nil {
		t.Errorf("behind the interruption: %q, %v", buf[:n], err)
	}
	w.Close()
	if _, err := in.read(buf, time.Now().Add(time.Hour)); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}
