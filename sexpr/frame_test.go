package sexpr_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"luzhanqi/sexpr"

	"github.com/google/go-cmp/cmp"
)

// How programs write in the wild, and what must be framed.
var habits = []struct {
	habit, sent string
	want        []string
	end         error // of the stream, after the frames: inside an expression or between two, or what is wrong
}{
	{"one line", "(A6 A7)\n", []string{"(A6 A7)"}, io.EOF},
	{"no final newline", "(A6 A7)", []string{"(A6 A7)"}, io.EOF},
	{"a newline inside", "(A6\nA7)\n", []string{"(A6\nA7)"}, io.EOF},
	{"several lines", "(\n(A1 F)\n(A2 L)\n)\n", []string{"(\n(A1 F)\n(A2 L)\n)"}, io.EOF},
	{"blanks inside", "( E6 E7 )\n", []string{"( E6 E7 )"}, io.EOF},
	{"blanks around", " \t\v\f(A6 A7) \r\n", []string{"(A6 A7)"}, io.EOF},
	{"CRLF", "(A6\r\nA7)\r\n(resign)\r\n", []string{"(A6\r\nA7)", "(resign)"}, io.EOF},
	{"several in one chunk", "(A6 A7)(resign)\n()", []string{"(A6 A7)", "(resign)", "()"}, io.EOF},
	{"set-up and move at once", "((A1 F) (A2 L))\n(A6 A7)\n", []string{"((A1 F) (A2 L))", "(A6 A7)"}, io.EOF},
	{"bytes inside are not judged", "(\x00\xff [\"; )", []string{"(\x00\xff [\"; )"}, io.EOF},
	{"nothing", "", nil, io.EOF},
	{"blanks only", " \n \n", nil, io.EOF},
	{"an end inside", "(resign) (A6 ", []string{"(resign)"}, io.ErrUnexpectedEOF},
	{"a bare word", "forfeit", nil, sexpr.Stray},
	{"chatter before a datum", "(resign) thinking (A6 A7)", []string{"(resign)"}, sexpr.Stray},
	{"one ) too many", "(A6 A7))", []string{"(A6 A7)"}, sexpr.Stray},
	{"a ) first", ")(A6 A7)", nil, sexpr.Stray},
	{"NUL", "\x00(A6 A7)", nil, sexpr.Stray},
	{"invalid UTF-8", "\xff(A6 A7)", nil, sexpr.Stray},
	{"a byte order mark", "\ufeff(A6 A7)", nil, sexpr.Stray},
	{"a no-break space", "\u00a0(A6 A7)", nil, sexpr.Stray},
	{"just deep enough", strings.Repeat("(", 64) + strings.Repeat(")", 64), []string{strings.Repeat("(", 64) + strings.Repeat(")", 64)}, io.EOF},
	{"one too deep", strings.Repeat("(", 65) + strings.Repeat(")", 65), nil, sexpr.TooDeep},
	{"500,000 parentheses", strings.Repeat("(", 500_000), nil, sexpr.TooDeep},
	{"10 MB of blanks", strings.Repeat(" ", 10_000_000), nil, sexpr.TooLong},
	{"10 MB of blanks after a message", "(resign)" + strings.Repeat("\n", 10_000_000), []string{"(resign)"}, sexpr.TooLong},
	{"just short enough", " (" + strings.Repeat("x", 65533) + ")(resign)", []string{"(" + strings.Repeat("x", 65533) + ")", "(resign)"}, io.EOF},
	{"one too long", "  (" + strings.Repeat("x", 65533) + ")(resign)", nil, sexpr.TooLong},
	{"as many blanks as may be", strings.Repeat(" ", 65536), nil, io.EOF},
}

func TestHabitsAreFramed(t *testing.T) {
	for _, c := range habits {
		got := frame([]byte(c.sent), sexpr.Limits{}, 1000)
		end := got.err
		switch {
		case end == nil && got.open:
			end = io.ErrUnexpectedEOF
		case end == nil:
			end = io.EOF
		}
		if diff := cmp.Diff(c.want, got.frames); diff != "" || !errors.Is(end, c.end) {
			t.Errorf("%s: ended with %v, want %v; (-want +got)\n%s", c.habit, end, c.end, diff)
		}
		checkFrames(t, []byte(c.sent), sexpr.Limits{})
	}
}

// framed is what a framer made of a stream.
type framed struct {
	frames []string
	err    error
	open   bool
}

func (a framed) same(b framed) bool {
	return cmp.Equal(a.frames, b.frames) && a.open == b.open && cmp.Equal(a.err, b.err)
}

// frame feeds a framer in pieces of the given size.
func frame(sent []byte, limits sexpr.Limits, piece int) framed {
	var got framed
	framer := sexpr.Framer{Limits: limits}
	from, to := 0, 0
	for {
		start, end, err := framer.Next(sent[from:to])
		switch {
		case err != nil:
			got.err = err
			return got
		case end > 0:
			got.frames = append(got.frames, string(sent[from+start:from+end]))
			from += end
		case to == len(sent):
			got.open = framer.Open()
			return got
		default:
			to = min(len(sent), to+piece)
		}
	}
}

// checkFrames holds what is promised of a Framer for any bytes and limits.
func checkFrames(t failer, sent []byte, limits sexpr.Limits) {
	t.Helper()
	whole := frame(sent, limits, max(1, len(sent)))
	if single := frame(sent, limits, 1); !whole.same(single) {
		t.Fatalf("%.200q: at once %+.200v, byte by byte %+.200v", sent, whole, single)
	}
	if limits.Bytes == 0 {
		limits.Bytes = sexpr.DefaultLimits.Bytes
	}
	if limits.Depth == 0 {
		limits.Depth = sexpr.DefaultLimits.Depth
	}
	rest := sent
	for _, expression := range whole.frames {
		before, after, found := bytes.Cut(rest, []byte(expression))
		if !found || len(bytes.Trim(before, " \t\n\v\f\r")) > 0 {
			t.Fatalf("%.200q: %.200q is not what comes after the frame before it", sent, expression)
		}
		depth, deepest := 0, 0
		for i, c := range []byte(expression) {
			switch c {
			case '(':
				depth++
			case ')':
				depth--
			}
			deepest = max(deepest, depth)
			if (depth == 0) != (i == len(expression)-1) {
				t.Fatalf("%.200q: %.200q is not balanced", sent, expression)
			}
		}
		if deepest > limits.Depth || len(before)+len(expression) > limits.Bytes {
			t.Fatalf("%.200q: %.200q is over the limits %v", sent, expression, limits)
		}
		rest = after
	}
	if whole.err == nil {
		return
	}
	var fault *sexpr.FrameError
	if !errors.As(whole.err, &fault) || fault.Offset >= len(rest) || rest[fault.Offset] != fault.Byte || fault.Limits != limits {
		t.Fatalf("%.200q: %#v does not point at the byte it names", sent, whole.err)
	}
}

func TestFrameErrorsSayWhereAndWhat(t *testing.T) {
	for _, c := range []struct{ sent, want string }{
		{" \nforfeit", `stray byte outside an expression: at byte 2: found "f", allowed: "(" or a blank`},
		{"\x1b[2J", `stray byte outside an expression: at byte 0: found "\x1b", allowed: "(" or a blank`},
		{"(((", `expression too deep: at byte 2: found "(", allowed: at most 2 open "("`},
		{"( A6 A7 )", `expression too long: at byte 8: found ")", allowed: an expression, with the blanks before it, of at most 8 bytes`},
	} {
		framer := sexpr.Framer{Limits: sexpr.Limits{Bytes: 8, Depth: 2}}
		_, end, err := framer.Next([]byte(c.sent))
		if end != 0 || err == nil || err.Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.sent, err, c.want)
		}
	}
}

// A framer that began again with every byte would look at 2·10⁹ bytes here.
func TestFramerLooksOnceAtEveryByte(t *testing.T) {
	sent := append([]byte{'('}, bytes.Repeat([]byte{'x'}, 65000)...)
	var framer sexpr.Framer
	for to := range sent {
		if _, end, err := framer.Next(sent[:to+1]); end != 0 || err != nil {
			t.Fatalf("after %d bytes: end %d, %v", to+1, end, err)
		}
		sent[to] = ')' // what was looked at is not looked at again
	}
	if start, end, err := framer.Next(append(sent, ')')); start != 0 || end != len(sent)+1 || err != nil {
		t.Fatalf("got %d, %d, %v, want the whole of %d bytes", start, end, err, len(sent)+1)
	}
}

func TestFramerForgetsOnReset(t *testing.T) {
	var framer sexpr.Framer
	if _, _, err := framer.Next([]byte("(A6")); err != nil || !framer.Open() {
		t.Fatalf("after half a move: open %v, %v", framer.Open(), err)
	}
	framer.Reset()
	if framer.Open() {
		t.Fatal("open after Reset")
	}
	if start, end, err := framer.Next([]byte(" ()")); start != 1 || end != 3 || err != nil {
		t.Fatalf("after Reset: %d, %d, %v, want 1, 3", start, end, err)
	}
}

func TestFramerStartsAgainAfterAnError(t *testing.T) {
	framer := sexpr.Framer{Limits: sexpr.Limits{Depth: 2}}
	bad := []byte("(a (b (c")
	if _, _, err := framer.Next(bad[:6]); err != nil || !framer.Open() {
		t.Fatalf("%q: %v, open %v", bad[:6], err, framer.Open())
	}
	for range 2 { // the same buffer again gets the same answer
		if _, _, err := framer.Next(bad); !errors.Is(err, sexpr.TooDeep) || framer.Open() {
			t.Fatalf("%q: %v, open %v", bad, err, framer.Open())
		}
	}
	if start, end, err := framer.Next([]byte(" ((a))")); start != 1 || end != 6 || err != nil {
		t.Fatalf("a new buffer: %d, %d, %v, want 1, 6", start, end, err)
	}
}

func TestFramerDoesNotAllocate(t *testing.T) {
	var framer sexpr.Framer
	text := []byte("(A6 A7)\n")
	if allocations := testing.AllocsPerRun(1000, func() {
		if _, end, err := framer.Next(text); err != nil || end != 7 {
			t.Fatalf("end %d, %v", end, err)
		}
	}); allocations != 0 {
		t.Errorf("%v allocations an expression, want 0", allocations)
	}
}
