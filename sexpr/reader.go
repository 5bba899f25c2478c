package sexpr

import "io"

// firstBuffer holds every honest message; only a hostile one makes it grow.
const firstBuffer = 4 << 10

// Reader frames expressions from an [io.Reader], for a program's own end of
// the conversation. It reads only when no complete expression is left in its
// buffer, so it never waits for the byte after one.
type Reader struct {
	source   io.Reader
	limits   Limits
	framer   Framer
	buf      []byte
	from, to int   // buf[from:to] is not handed out yet
	end      error // what source said last
}

// NewReader returns a reader of expressions within limits.
func NewReader(source io.Reader, limits Limits) *Reader {
	limits = limits.orDefault()
	return &Reader{source: source, limits: limits, framer: Framer{limits: limits}}
}

// Next returns the next expression, without the blanks around it; it is valid
// until the call after. It returns [io.EOF] when the source ends between
// expressions, [io.ErrUnexpectedEOF] when it ends inside one, another error of
// the source as it is, and a [*FrameError] for bytes that cannot be framed.
// Every error is final: after it, Next returns it again.
func (r *Reader) Next() ([]byte, error) {
	for {
		start, end, err := r.framer.Next(r.buf[r.from:r.to])
		switch {
		case err != nil:
			return nil, err
		case end > 0:
			// The capacity ends too: appending to it must not change the next one.
			expression := r.buf[r.from+start : r.from+end : r.from+end]
			r.from += end
			return expression, nil
		case r.end == io.EOF && r.framer.Open():
			return nil, io.ErrUnexpectedEOF
		case r.end != nil:
			return nil, r.end
		}
		r.fill()
	}
}

// fill reads at least one byte, or learns why there is none. The framer has
// refused a buffer of more than limits.Bytes, so there is always room to make.
func (r *Reader) fill() {
	r.to = copy(r.buf, r.buf[r.from:r.to])
	r.from = 0
	if r.to == len(r.buf) {
		size := max(firstBuffer, 2*len(r.buf))
		if size > r.limits.Bytes {
			size = r.limits.Bytes + 1 // one more shows that the limit is passed
		}
		grown := make([]byte, size)
		copy(grown, r.buf)
		r.buf = grown
	}
	// As many empty reads as bufio bears.
	for range 100 {
		n, err := r.source.Read(r.buf[r.to:])
		r.to += n
		r.end = err
		if n > 0 || err != nil {
			return
		}
	}
	r.end = io.ErrNoProgress
}
