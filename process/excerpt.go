package process

import "fmt"

// Excerpt is the beginning and the end of a long text.
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

// excerpts keeps the beginning and the end of a stream, and counts all of it.
type excerpts struct {
	head []byte
	room int // of head
	tail *tail
}

func newExcerpts(head, tail int) *excerpts { return &excerpts{room: head, tail: newTail(tail)} }

// Write never fails. One goroutine writes, and nobody reads meanwhile.
func (x *excerpts) Write(b []byte) (int, error) {
	n := min(len(b), x.room-len(x.head))
	x.head = append(x.head, b[:n]...)
	x.tail.Write(b[n:])
	return len(b), nil
}

func (x *excerpts) Bytes() []byte { return append(append([]byte{}, x.head...), x.tail.Bytes()...) }

func (x *excerpts) Total() int64 { return int64(len(x.head)) + x.tail.Total() }

func (x *excerpts) excerpt() Excerpt {
	tail := x.tail.Bytes()
	return Excerpt{Head: x.head, Tail: tail, LeftOut: x.tail.Total() - int64(len(tail))}
}
