package opening

import (
	"reflect"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/jungle"
)

func over(pos game.Position) (game.Outcome, bool) { return pos.Outcome() }

// Both games of a pair have one opening, the next pair has another, and a seed always gives the same.
func TestBook(t *testing.T) {
	g := jungle.Game{}
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		t.Fatal(err)
	}
	list, err := Read(strings.NewReader("# two\n\n{\"moves\": [\"0 6 0 5\", \"0 2 0 3\"]}\n{\"moves\": [\"6 6 6 5\"]}\n"), g, rules, over)
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	b := &Book{List: list, Random: 6}
	seen := map[string]bool{}
	for number := 1; number <= 40; number += 2 {
		pair := (number - 1) / 2
		o, err := b.For(g, rules, pair, 7, number, over)
		if err != nil {
			t.Fatal(err)
		}
		again, err := b.For(g, rules, pair, 7, number+1, over)
		if err != nil || !reflect.DeepEqual(o, again) {
			t.Fatalf("pair %d: %v and %v, %v", pair, o, again, err)
		}
		if want := len(list[pair%2].Moves); len(o.Moves) != want+6 || o.Random != 0 || !reflect.DeepEqual(o.Moves[:want], list[pair%2].Moves) {
			t.Errorf("pair %d: %v", pair, o)
		}
		if err := Check(g, rules, o, over); err != nil {
			t.Error(err)
		}
		text := Of(g, o)
		if read, err := text.Opening(g, rules); err != nil || !reflect.DeepEqual(read, o) {
			t.Errorf("%v is written as %v and read as %v, %v", o, text, read, err)
		}
		seen[strings.Join(text.Moves, ";")] = true
	}
	if len(seen) != 20 {
		t.Errorf("%d of 20 openings differ", len(seen))
	}
	if len(list[0].Moves) != 2 || len(list[1].Moves) != 1 {
		t.Errorf("the list was changed: %v", list)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("{\"moves\": [\"0 6 0 5\"]}\n#\n")
	f.Add("{\"random_plies\": 3}")
	f.Fuzz(func(t *testing.T, text string) {
		g := jungle.Game{}
		all, err := Read(strings.NewReader(text), g, nil, over)
		if err == nil && len(all) == 0 {
			t.Fatal("no openings, no error")
		}
		for _, o := range all {
			if err := Check(g, nil, o, over); err != nil {
				t.Fatal(err)
			}
		}
	})
}
