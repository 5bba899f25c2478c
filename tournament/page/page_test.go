package page

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/standings"
	"luzhanqi/tournament/thinktime"
)

var update = flag.Bool("update", false, "write testdata anew")

// sample is a tournament of four, one of them with a hostile name and one that lost everything.
func sample(t testing.TB) Tournament {
	names := []string{"hard", `<script>alert("x")</script>`, "中国军棋", "always last\x00\x1b[2J"}
	tally := standings.NewTally(names)
	page := Tournament{
		Title:    "Cup & <friends>",
		Settings: []Setting{{"format", "double round robin"}, {"seed", "42"}, {"time", "100 ms a move, 50 ms grace"}},
	}
	lost := make([]map[string]int, len(names))
	for i := range names {
		lost[i] = map[string]int{}
	}
	for first := range names {
		for second := range names {
			if first == second {
				continue
			}
			g := GameRow{ID: fmt.Sprintf("r%02d-p001-g%d", first+1, second+1), First: names[first], Second: names[second], Plies: 100 + 10*first + second}
			loser := -1
			switch {
			case max(first, second) < 3 && (first+second)%2 == 1:
				g.Result, g.Code, g.Reason = rating.Draw, "drawn", "a configuration occurred for the tenth time"
			case first < second:
				g.Result, g.Code, g.Reason, loser = rating.Win, "won", "flag captured at <F12>", second
			default:
				g.Result, g.Code, g.Reason, loser = rating.Loss, "timeout", "player 1 had not answered after 150 ms", first
			}
			if loser >= 0 {
				lost[loser][g.Code]++
				g.Record = "games/" + g.ID + ".jsonl"
			}
			if err := tally.Add(standings.Game{First: first, Second: second, Result: g.Result, Foul: g.Code == "timeout"}); err != nil {
				t.Fatal(err)
			}
			page.Games = append(page.Games, g)
		}
	}
	if err := tally.Add(standings.Game{Second: 1}); err != nil { // void
		t.Fatal(err)
	}
	var err error
	if page.Table, err = tally.Table(standings.RoundRobin); err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		p := PlayerRow{Name: name, Endings: lost[i]}
		for j := range 12 {
			from := time.Duration(float64(time.Millisecond) * math.Pow(2, float64(j-4)))
			for range (j * (i + 1) * 7) % 23 {
				p.Times.Add(from)
			}
		}
		page.Players = append(page.Players, p)
	}
	page.Players[2].Times = thinktime.Histogram{}
	page.Distinct = rating.Distinct{Games: 12, Distinct: 9}
	return page
}

func write(t testing.TB, page Tournament) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, page); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestGolden compares with testdata/tournament.html; -update writes it anew.
func TestGolden(t *testing.T) {
	got := write(t, sample(t))
	file := filepath.Join("testdata", "tournament.html")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// check reads a page as XML, which is stricter than HTML, and says what is wrong with it: what is not
// well-formed, runs, loads or leads elsewhere, a plot without words, a number that is none.
func check(page string) error {
	allowed := map[string]bool{}
	for name := range strings.FieldsSeq(`html head meta title style body main h1 h2 p div dl dt dd table caption thead tbody tr th td small a
		svg desc g line text path circle rect`) {
		allowed[name] = true
	}
	d := xml.NewDecoder(strings.NewReader(page))
	var open []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			if !allowed[name] {
				return fmt.Errorf("element %q", name)
			}
			if len(open) > 0 && open[len(open)-1] == "svg" && name != "title" && name != "desc" && !strings.Contains(page[:d.InputOffset()], "<desc>") {
				return errors.New("a plot without description")
			}
			for _, a := range token.Attr {
				key, value := a.Name.Local, a.Value
				if strings.HasPrefix(key, "on") || key == "src" || key == "style" || key == "href" && !strings.HasPrefix(value, "games/") {
					return fmt.Errorf("attribute %s=%q of %s", key, value, name)
				}
				if strings.Contains(value, "NaN") || strings.Contains(value, "Inf") {
					return fmt.Errorf("attribute %s=%q of %s", key, value, name)
				}
			}
			open = append(open, name)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if text := string(token); len(open) > 0 && open[len(open)-1] == "style" && (strings.Contains(text, "url(") || strings.Contains(text, "@import")) {
				return errors.New("the stylesheet loads something")
			}
		}
	}
}

// TestSelfContained: the page is well-formed, runs nothing and refers to nothing but its records.
func TestSelfContained(t *testing.T) {
	page := write(t, sample(t))
	if err := check(page); err != nil {
		t.Error(err)
	}
	for _, foreign := range []string{"http:", "https:", "//", "<script", "javascript", "\x00", "\x1b"} {
		if strings.Contains(page, foreign) {
			t.Errorf("the page contains %q", foreign)
		}
	}
	for _, bad := range []string{"<p>", `<script/>`, `<a href="https://x.example/"/>`, `<svg><rect x="NaN"/></svg>`, `<img src="x"/>`, `<style>@import "x"</style>`} {
		if check(bad) == nil {
			t.Errorf("%s passed", bad)
		}
	}
}

// TestBounds: a page of a large tournament is bounded, and says what it leaves out.
func TestBounds(t *testing.T) {
	names := make([]string, 300)
	page := Tournament{Title: "large", Total: 100_000}
	for i := range names {
		names[i] = fmt.Sprint("player ", i)
		p := PlayerRow{Name: names[i], Endings: map[string]int{"won": 1}}
		p.Times.Add(time.Millisecond)
		page.Players = append(page.Players, p)
	}
	tally := standings.NewTally(names)
	for i := range 5000 {
		g := standings.Game{First: i % 300, Second: (i + 1 + i/300) % 300, Result: rating.Loss + rating.Result(i%3)}
		if err := tally.Add(g); err != nil {
			t.Fatal(err)
		}
		page.Games = append(page.Games, GameRow{ID: fmt.Sprint(i), First: names[g.First], Second: names[g.Second], Result: g.Result})
	}
	var err error
	if page.Table, err = tally.Table(standings.RoundRobin); err != nil {
		t.Fatal(err)
	}
	text := write(t, page)
	if err := check(text); err != nil {
		t.Error(err)
	}
	for _, says := range []string{"The first 1000 of 100000 games.", "The first 60 of 300 players.", "The first 200 of 300 players.", "100 more are not shown."} {
		if !strings.Contains(text, says) {
			t.Errorf("the page does not say: %s", says)
		}
	}
	if len(text) > 2<<20 {
		t.Errorf("the page has %d bytes", len(text))
	}
}

func TestRefuses(t *testing.T) {
	if Write(io.Discard, Tournament{}) == nil {
		t.Error("a page without a table was written")
	}
	page := sample(t)
	page.Total = 3
	if Write(io.Discard, page) == nil {
		t.Error("more games were listed than there are")
	}
	empty, err := standings.Compute(nil, nil, standings.RoundRobin)
	if err != nil {
		t.Fatal(err)
	}
	if err := check(write(t, Tournament{Table: empty})); err != nil {
		t.Errorf("an empty tournament: %v", err)
	}
}

// TestAnyText: whatever anybody wrote into names and reasons, and whatever was measured, the pieces are
// well-formed and their numbers are numbers.
func TestAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"</title>", "]]>", "&amp;", "\"'", "<!--", "\xff\xfe"}))
		elo := rapid.OneOf(rapid.Float64Range(-5000, 5000), rapid.Just(0.0))
		var bars []Bar
		for range rapid.IntRange(0, 5).Draw(t, "bars") {
			v := elo.Draw(t, "value")
			low := rapid.SampledFrom([]float64{math.Inf(-1), v - 3000, v - 20, v}).Draw(t, "low")
			high := rapid.SampledFrom([]float64{math.Inf(1), v + 3000, v + 20, v}).Draw(t, "high")
			bars = append(bars, Bar{name.Draw(t, "name"), rating.Interval{Value: v, Low: low, High: high}})
		}
		duration := rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, 1e10), rapid.Just(int64(math.MaxInt64)))
		var times thinktime.Histogram
		for range rapid.IntRange(0, 5).Draw(t, "times") {
			times.Add(time.Duration(duration.Draw(t, "time")))
		}
		player := PlayerRow{Name: name.Draw(t, "name"), Endings: map[string]int{name.Draw(t, "code"): 1}}
		game := GameRow{ID: name.Draw(t, "id"), First: name.Draw(t, "first"), Result: rating.Result(rapid.Uint8().Draw(t, "result")), Reason: name.Draw(t, "reason")}
		for _, piece := range []string{
			string(Ratings(bars)), fmt.Sprint(Histograms([]string{player.Name}, []thinktime.Histogram{times})),
			string(Endings([]PlayerRow{player})), string(Games([]GameRow{game}, 0)),
		} {
			if err := check("<body>" + piece + "</body>"); err != nil {
				t.Fatalf("%v:\n%s", err, piece)
			}
		}
	})
}

// TestNoGames: a rating is a difference, so that players who have met nobody, as who is alone, have none.
func TestNoGames(t *testing.T) {
	for _, names := range [][]string{{"ann"}, {"ann", "bob"}} {
		table, err := standings.NewTally(names).Table(standings.RoundRobin)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(Ratings(Bars(table))); !strings.HasPrefix(got, `<p class="note">The players are not rated.</p>`) || strings.Contains(got, "Elo") {
			t.Errorf("ratings: %q", got)
		}
		if got := string(CrossTable(table)); !strings.HasPrefix(got, `<p class="note">No games.</p>`) || strings.Contains(got, "<table") {
			t.Errorf("cross-table: %q", got)
		}
	}
}

func TestSpan(t *testing.T) {
	for _, test := range []struct {
		times    []time.Duration
		from, to time.Duration
	}{
		{nil, 0, 0},
		{[]time.Duration{5 * time.Microsecond}, time.Microsecond, 10 * time.Microsecond},
		{[]time.Duration{time.Millisecond, 8 * time.Second}, 100 * time.Microsecond, 10 * time.Second},
		{[]time.Duration{1, 1 << 60}, time.Microsecond, 10_000 * time.Second},
	} {
		var h thinktime.Histogram
		for _, d := range test.times {
			h.Add(d)
		}
		if from, to := Span(h); from != test.from || to != test.to {
			t.Errorf("%v: %v to %v, want %v to %v", test.times, from, to, test.from, test.to)
		}
	}
}
