package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi"
)

const three = "# three\n0.5 72LFL873L35241B6B15691243\n0.3 22LFL5B1L627815744B936313\n0.2 LFL174L638675B12B52493123\n"

func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// Games are played, the same for any number of processors, and a book is made of them, twice the same, which names how.
func TestArrange(t *testing.T) {
	book := written(t, "book.txt", three)
	style, err := os.ReadFile(filepath.Join("..", "..", "stranger", "styles", "tuned.json"))
	if err != nil {
		t.Fatal(err)
	}
	ofFile := written(t, "of-file.json", string(style))
	var games, books [2]string
	for i := range games {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1 + 2*i))
		file, out := filepath.Join(t.TempDir(), "few.games"), filepath.Join(t.TempDir(), "out.txt")
		if err := (&gamesCommand{Book: book, Against: []string{"greedy", "rusher", "tuned", "drawn", ofFile}, Games: 30, Nodes: 60, Seed: 1, Out: file}).Run(); err != nil {
			t.Fatal(err)
		}
		var said strings.Builder
		if err := (&bookCommand{Book: book, Games: []string{file}, Out: out, Sure: 120, Steps: 100, Seed: 1}).Run(&said); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(said.String(), "30 games; of what the others foretell of ") {
			t.Errorf("%s", said.String())
		}
		for path, text := range map[string]*string{file: &games[i], out: &books[i]} {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			*text = strings.ReplaceAll(string(b), file, "FILE")
		}
		made := "arrange book --book " + book + " --games FILE --out FILE --sure 120 --steps 100 --seed 1\n"
		if book, err := luzhanqi.ReadBook(books[i]); err != nil || len(book.SetUps()) != 3 || !strings.Contains(books[i], made) {
			t.Errorf("%v\n%s", err, books[i])
		}
		if !strings.Contains(games[i], "--against greedy,rusher,tuned,drawn,"+ofFile+" --games 30 --nodes 60 --seed 1 --out FILE\n") || strings.Count(games[i], " tuned ") != 6 || strings.Count(games[i], ofFile+" ") != 7 {
			t.Errorf("%s", games[i])
		}
	}
	if games[0] != games[1] || books[0] != books[1] {
		t.Errorf("%s%s\nand then\n%s%s", games[0], books[0], games[1], books[1])
	}
}

func TestArrangeRefuses(t *testing.T) {
	book := written(t, "book.txt", three)
	line := "72LFL873L35241B6B15691243 greedy "
	for want, games := range map[string]string{
		"19 games, must be 20 at least": strings.Repeat(line+"1\n", 19),
		"line 2":                        "# one\n" + line + "2\n",
		"must be from 0 to 1":           line + "NaN\n",
		"must be 25 ranks":              "72LFL greedy 1\n",
		`"x"`:                           line + "x\n",
	} {
		c := bookCommand{Book: book, Games: []string{written(t, "some.games", games)}, Out: filepath.Join(t.TempDir(), "out.txt"), Steps: 1}
		if err := c.Run(&strings.Builder{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, must tell of %s", err, want)
		}
		if _, err := os.Stat(c.Out); err == nil {
			t.Errorf("%s: a book was written", want)
		}
	}
	for want, c := range map[string]*bookCommand{
		"--steps 0":    {Book: book},
		"--sure NaN":   {Book: book, Steps: 1, Sure: math.NaN()},
		"no such file": {Book: book + "x", Steps: 1},
		"5 pieces":     {Book: written(t, "book.txt", "0.5 72LFL\n"), Steps: 1},
	} {
		if err := c.Run(&strings.Builder{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, must tell of %s", err, want)
		}
	}
	for want, c := range map[string]*gamesCommand{
		"--games 0": {Book: book, Nodes: 1},
		"--nodes 0": {Book: book, Games: 1},
		"no such":   {Book: book, Games: 100, Nodes: 1, Against: []string{"nemo.json"}},
		"no blanks": {Book: book, Games: 100, Nodes: 1, Against: []string{"a b.json"}},
		`"nemo"`:    {Book: book, Games: 100, Nodes: 1, Against: []string{"greedy", "nemo"}},
		`--against`: {Book: book, Games: 100, Nodes: 1},
		"--out":     {Book: book, Games: 100, Nodes: 1, Against: []string{"greedy"}, Out: filepath.Join(book+"x", "nowhere")},
	} {
		if c.Out == "" {
			c.Out = filepath.Join(t.TempDir(), "out.games")
		}
		if err := c.Run(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, must tell of %s", err, want)
		}
		if _, err := os.Stat(c.Out); err == nil {
			t.Errorf("%s: games were written", want)
		}
	}
}

// What a rank is worth on a square is found in games that depend on it, whoever they are against, and set-ups that are drawn have it there;
// in games that depend on nothing nothing is found.
func TestFit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const a6 = game.Square(25)
	book, err := readBook(written(t, "book.txt", three))
	if err != nil {
		t.Fatal(err)
	}
	for _, worth := range []float64{0.3, 0} {
		var games []played
		for n := range 3000 {
			g := played{setUp: exchanged(book[n%3], 8, r), against: fmt.Sprint(n % 2)}
			chance := 0.3 + 0.3*float64(n%2)
			if g.setUp.At(a6) == rules.FieldMarshal {
				chance += worth
			}
			if r.Float64() < chance {
				g.points = 1
			}
			games = append(games, g)
		}
		w := fit(games)
		known, held := split(games, 1)
		if len(held) < 230 || len(held) > 370 || len(known)+len(held) != len(games) {
			t.Fatalf("%d games are kept apart of %d, %d are left", len(held), len(games), len(known))
		}
		slope, deviation := fit(known).foretells(held)
		if worth == 0 {
			if math.Abs(slope) > 3*deviation {
				t.Errorf("%v ± %v comes of what is foretold by nothing", slope, deviation)
			}
			if got := w[rules.FieldMarshal&15][a6]; math.Abs(got) > 0.04 {
				t.Errorf("%v of nothing", got)
			}
			continue
		}
		if got := w[rules.FieldMarshal&15][a6]; got < 0.05 || got > 0.3 {
			t.Errorf("worth %v, must be found: 0.3, and less as it is doubted", got)
		}
		if math.Abs(slope-1) > 3*deviation || deviation > 0.6 {
			t.Errorf("%v ± %v comes of what is foretold", slope, deviation)
		}
		there := 0
		for range 50 {
			s := w.draw(book[0], 120, 500, r)
			if s.At(a6) == rules.FieldMarshal {
				there++
			}
			if s.At(1) != rules.Flag {
				t.Fatalf("%v: the flag is elsewhere", s)
			}
		}
		if there < 45 {
			t.Errorf("the field marshal stands there in %d of 50", there)
		}
	}
}

// Set-ups are looked at from the side of the flag, and only what moves is exchanged.
func TestFramed(t *testing.T) {
	book, err := readBook(written(t, "book.txt", "1 52LFL731L74223183B5B66914\n"))
	if err != nil {
		t.Fatal(err)
	}
	s := book[0]
	if s.At(1) != rules.Flag || s.At(25).Letter() != '4' {
		t.Errorf("%v: must be mirrored, 4 on A6", s)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		e := exchanged(s, 3, r)
		for sq := range game.Square(squares) {
			if !s.At(sq).Moves() && e.At(sq) != s.At(sq) {
				t.Errorf("%v and %v", s, e)
			}
		}
	}
}
