package page_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/picture"
	"luzhanqi/referee/record"
	"luzhanqi/serve/film"
	"luzhanqi/serve/page"
)

// each is of how many records of each game pages are made: the shortest.
const each = 6

// records are some of the records that must replay for ever.
func records(t *testing.T) map[string]*record.Replay {
	t.Helper()
	files, err := filepath.Glob("../../referee/record/testdata/schema1/*.jsonl.gz")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d records: %v", len(files), err)
	}
	size := func(file string) int64 {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Compare(size(a), size(b)) })
	all, taken := map[string]*record.Replay{}, map[string]int{}
	for _, file := range files {
		g, _, _ := strings.Cut(filepath.Base(file), "-")
		if !strings.Contains(file, "won") && !strings.Contains(file, "drawn") && !strings.Contains(file, "void") || taken[g] >= each {
			continue
		}
		taken[g]++
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		unzipped, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		r, err := record.Read(unzipped, games.Find)
		f.Close()
		if err == nil {
			all[filepath.Base(file)] = r
		}
	}
	return all
}

var foreign = regexp.MustCompile(`(?i)(src|href|action)=["']?(https?:)?//|url\((https?:)?//|@import`)

// Every record can be shown: as a page of its own that asks nobody for anything, and as a picture of its last position.
func TestRecordsAsFiles(t *testing.T) {
	shown := map[string]int{}
	for name, r := range records(t) {
		f, err := film.OfRecord(r, games.Find)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, eyes := range f.Eyes {
			if n := len(f.Frames[eyes]); n != len(r.Positions) {
				t.Errorf("%s: %d frames as %s for %d positions", name, n, eyes, len(r.Positions))
			}
		}
		m := page.Match{Film: f, Ply: f.Last(), Eyes: film.All}
		html, err := m.File()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if found := foreign.Find(html); found != nil {
			t.Errorf("%s: the page asks for %q", name, found)
		}
		svg, err := m.SVG()
		if len(r.Positions) == 0 {
			if err == nil {
				t.Errorf("%s: a picture without a position", name)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		wellFormed(t, name, svg)
		shown[r.Header.Game]++
	}
	for _, g := range games.All {
		if shown[g.Name()] == 0 {
			t.Errorf("no record of %s", g.Name())
		}
	}
}

func wellFormed(t *testing.T, what string, text []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		switch _, err := d.Token(); {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			t.Fatalf("%s: %v in\n%.400s", what, err, text)
		}
	}
}

// A page without scripts has the position, the moves and links to all plies.
func TestPageWithoutScripts(t *testing.T) {
	for name, r := range records(t) {
		f, err := film.OfRecord(r, games.Find)
		if err != nil || f.Last() < 2 {
			continue
		}
		html, err := page.Match{Film: f, Base: "/records/0/x.jsonl", Ply: 1, Eyes: film.Second, Flip: true}.HTML()
		if err != nil {
			t.Fatal(err)
		}
		text := string(html)
		for _, p := range f.Plies {
			if !strings.Contains(text, fmt.Sprintf("ply=%d\" data-ply", p.Number)) && !strings.Contains(text, fmt.Sprintf("ply=%d&amp;", p.Number)) &&
				!strings.Contains(text, fmt.Sprintf("ply=%d\"", p.Number)) {
				t.Fatalf("%s: no link to ply %d", name, p.Number)
			}
		}
		eyes := film.Second
		if !f.Has(eyes) {
			eyes = f.Eyes[0]
		}
		if want := f.Board().Picture(f.Pieces(eyes, 1), picture.Marks{Trace: f.Plies[0].Trace}, true); !strings.Contains(text, want) {
			t.Fatalf("%s: the page does not have the picture of its ply", name)
		}
		if strings.Contains(text, "<style") || regexp.MustCompile(`(?i)\son[a-z]+=|style="`).MatchString(text) {
			t.Fatalf("%s: the policy forbids scripts and styles in the page", name)
		}
	}
}

// Without scripts a page is loaded again while its game is live, it shows the newest ply, and somebody else is to move.
func TestLoadedAgain(t *testing.T) {
	for _, r := range records(t) {
		f, err := film.OfRecord(r, games.Find)
		if err != nil || f.Last() < 2 {
			continue
		}
		over := *f
		f.End = nil
		for what, c := range map[string]struct {
			match page.Match
			again bool
		}{
			"watched":         {page.Match{Film: f, Events: "/events", Ply: f.Last()}, true},
			"the other moves": {page.Match{Film: f, Events: "/events", Ply: f.Last(), Play: &page.Play{Side: 1}}, true},
			"the own turn":    {page.Match{Film: f, Events: "/events", Ply: f.Last(), Play: &page.Play{Side: 1, Turn: true}}, false},
			"an earlier ply":  {page.Match{Film: f, Events: "/events", Ply: 1}, false},
			"over":            {page.Match{Film: &over, Events: "/events", Ply: f.Last()}, false},
			"a record":        {page.Match{Film: f, Ply: f.Last()}, false},
		} {
			c.match.Base, c.match.Eyes = "/games/x", f.Eyes[0]
			html, err := c.match.HTML()
			if err != nil {
				t.Fatal(err)
			}
			if again := strings.Contains(string(html), `<noscript><meta http-equiv="refresh"`); again != c.again {
				t.Errorf("%s: loaded again %v", what, again)
			}
		}
		return
	}
	t.Fatal("no record has two plies")
}

// What a side sees does not depend on what is hidden from it: neither pictures, nor the numbers of faces, nor sentences.
func TestFilmHoldsNoSecret(t *testing.T) {
	g := games.All[0]
	r := rand.New(rand.NewPCG(7, 7))
	for range 5 {
		own := g.RandomSetUp(r)
		var films [2]*film.Film
		var firsts []game.Move
		for i := range films {
			pos, err := g.New(nil, [2]game.SetUp{own, g.RandomSetUp(r)})
			if err != nil {
				t.Fatal(err)
			}
			f := film.New(g, [2]string{"a", "b"}, 0, film.First)
			f.BeginSeen(pos.View(game.First))
			if i == 0 {
				firsts = quiet(pos)
			}
			m := firsts[0]
			next := pos.Play(m)
			f.MoveSeen(game.First, m, next.View(game.First), film.Ply{})
			films[i] = f
		}
		var pages [2][]byte
		for i, f := range films {
			html, err := page.Match{Film: f, Base: "/games/1", Ply: 1}.HTML()
			if err != nil {
				t.Fatal(err)
			}
			pages[i] = html
		}
		if !bytes.Equal(pages[0], pages[1]) {
			t.Fatal("the pages of side 1 differ by what is hidden from it")
		}
	}
}

// quiet are the moves to empty squares.
func quiet(pos game.Position) (all []game.Move) {
	taken := map[int]bool{}
	for _, p := range pos.(game.Pictured).Pieces() {
		taken[p.Square] = true
	}
	for _, m := range pos.Moves(nil) {
		if !taken[int(m.To)] {
			all = append(all, m)
		}
	}
	return all
}

// A game that says nothing of its looks is a plain grid of its drawing.
func TestPlainGrid(t *testing.T) {
	b, pieces := picture.Grid("x.o\n<&\n")
	if len(b.Squares) != 6 || len(pieces) != 5 {
		t.Fatalf("%d squares and %d pieces", len(b.Squares), len(pieces))
	}
	wellFormed(t, "grid", []byte(b.Document(`a "title" & more`, pieces, picture.Marks{Trace: []int{4}}, true)))
}

// Boards look the same from both sides where the game does: turning twice is not turning, and everything stays on the board.
func TestBoardsTurn(t *testing.T) {
	for _, g := range games.All {
		b := g.(game.PicturedGame).Board()
		for n := range b.Squares {
			x, y := b.At(n, true)
			if x < 0 || y < 0 || x > b.Width || y > b.Height {
				t.Errorf("%s: square %d is turned to %d %d", g.Name(), n, x, y)
			}
		}
	}
}
