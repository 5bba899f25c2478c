package grading

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"luzhanqi/grading/course"
)

// TestHandingIn: attempts, groups, days late, a curve and corrections come out in the marks, on the pages and in students.csv, and
// another run over the same results gives the same; nothing is played again for them.
func TestHandingIn(t *testing.T) {
	t.Parallel()
	file, out := describeGames(t, "", "ada@1=cheat", "ada@2=first", "red@2026-11-22T0000Z=first", "late@2026-11-30T0000Z=first", "stray=first"), t.TempDir()
	dir := filepath.Dir(file)
	grade(t, file, out, nil)
	plain := markFiles(t, out)
	write(t, filepath.Join(dir, "roster.csv"), "id,name,group,submission,extension,submitted\n1,Ada,,ada,,2026-11-20 10:00\n2,Bob,red,,,\n3,\"=Cy\",red,,,\n4,Late,,late,,\n5,Nobody,,,,\n")
	course1 := read(t, file)
	head := "roster = \"roster.csv\"\n[late]\ndue = \"2026-11-20T23:59:00Z\"\npenalty = 10\nfree_days = 1\ndays = 5\n[attempts]\ncount = \"best\"\n[[correction]]\nsubmission = \"ada@2\"\nitem = 2\npoints = 30\nreason = \"played on another machine\"\n"
	write(t, file, strings.Replace(course1, "[[language]]", head+"[[language]]", 1))
	var done []string
	o := grade(t, file, out, func(e Event) {
		if e.Event == "stage" {
			done = append(done, e.Submission+" "+e.Stage)
		}
	})
	if len(done) > 0 {
		t.Errorf("done again were %q", done)
	}
	by := map[string]float64{}
	for _, s := range o.Sheets {
		by[s.Name] = s.Score
	}
	if by["ada@1"] != 10 || by["ada@2"] <= by["ada@1"] || by["late@2026-11-30T0000Z"] != 0 {
		t.Errorf("the scores are %v", by)
	}
	if full := by["stray"]; by["red@2026-11-22T0000Z"] != full-full/10 {
		t.Errorf("of %v, a day late has %v", full, by["red@2026-11-22T0000Z"])
	}
	book := read(t, filepath.Join(out, "class/students.csv"))
	for _, want := range []string{
		"1,Ada,,ada@2,2,2026-11-20 10:00,0,", "item 2 corrected by hand: played on another machine",
		"2,Bob,red,red@2026-11-22T0000Z,2026-11-22T0000Z,2026-11-22 00:00,2,", "3,'=Cy,red,red@", "4,Late,,late@", "nothing is accepted so late",
		"5,Nobody,,,,,,,60,,,,nothing was handed in", ",,,stray,,,,",
	} {
		if !strings.Contains(book, want) {
			t.Errorf("students.csv has no %q:\n%s", want, book)
		}
	}
	if strings.Contains(book, "ada@1") {
		t.Errorf("students.csv has an attempt that does not count:\n%s", book)
	}
	page := read(t, filepath.Join(out, "class/index.html"))
	for _, want := range []string{"nobody&#39;s in the roster", "another attempt counts", "item 2 by hand, before", "Distribution of marks", "is not known, so that it counts as in time"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of the class does not say %q", want)
		}
	}
	public := read(t, filepath.Join(out, "class/public.html"))
	for _, name := range []string{"ada", "red@", "stray", "Bob", "Cy", "Nobody"} {
		if strings.Contains(public, name) {
			t.Errorf("the public page has the name %s", name)
		}
	}
	if !strings.Contains(public, "(level ") && !strings.Contains(public, "not shut in") {
		t.Error("the public page does not say how far programs were shut in")
	}
	own := read(t, filepath.Join(out, "ada@2/index.html"))
	number := regexp.MustCompile(`number (\d{5})`).FindStringSubmatch(own)
	if number == nil || !strings.Contains(public, number[1]) {
		t.Errorf("the page of ada@2 has number %q, which is to be on the public page", number)
	}
	for _, want := range []string{"Attempt 2.", "in time", "SHA-256", "Graded ", "corrected by hand, before", "played on another machine"} {
		if !strings.Contains(own, want) {
			t.Errorf("the page of ada@2 does not say %q", want)
		}
	}
	if link := regexp.MustCompile(`href="\./(games/level-2-[^"]*\.html)"`).FindStringSubmatch(own); link == nil || !strings.Contains(read(t, filepath.Join(out, "ada@2", link[1])), "How it ended") {
		t.Errorf("the page of ada@2 leads to no board: %q", link)
	}
	before := markFiles(t, out)
	if grade(t, file, out, nil); markFiles(t, out) != before || read(t, filepath.Join(out, "class/public.html")) == "" {
		t.Error("another run gives other marks")
	}
	write(t, file, course1)
	if grade(t, file, out, nil); markFiles(t, out) != plain {
		t.Error("without them, marks are not what they were")
	}
	// A correction of nobody is refused with its place, and one of other content is not applied, which is said.
	wrong := func(text string) error {
		write(t, file, course1+text)
		c, err := course.Load(file)
		if err != nil {
			return err
		}
		_, looked := Look(t.Context(), c, nil)
		_, err = Run(t.Context(), c, Options{Out: out})
		if (looked == nil) != (err == nil) {
			t.Errorf("without executing anything: %v; graded: %v", looked, err)
		}
		return err
	}
	if err := wrong("[[correction]]\nsubmission = \"eve\"\npoints = 3\nreason = \"r\"\n"); err == nil || !strings.Contains(err.Error(), `correction.1.submission: there is no submission "eve" among 5`) {
		t.Errorf("of eve: %v", err)
	}
	if err := wrong("[[correction]]\nsubmission = \"stray\"\npoints = 3\nreason = \"r\"\ndigest = \"00000000\"\n"); err != nil {
		t.Error(err)
	}
	if page := read(t, filepath.Join(out, "class/index.html")); !strings.Contains(page, "is for another content than what was handed in") {
		t.Error("that a correction is not applied is not said")
	}
}

// TestBoardsOfTheClass: who lost in the class tournament can look at the games, again after a run that plays nothing, and does not
// read there who won.
func TestBoardsOfTheClass(t *testing.T) {
	t.Parallel()
	file, out := describeGames(t, "[class]\nformat = \"round-robin\"\ngames = 2\n[[item]]\nkind = \"class\"\npoints = 6\n", "somebody=first", "late=crash"), t.TempDir()
	for range 2 {
		grade(t, file, out, nil)
		own := read(t, filepath.Join(out, "late/index.html"))
		links := regexp.MustCompile(`href="\./(games/class-[^"]*\.html)"`).FindAllStringSubmatch(own, -1)
		if len(links) == 0 || !strings.Contains(own, "Lost in the class tournament") || !strings.Contains(own, "another submission") {
			t.Fatalf("the page leads to %d games of the class tournament", len(links))
		}
		board := read(t, filepath.Join(out, "late", links[0][1]))
		if !strings.Contains(board, "How it ended") || !strings.Contains(board, "of the class tournament") {
			t.Error("the page of the game does not say how it ended")
		}
		if strings.Contains(own+board, "somebody") {
			t.Error("the winner is named")
		}
		if winner := read(t, filepath.Join(out, "somebody/index.html")); strings.Contains(winner, "Lost in the class") {
			t.Error("who has not lost has lost games")
		}
	}
}
