package rating

import (
	"strings"
	"testing"
)

func TestParsePairs(t *testing.T) {
	for _, test := range []struct {
		text string
		want Pairs
		err  string // part of it; "": none
	}{
		{"50,287,610,387,73", Pairs{50, 287, 610, 387, 73}, ""},
		{" 0, 0, 1, 0, 0 ", Pairs{0, 0, 1, 0, 0}, ""},
		{"1000000000000,0,0,0,0", Pairs{1e12, 0, 0, 0, 0}, ""},
		{"", Pairs{}, "found 1 counts, must be five"},
		{"1,2,3,4", Pairs{}, "found 4 counts"},
		{"1,2,3,4,5,6", Pairs{}, "found 6 counts"},
		{"1,2,,4,5", Pairs{}, `count ""`},
		{"1,2,-3,4,5", Pairs{}, `count "-3"`},
		{"1,2,+3,4,5", Pairs{}, `count "+3"`},
		{"1,2,3.5,4,5", Pairs{}, `count "3.5"`},
		{"1,2,1e3,4,5", Pairs{}, `count "1e3"`},
		{"1000000000001,0,0,0,0", Pairs{}, "allowed are whole numbers from 0 to 1000000000000"},
		{"99999999999999999999999,0,0,0,0", Pairs{}, "allowed are"},
	} {
		got, err := ParsePairs(test.text)
		if got != test.want || (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%q: %v, %v; want %v, %q", test.text, got, err, test.want, test.err)
		}
	}
}

// FuzzParsePairs: what is read can be written and read again, and judged without a NaN.
func FuzzParsePairs(f *testing.F) {
	for _, text := range []string{"50,287,610,387,73", "0,0,0,0,0", " 1 ,2,3,4,5", "1,2,3", "-1,0,0,0,0", "1e3,0,0,0,0", "0,0,0,0,1000000000000"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePairs(text)
		if err != nil {
			if p != (Pairs{}) {
				t.Fatalf("%v with error %v", p, err)
			}
			return
		}
		if again, err := ParsePairs(p.String()); again != p || err != nil {
			t.Fatalf("%v becomes %v, %v", p, again, err)
		}
		if e := NewEstimate(p); e.Elo.Value != e.Elo.Value || e.Games != 2*p.Total() {
			t.Fatalf("%v: %+v", p, e)
		}
	})
}
