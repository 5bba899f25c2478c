package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"luzhanqi/clock"
)

// TestSource: whether what is read is there before or comes later, each piece is read once, in order; it comes before an
// interruption, and that before the deadline.
func TestSource(t *testing.T) {
	t.Parallel()
	s, theirs, err := newSource()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	buf := make([]byte, 10)
	read := func() (string, error) {
		n, err := s.read(buf, clock.Now().Add(10*time.Second))
		return string(buf[:n]), err
	}
	for i := range 3 * (tries + 2) {
		want := fmt.Sprint(i)
		written := make(chan struct{})
		write := func() {
			theirs.WriteString(want)
			close(written)
		}
		if i%3 == 0 { // so that it is tried in vain, and not tried where it is there
			time.AfterFunc(time.Millisecond, write)
		} else {
			write()
		}
		if got, err := read(); got != want || err != nil {
			t.Fatalf("%q, %v, want %q", got, err, want)
		}
		<-written
	}
	if n, err := s.read(buf, clock.Now().Add(time.Millisecond)); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("nothing until the deadline: %d, %v", n, err)
	}
	theirs.WriteString("last")
	s.interrupt()
	for _, want := range []string{"last", "", ""} {
		if got, err := read(); got != want || (want == "") != errors.Is(err, errInterrupted) {
			t.Errorf("interrupted: %q, %v, want %q", got, err, want)
		}
	}
	theirs.Close()
	if _, err := read(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// TestUnread: what was written is yet to be read until it is, and no more when nobody can read it.
func TestUnread(t *testing.T) {
	t.Parallel()
	s, theirs, err := newSink()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	write := func() {
		if _, err := s.write([]byte("12345"), time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	buf := make([]byte, 3)
	for _, want := range []int{5, 2, 0} {
		if want == 5 {
			write()
		} else if _, err := theirs.Read(buf); err != nil {
			t.Fatal(err)
		}
		if got := s.unread(); got != want {
			t.Errorf("%d bytes are unread, want %d", got, want)
		}
	}
	write()
	theirs.Close()
	if got := s.unread(); got != 0 {
		t.Errorf("%d bytes are unread, and nobody can read them", got)
	}
}
