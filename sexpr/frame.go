package sexpr

import "fmt"

// Limits bound one expression, with the blanks before it. A zero or negative
// field stands for that of [DefaultLimits].
type Limits struct {
	Bytes int // at most so many bytes
	Depth int // at most so many open parentheses
}

// DefaultLimits are far above the longest honest message, a set-up of 25
// placements in 225 bytes, 2 deep; they are also what the parsers accept.
var DefaultLimits = Limits{Bytes: 64 << 10, Depth: 64}

func (l Limits) orDefault() Limits {
	if l.Bytes <= 0 {
		l.Bytes = DefaultLimits.Bytes
	}
	if l.Depth <= 0 {
		l.Depth = DefaultLimits.Depth
	}
	return l
}

// Framer finds balanced expressions in a growing buffer without parsing them.
// It remembers how far it looked, so that a program which sends single bytes
// costs no more than one which sends all at once. The zero value keeps
// [DefaultLimits].
type Framer struct {
	Limits Limits
	looked int // bytes of the buffer that need no second look
	depth  int // parentheses open there
	start  int // where the outermost of them stands
}

// Next looks for one whole expression, which is then buf[start:end]; an end of
// 0 without an error says that more bytes are needed. Until then the caller
// only appends to the bytes it passed before. After an expression the framer
// is ready for what follows, buf[end:]; after an error, a [*FrameError], it is
// ready for a new buffer, and would say the same of this one again.
//
// Inside an expression only parentheses and limits are judged.
func (f *Framer) Next(buf []byte) (start, end int, err error) {
	limits := f.Limits.orDefault()
	within := buf[:min(len(buf), limits.Bytes)]
	depth := f.depth
	for at := min(f.looked, len(within)); at < len(within); at++ {
		switch c := within[at]; {
		case c == '(' && depth == limits.Depth:
			return 0, 0, f.refuse(TooDeep, at, c)
		case c == '(':
			if depth == 0 {
				f.start = at
			}
			depth++
		case c == ')' && depth > 0:
			depth--
			if depth == 0 {
				start = f.start
				f.Reset()
				return start, at + 1, nil
			}
		case depth == 0 && !blank(c):
			return 0, 0, f.refuse(Stray, at, c)
		}
	}
	if len(buf) > len(within) {
		return 0, 0, f.refuse(TooLong, len(within), buf[len(within)])
	}
	f.looked, f.depth = len(within), depth
	return 0, 0, nil
}

// Open says whether the bytes seen so far end inside an expression, which
// makes an end of file there a fault.
func (f *Framer) Open() bool { return f.depth > 0 }

// Reset forgets the buffer, for one with other bytes.
func (f *Framer) Reset() { *f = Framer{Limits: f.Limits} }

func (f *Framer) refuse(kind FrameKind, at int, c byte) error {
	f.Reset()
	return &FrameError{Kind: kind, Offset: at, Byte: c, Limits: f.Limits.orDefault()}
}

// FrameKind is why bytes cannot be framed. It is an error itself, so that
// errors.Is(err, sexpr.TooLong) decides.
type FrameKind int

const (
	Stray   FrameKind = iota + 1 // before an expression, neither blank nor "("
	TooLong                      // not complete within Limits.Bytes
	TooDeep                      // more than Limits.Depth parentheses open
)

func (k FrameKind) Error() string {
	switch k {
	case Stray:
		return "stray byte outside an expression"
	case TooLong:
		return "expression too long"
	case TooDeep:
		return "expression too deep"
	default:
		return fmt.Sprintf("frame kind %d", int(k))
	}
}

// FrameError says which byte ended the framing. It depends on the bytes alone,
// not on the pieces in which they came.
type FrameError struct {
	Kind   FrameKind
	Offset int    // of Byte, from the start of the buffer: after the previous expression
	Byte   byte   // the first byte that could not be taken
	Limits Limits // those in force
}

func (e *FrameError) Error() string {
	allowed := `"(" or a blank`
	switch e.Kind {
	case Stray:
	case TooLong:
		allowed = fmt.Sprintf("an expression, with the blanks before it, of at most %d bytes", e.Limits.Bytes)
	case TooDeep:
		allowed = fmt.Sprintf(`at most %d open "("`, e.Limits.Depth)
	}
	return fmt.Sprintf("%v: at byte %d: found %s, allowed: %s",
		e.Kind, e.Offset, quoted(string([]byte{e.Byte})), allowed)
}

func (e *FrameError) Unwrap() error { return e.Kind }
