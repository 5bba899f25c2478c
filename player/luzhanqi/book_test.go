package luzhanqi

import (
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player"
)

// The book is large enough that nobody learns it by heart in a tournament, and no set-up comes so
// often that it pays to prepare for it.
func TestBookIsVaried(t *testing.T) {
	if n := len(setUpBook().setUps); n < 100 {
		t.Errorf("%d set-ups", n)
	}
	seen := map[luzhanqi.SetUp]bool{}
	total := 0.0
	for _, w := range setUpBook().weights {
		total += w
	}
	for i, s := range setUpBook().setUps {
		if seen[s] {
			t.Errorf("%s is there twice", s)
		}
		seen[s] = true
		if share := setUpBook().weights[i] / total; share > 0.1 {
			t.Errorf("%s is drawn with probability %.2f", s, share)
		}
		if mirrored(mirrored(s)) != s {
			t.Errorf("%s is another when mirrored twice", s)
		}
	}
}

// A book that somebody has broken is refused with the line.
func TestReadBookRefuses(t *testing.T) {
	good := strings.SplitN(setUpsText, "\n", 4)[2]
	for text, want := range map[string]string{
		"x" + good[1:]:                       "must be a finite number above zero",
		"-1 " + good[7:]:                     "must be a finite number above zero",
		"Inf " + good[7:]:                    "must be a finite number above zero",
		good[:len(good)-1]:                   "line 1",
		good + "3":                           "line 1",
		"\n" + good[:7] + "X":                "line 2",
		"0.5 " + "1111111111111111111111111": "line 1",
		"# a book without any\n":             "found no set-up",
	} {
		if _, err := ReadBook(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, must contain %q", text, err, want)
		}
	}
}

// What cannot be is said exactly once.
func TestSaysOnceWhatCannotBe(t *testing.T) {
	said := 0
	p := &Searcher{style: Strong, options: player.Options{Nodes: 500, Log: func(string) { said++ }}}
	v := luzhanqi.NewView(game.First, setUpBook().draw(newRand(1)), false)
	for range 3 { // an enemy piece jumps out of nowhere
		v = v.Observe(luzhanqi.Observation{Mover: game.Second, Move: game.Move{From: 32, To: 31}, Result: luzhanqi.Win})
		p.Choose(v, time.Now(), newRand(1))
	}
	e, ok := p.Explain()
	if said != 1 || !ok || e.Trouble == "" {
		t.Errorf("said %d times; explained %v: %q", said, ok, e.Trouble)
	}
}
