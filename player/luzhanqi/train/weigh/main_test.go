package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
		c := &command{Book: book, Out: filepath.Join(dir, "out.txt"), Games: 4, Nodes: 300, Sure: 40, Seed: 1}
		var said strings.Builder
		if err := c.run(&said); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(c.Out)
		if err != nil {
			t.Fatal(err)
		}
		setUps, err := luzhanqi.SetUpsOf(string(text))
		if err != nil || len(setUps) != 3 || !strings.Contains(string(text), "--book book.txt --out FILE --games 4 --nodes 300 --sure 40 --seed 1\n") {
			t.Errorf("%v\n%s", err, text)
		}
		if !strings.Contains(said.String(), "4 games with each of 3 set-ups") {
			t.Errorf("%s", said.String())
		}
		texts[i] = string(text)
	}
	if texts[0] != texts[1] {
		t.Errorf("%s\nand then\n%s", texts[0], texts[1])
	}
	write("0.5 72LFL\n")
	for _, c := range []command{{Book: book, Games: 4, Nodes: 1}, {Book: book, Games: 5, Nodes: 1}, {Book: filepath.Join(dir, "none"), Games: 4, Nodes: 1}} {
		if err := c.run(&strings.Builder{}); err == nil {
			t.Errorf("%+v is no error", c)
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
	for i, want := range []float64{float64(luzhanqi.Worth(setUps[0].At(25))-luzhanqi.Worth(setUps[0].At(29))) / 100, -float64(luzhanqi.Worth(setUps[1].At(25))-luzhanqi.Worth(setUps[1].At(29))) / 100} {
		if got := front(setUps[i]); got != want || got == 0 {
			t.Errorf("set-up %d: %v, must be %v", i, got, want)
		}
	}
	l := fit([]float64{-1, 0, 1, 2}, []float64{0.6, 0.7, 0.8, 0.9})
	if math.Abs(l.slope-0.1) > 1e-9 || math.Abs(l.mean-0.75) > 1e-9 || l.err > 1e-6 {
		t.Errorf("%+v", l)
	}
	if l := fit([]float64{1, 1}, []float64{0, 1}); l.slope != 0 {
		t.Errorf("%+v of one front", l)
	}
	if l := fit([]float64{-1, 0, 0, 1}, []float64{0.5, 0.9, 0.1, 0.5}); l.slope != 0 || l.err < 0.1 {
		t.Errorf("%+v of scores that do not depend on it", l)
	}
}
