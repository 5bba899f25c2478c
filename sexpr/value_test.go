package sexpr_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"luzhanqi/sexpr"

	"pgregory.net/rapid"
)

func TestEveryMoveIsLookedUp(t *testing.T) {
	count := 0
	for _, from := range allSquares() {
		for _, to := range allSquares() {
			count++
			want := sexpr.Move{From: from, To: to}
			text := []byte("(" + string(from) + " " + string(to) + ")")
			if got, ok := sexpr.LookupMove(text); !ok || got != want {
				t.Errorf("LookupMove(%q) is %v, %v", text, got, ok)
			}
			if got, err := sexpr.ParsePlayer(text); err != nil || got != want {
				t.Errorf("ParsePlayer(%q) is %v, %v", text, got, err)
			}
			// A blank in front sends it to the parser proper.
			if got, err := sexpr.ParsePlayer(append([]byte{' '}, text...)); err != nil || got != want {
				t.Errorf("ParsePlayer(%q after a blank) is %v, %v", text, got, err)
			}
			if got := want.String(); got != string(text) {
				t.Errorf("%q is printed as %q", text, got)
			}
		}
	}
	if count != 3600 {
		t.Errorf("checked %d moves, want 3,600", count)
	}
}

func TestLookupReadsCanonicalMovesOnly(t *testing.T) {
	for _, text := range []string{
		"", "(", "()", "(A6", "(A6 ", "(A6 A7", "(A6 A7) ", " (A6 A7)", "( A6 A7)", "(A6  A7)", "(A6 A7 )",
		"(A6\tA7)", "(A6 A7))", "(A13 A1)", "(A0 A1)", "(A01 A2)", "(A100 A1)", "(F1 A1)", "(a1 A1)", "(A6A7)",
		"(A6 A7]", "[A6 A7)", "(resign)", "((A1 F))", "(A12 A12", "(A12A12))", "((((((((", "(A6 A7)\x00",
	} {
		if move, ok := sexpr.LookupMove([]byte(text)); ok {
			t.Errorf("%q is looked up as %v", text, move)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.SampledFrom([]byte("() AEF0129")), 0, 11).Draw(t, "text")
		if move, ok := sexpr.LookupMove(text); ok && move.String() != string(text) {
			t.Fatalf("%q is looked up as %v", text, move)
		}
	})
}

func TestHotPathDoesNotAllocate(t *testing.T) {
	text, dst := []byte("(A10 E12)"), make([]byte, 0, 16)
	if allocations := testing.AllocsPerRun(1000, func() {
		move, _ := sexpr.LookupMove(text)
		dst = move.AppendTo(dst[:0])
	}); allocations != 0 {
		t.Errorf("%v allocations to read and print a move, want 0", allocations)
	}
	// One for the interface; the parser proper would make some 40.
	if allocations := testing.AllocsPerRun(1000, func() { sexpr.ParsePlayer(text) }); allocations > 1 {
		t.Errorf("%v allocations to parse a canonical move, want 1", allocations)
	}
}

func TestSquaresAndPieces(t *testing.T) {
	for _, square := range allSquares() {
		if got, err := sexpr.ParseSquare(string(square)); err != nil || got != square {
			t.Errorf("%q: got %q, %v", square, got, err)
		}
	}
	for _, text := range []string{"", "A", "A0", "A13", "A01", "A111", "F1", "a1", " A1", "A1 ", "1A", "@1", "A:", "A1\x00"} {
		if got, err := sexpr.ParseSquare(text); err == nil || got != "" {
			t.Errorf("%q is read as the square %q", text, got)
		}
	}
	for c := range 256 {
		text := string([]byte{byte(c)})
		want := strings.Contains("FLB123456789", text)
		message, err := sexpr.ParsePlayer([]byte("((A1 " + text + "))"))
		if (err == nil) != want || want && message.(sexpr.Initial)[0].Piece.String() != text {
			t.Errorf("%q is read as the piece in %v, %v", text, message, err)
		}
	}
	for _, text := range []string{"", "FL", "10"} {
		if got, err := sexpr.ParsePlayer([]byte("((A1 " + text + "))")); err == nil {
			t.Errorf("%q is read as the piece in %v", text, got)
		}
	}
	_, err := sexpr.ParseSquare("A13")
	if want := `square: found "A13", allowed: A1 to E12`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestSecondsAreExact(t *testing.T) {
	for _, c := range []struct {
		text string
		want time.Duration
	}{
		{"0", 0},
		{"1", time.Second},
		{"1.0", time.Second},
		{"007.50", 7500 * time.Millisecond},
		{"0.1", 100 * time.Millisecond},
		{"0.3", 300 * time.Millisecond}, // 299,999,999 ns by way of a float
		{"0.000000001", 1},
		{"0.0000000019", 1},
		{"1.0000000000000000000000000000000000", time.Second},
		{"000000000000000000000000000001", time.Second},
		{"9223372036.854775807", math.MaxInt64},
	} {
		seconds, err := sexpr.ParseSeconds(c.text)
		if err != nil || string(seconds) != c.text {
			t.Errorf("%q is read as %q, %v", c.text, seconds, err)
		}
		if got, err := seconds.Duration(); err != nil || got != c.want {
			t.Errorf("%q lasts %d ns, %v, want %d ns", c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"", ".", "1.", ".5", "-1", "+1", "1e3", "1,0", "1.0.0", "1 .0", "0x1", "1_0", "٣", "inf"} {
		if got, err := sexpr.ParseSeconds(text); err == nil {
			t.Errorf("%q is read as %q seconds", text, got)
		}
		if got, err := sexpr.Seconds(text).Duration(); err == nil {
			t.Errorf("%q lasts %v", text, got)
		}
	}
	for _, text := range []string{"9223372036.854775808", "9223372037", "99999999999999999999999", strings.Repeat("9", 60000)} {
		if got, err := sexpr.Seconds(text).Duration(); err == nil {
			t.Errorf("%.40q lasts %v", text, got)
		}
	}
}

func TestLimitsArePrintedCanonically(t *testing.T) {
	for _, c := range []struct {
		limit time.Duration
		want  sexpr.Seconds
	}{
		{0, "0.0"},
		{time.Second, "1.0"},
		{100 * time.Millisecond, "0.1"},
		{750 * time.Millisecond, "0.75"},
		{time.Minute, "60.0"},
		{1, "0.000000001"},
		{math.MaxInt64, "9223372036.854775807"},
	} {
		if got, err := sexpr.NewSeconds(c.limit); err != nil || got != c.want {
			t.Errorf("%v is %q, %v, want %q", c.limit, got, err, c.want)
		}
	}
	if got, err := sexpr.NewSeconds(-1); err == nil {
		t.Errorf("-1 ns is %q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		limit := time.Duration(rapid.Int64Min(0).Draw(t, "limit"))
		seconds, err := sexpr.NewSeconds(limit)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := seconds.Duration(); err != nil || got != limit {
			t.Fatalf("%v is printed as %q, which lasts %v, %v", limit, seconds, got, err)
		}
	})
}
