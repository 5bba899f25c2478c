package process

import "sync"

// tail keeps the last bytes of a stream and counts all of them.
type tail struct {
	mu    sync.Mutex
	ring  []byte
	next  int // where the next byte goes, once the ring is full
	total int64
}

func newTail(size int) *tail { return &tail{ring: make([]byte, 0, size)} }

// Write never fails.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	written := len(b)
	t.total += int64(written)
	if len(b) > cap(t.ring) {
		b = b[len(b)-cap(t.ring):]
	}
	if room := cap(t.ring) - len(t.ring); room > 0 {
		n := min(room, len(b))
		t.ring = append(t.ring, b[:n]...)
		b = b[n:]
	}
	for len(b) > 0 {
		n := copy(t.ring[t.next:], b)
		t.next = (t.next + n) % len(t.ring)
		b = b[n:]
	}
	return written, nil
}

// Bytes returns what is kept, oldest first; Total counts what was ever written.
func (t *tail) Bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append(append([]byte{}, t.ring[t.next:]...), t.ring[:t.next]...)
}

func (t *tail) Total() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.total
}
