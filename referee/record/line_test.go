package record

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"luzhanqi/referee"
	"luzhanqi/text"
)

// TestLines guards that what is written by hand is what encoding/json writes.
func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.OneOf(rapid.StringN(0, 20, -1), rapid.StringOf(rapid.SampledFrom([]rune("(A6 A7)\n\r\t\"\\<>&é\u2028\x00\x7f🙂"))))
		ms := rapid.OneOf(
			rapid.Map(rapid.Int64Range(0, int64(30*24*time.Hour)), func(n int64) float64 { return text.Milliseconds(time.Duration(n)) }),
			rapid.Map(rapid.Float64Range(-1e30, 1e30), func(f float64) float64 { return f + 0 }), // no time is -0
			rapid.SampledFrom([]float64{0, 1e-7, 1e21, math.MaxFloat64, 0.1, 1}),
		)
		l := Line{
			Event: rapid.SampledFrom([]string{"sent", "received", "setup", "move", "illegal"}).Draw(t, "event"),
			T:     ms.Draw(t, "t"), Side: rapid.IntRange(0, 2).Draw(t, "side"), Ply: rapid.IntRange(0, 3000).Draw(t, "ply"),
			Heard: rapid.SampledFrom([]referee.Heard{"", referee.HeardCut}).Draw(t, "heard"),
			SetUp: words.Draw(t, "setup"), Move: words.Draw(t, "move"), Took: ms.Draw(t, "took"), Starved: ms.Draw(t, "starved"),
			Drawn: rapid.Bool().Draw(t, "drawn"), Comment: words.Draw(t, "comment"), Why: words.Draw(t, "why"),
			Args: rapid.SampledFrom([][]string{nil, {"a", "b"}}).Draw(t, "arguments"),
		}
		said := words.Draw(t, "text")
		var want bytes.Buffer
		encoder := json.NewEncoder(&want)
		encoder.SetEscapeHTML(false)
		whole := l
		whole.Text = said
		if err := encoder.Encode(whole); err != nil {
			t.Fatal(err)
		}
		if got := l.appendTo([]byte("before "), []byte(said)); string(got) != "before "+want.String() {
			t.Fatalf("wrote %q, want %q", got, want.String())
		}
		if got := whole.appendTo(nil, nil); string(got) != want.String() {
			t.Fatalf("wrote %q, want %q", got, want.String())
		}
	})
}
