package referee

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"luzhanqi/clock"
)

// slowReader is a program without a process that reads all that is written when it has been looked at so often.
type slowReader struct {
	reciting
	looks, read int // read: 0: never
	unread      int
	writes      []string
}

func (r *slowReader) Write(b []byte, _ time.Time) (int, error) {
	r.writes = append(r.writes, string(b))
	r.looks, r.unread = 0, r.unread+len(b)
	return len(b), nil
}

func (r *slowReader) Unread() int {
	if r.looks++; r.looks == r.read {
		r.unread = 0
	}
	return r.unread
}

// TestOneByOne: a program that gets its messages one by one gets the next when it has read the one before. While it is told nobody
// waits for that; when it is asked, a quarter of its time at most; and at the end all is written.
func TestOneByOne(t *testing.T) {
	for _, c := range []struct {
		read  int
		asked []string // what is written when it is asked
		least time.Duration
	}{
		{3, []string{"one", "two", "three"}, 0},
		{0, []string{"one", "two", "three"}, 100 * time.Millisecond},
	} {
		r := &slowReader{read: c.read}
		d := &dialogue{program: program{process: r}, oneByOne: true}
		for _, message := range []string{"one", "two", "three"} {
			d.say([]byte(message))
			d.send(time.Time{})
		}
		if !slices.Equal(r.writes, c.asked[:1]) && c.read == 0 {
			t.Errorf("told, %d: %q is written", c.read, r.writes)
		}
		start := clock.Now()
		if !d.send(start.Add(400 * time.Millisecond)) {
			t.Errorf("%d: there was room, and it was not written", c.read)
		}
		if took := clock.Since(start); took < c.least || c.read == 0 && took > 10*time.Second {
			t.Errorf("%d: asked, it waited for %v", c.read, took)
		}
		if !slices.Equal(r.writes, c.asked) {
			t.Errorf("asked, %d: %q is written, want %q", c.read, r.writes, c.asked)
		}
		for i := range 2 {
			d.say(fmt.Append(nil, "end", i))
		}
		d.over = true
		d.send(time.Time{})
		if len(r.writes) != 5 || len(d.unsent) > 0 {
			t.Errorf("at the end, %d: %q is written", c.read, r.writes)
		}
	}
}
