package main

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi"
)

// Three set-ups are weighed, twice the same, into a book that names how; a book that is none is refused.
func TestWeigh(t *testing.T) {
	dir := t.TempDir()
	book := filepath.Join(dir, "book.txt")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(book, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("# three\n0.5 72LFL873L35241B6B15691243\n0.3 22LFL5B1L627815744B936313\n0.2 LFL174L638675B12B52493123\n")
	var texts [2]string
	for i := range texts {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1 + 2*i)) // what comes does not depend on it
		c := &command{Book: book, Out: filepath.Join(dir, "out.txt"), Games: 8, Nodes: 100, Sure: 40, Seed: 1}
		var said strings.Builder
		if err := c.run(&said); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(c.Out)
		if err != nil {
			t.Fatal(err)
		}
		setUps, err := luzhanqi.SetUpsOf(string(text))
		if err != nil || len(setUps) != 3 || !strings.Contains(string(text), "--book "+book+" --out FILE --games 8 --nodes 100 --sure 40 --seed 1\n") {
			t.Errorf("%v\n%s", err, text)
		}
		if !strings.Contains(said.String(), "8 games with each of 3 set-ups") {
			t.Errorf("%s", said.String())
		}
		texts[i] = string(text)
	}
	if texts[0] != texts[1] {
		t.Errorf("%s\nand then\n%s", texts[0], texts[1])
	}
	good := command{Book: book, Out: filepath.Join(dir, "refused.txt"), Games: 8, Nodes: 1, Sure: 1}
	for want, change := range map[string]func(*command){
		"--games 12":        func(c *command) { c.Games = 12 },
		"--nodes 0":         func(c *command) { c.Nodes = 0 },
		"--sure NaN":        func(c *command) { c.Sure = math.NaN() },
		"no such file":      func(c *command) { c.Book = filepath.Join(dir, "none.txt") },
		"5 pieces":          func(*command) { write("0.5 72LFL\n") },
		"found no set-up":   func(*command) { write("# none\n") },
		"must be a number ": func(*command) { write("-1 72LFL873L35241B6B15691243\n") },
	} {
		c := good
		change(&c)
		if err := c.run(&strings.Builder{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, must tell of %s", err, want)
		}
		if _, err := os.Stat(c.Out); err == nil {
			t.Errorf("%s: a book was written", want)
		}
	}
}

// The front is looked at from the flag's side, and the line through the scores says what it is worth.
func TestFront(t *testing.T) {
	setUps, err := luzhanqi.SetUpsOf("1 LFL353L5B31862447B2267119\n1 52LFL731L74223183B5B66914\n")
	if err != nil {
		t.Fatal(err)
	}
	// 6 stands on A6 and 9 on E6 of the first, 6 and 4 of the second, whose flag is on D1.
	worth := func(letter byte) float64 {
		rank, _ := rules.ParseRank(letter)
		return float64(luzhanqi.Worth(rank)) / 100
	}
	for i, want := range []float64{worth('6') - worth('9'), worth('4') - worth('6')} {
		if got := front(setUps[i]); math.Abs(got-want) > 1e-9 {
			t.Errorf("set-up %d: %v, must be %v", i, got, want)
		}
	}
	l := fit([]float64{-1, 0, 1, 2}, []float64{0.6, 0.7, 0.8, 0.9})
	if math.Abs(l.slope-0.1) > 1e-9 || math.Abs(l.mean-0.75) > 1e-9 || l.err > 1e-6 {
		t.Errorf("%+v", l)
	}
	if w := l.weights([]float64{-1, 0, 1, 2}, 10); math.Abs(w[0]+w[1]+w[2]+w[3]-1) > 1e-9 || math.Abs(w[1]/w[0]-math.E) > 1e-6 || w[3] < w[2] {
		t.Errorf("weights %v", w)
	}
	if l := fit([]float64{1, 1}, []float64{0, 1}); l.slope != 0 {
		t.Errorf("%+v of one front", l)
	}
	if l := fit([]float64{-1, 0, 0, 1}, []float64{0.5, 0.9, 0.1, 0.5}); l.slope != 0 || l.err < 0.1 {
		t.Errorf("%+v of scores that do not depend on it", l)
	}
}
