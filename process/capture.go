package process

import (
	"fmt"
	"sync"
	"unicode/utf8"
)

// Excerpt is the beginning and the end of a long text. Where something is left out, no character is split.
type Excerpt struct {
	Head, Tail []byte
	LeftOut    int64 // bytes between them
}

// String says where something is left out.
func (e Excerpt) String() string {
	if e.LeftOut == 0 {
		return string(e.Head) + string(e.Tail)
	}
	return fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", e.Head, e.LeftOut, e.Tail)
}

// capture keeps the beginning and the end of a stream, and counts all of it.
type capture struct {
	mu    sync.Mutex
	head  []byte // the first bytes, as many as fit
	ring  []byte // the last bytes of the rest, as many as fit
	next  int    // where the next byte goes, once the ring is full
	total int64
}

func newCapture(head, tail int) *capture {
	return &capture{head: make([]byte, 0, head), ring: make([]byte, 0, tail)}
}

// Write never fails.
func (c *capture) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	written := len(b)
	c.total += int64(written)
	b = appendFitting(&c.head, b)
	if len(b) > cap(c.ring) {
		b = b[len(b)-cap(c.ring):]
	}
	b = appendFitting(&c.ring, b)
	for len(b) > 0 {
		n := copy(c.ring[c.next:], b)
		c.next = (c.next + n) % len(c.ring)
		b = b[n:]
	}
	return written, nil
}

// appendFitting appends what fits, and returns the rest.
func appendFitting(to *[]byte, b []byte) []byte {
	n := min(len(b), cap(*to)-len(*to))
	*to = append(*to, b[:n]...)
	return b[n:]
}

func (c *capture) written() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total
}

func (c *capture) excerpt() Excerpt {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := Excerpt{Head: append([]byte{}, c.head...), Tail: append(append([]byte{}, c.ring[c.next:]...), c.ring[:c.next]...)}
	if c.total > int64(len(e.Head)+len(e.Tail)) {
		e.Head, e.Tail = wholeEnd(e.Head), wholeBegin(e.Tail)
	}
	e.LeftOut = c.total - int64(len(e.Head)+len(e.Tail))
	return e
}

// wholeEnd drops the first bytes of a character at the end of b that breaks off.
func wholeEnd(b []byte) []byte {
	for i := len(b) - 1; i >= max(0, len(b)-utf8.UTFMax); i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return b[:i]
			}
			break
		}
	}
	return b
}

// wholeBegin drops the last bytes of a character that began before b.
func wholeBegin(b []byte) []byte {
	for i := range utf8.UTFMax {
		if i == len(b) || utf8.RuneStart(b[i]) {
			return b[i:]
		}
	}
	return b
}
