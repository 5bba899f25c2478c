package grading

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/referee"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/standings"
)

// TestAlike: programs of different people that are the same, or play the same games with other files, are pointed out to the
// teacher; marks are those that each would have alone, and no page of a student says it.
func TestAlike(t *testing.T) {
	t.Parallel()
	file, out := describeGames(t, "", "ann=first", "bob=first", "cy=first", "dee=honest"), t.TempDir()
	write(t, filepath.Join(filepath.Dir(file), "submissions/cy/README"), "renamed")
	var said []string
	grade(t, file, out, func(e Event) {
		if e.Event == "look" {
			said = append(said, e.Text)
		}
	})
	page := read(t, filepath.Join(out, "class/index.html"))
	for _, want := range []string{"Worth a look", "<dt>ann, bob</dt><dd>handed in the same files</dd>", "<dt>ann, bob, cy</dt><dd>played all 4 games against staff levels alike"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of the class does not say %q", want)
		}
	}
	if len(said) != 1 || strings.Contains(page, "<dt>dee") || strings.Count(page, "as they were built") != 0 {
		t.Errorf("said were %q", said)
	}
	for _, name := range []string{"ann/index.html", "ann/results.json", "class/public.html"} {
		if text := read(t, filepath.Join(out, name)); strings.Contains(text, "alike") || strings.Contains(text, "same files") {
			t.Errorf("%s says it", name)
		}
	}
}

// TestGifts: who gives all games to one opponent and none to others is pointed out; who gives games to many, or too few are
// known of, is not.
func TestGifts(t *testing.T) {
	class := &classFound{}
	for i := range 4 {
		class.Players = append(class.Players, classPlayer{Name: fmt.Sprintf("p%d", i)})
	}
	add := func(first, second, loser int, code referee.Code) {
		class.Games = append(class.Games, standings.Game{First: first, Second: second, Result: rating.Win})
		class.Endings = append(class.Endings, classEnding{Code: code, Loser: loser, Other: first + second - max(loser, 0), Plies: 12})
	}
	for range 2 {
		add(0, 1, 0, referee.Resigned) // 0 gives to 1 only
		add(0, 2, -1, referee.Won)
		add(0, 3, -1, referee.Won)
		add(1, 2, 2, referee.TimedOut) // 2 gives to all
		add(2, 3, 2, referee.TimedOut)
		add(1, 3, -1, referee.Won)
	}
	notes := gifts(class)
	if len(notes) != 1 || notes[0].Name != "p0, p1" || notes[0].Text != "p0 gave 2 games of the class tournament to p1 by its own fault (resigned after 12 plies, resigned after 12 plies), and 0 of 4 games to all others" {
		t.Errorf("%+v", notes)
	}
	if class.Endings = nil; gifts(class) != nil {
		t.Error("results of an earlier version are judged")
	}
}
