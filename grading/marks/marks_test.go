package marks

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"luzhanqi/grading/course"
	"luzhanqi/referee"
)

// rubric has an item of each kind.
const rubric = `title = "A course"
game = "jungle"
submissions = "in"
[class]
format = "round-robin"
[[language]]
detect = "bot.py"
run = "python3 bot.py"
[[item]]
kind = "builds"
points = 10
[[item]]
kind = "conformance"
points = 30
[[item]]
kind = "level"
level = "greedy"
games = 4
points = 40
curve = [{ score = 0, marks = 0 }, { score = 0.5, marks = 0.8 }, { score = 1, marks = 1 }]
[[item]]
kind = "time"
points = 20
slow = 0.5
[[item]]
kind = "class"
by = "place"
points = 5
bonus = true
[[item]]
kind = "conformance"
title = "Begins well"
steps = ["found", "starts"]
points = 1
`

func parse(t testing.TB) *course.Course {
	file := filepath.Join(t.TempDir(), "c.toml")
	if err := os.WriteFile(file, []byte(rubric), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := course.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func good() *Evidence {
	games := make([]Game, 4)
	for i := range games {
		games[i] = Game{ID: string(rune('a' + i)), Seat: 1 + i%2, Points: 1, Code: referee.Won, Moves: 20, Slowest: 0.1}
	}
	return &Evidence{
		Name: "ann", Unpack: &Unpack{}, Build: &Build{}, Matches: map[int]*LevelGames{2: {Games: games}},
		Check: &Check{Steps: []Step{{Name: "found", Verdict: "pass"}, {Name: "starts", Verdict: "pass"}, {Name: "moves-legal", Verdict: "pass"}, {Name: "exit-code", Verdict: "pass"}}},
		Place: &Place{Rank: 1, Players: 5, Points: 8, Games: 8, Worse: 4},
	}
}

// TestMarks: what each kind of trouble costs, and why.
func TestMarks(t *testing.T) {
	for _, test := range []struct {
		what   string
		spoil  func(e *Evidence)
		points [6]float64
		reason string // among all reasons
	}{
		{"nothing", func(*Evidence) {}, [6]float64{10, 30, 40, 20, 5, 1}, ""},
		{"not unpacked", func(e *Evidence) { e.Build, e.Unpack.Refused = nil, "is encrypted" }, [6]float64{}, "refused when it was unpacked"},
		{"not built", func(e *Evidence) { e.Build.Failed = "exited with code 1" }, [6]float64{}, "could not be built or started"},
		{"a step failed, another could not be tried", func(e *Evidence) {
			e.Check.Steps[1] = Step{Name: "starts", Title: "it starts", Verdict: "fail", Lost: true, Happened: "it did not"}
			e.Check.Steps[2] = Step{Name: "moves-legal", Verdict: "skip", Lost: true}
		}, [6]float64{10, 15, 40, 20, 5, 0.5}, "1 step could not be tried because others failed: moves-legal."},
		{"a step does not apply, and one informs", func(e *Evidence) {
			e.Check.Steps[2] = Step{Name: "moves-legal", Verdict: "skip"}
			e.Check.Steps[3] = Step{Name: "crlf-messages", Verdict: "pass", Info: true}
		}, [6]float64{10, 30, 40, 20, 5, 1}, ""},
		{"two games drawn", func(e *Evidence) {
			e.Matches[2].Games[0].Points, e.Matches[2].Games[1].Points = 0.5, 0.5
		}, [6]float64{10, 30, 36, 20, 5, 1}, "2 of 4 games against greedy were drawn."},
		{"two games lost by crashes before the first move", func(e *Evidence) {
			for i := range 2 {
				g := &e.Matches[2].Games[i]
				g.Points, g.Own, g.Code, g.Moves = 0, true, referee.Crashed, 0
			}
		}, [6]float64{10, 30, 32, 10, 5, 1}, "2 of 4 games against greedy were lost because your program ended by itself in the middle of the game."},
		{"a crash later on keeps the time", func(e *Evidence) {
			g := &e.Matches[2].Games[0]
			g.Points, g.Own, g.Code = 0, true, referee.Crashed
		}, [6]float64{10, 30, 36, 20, 5, 1}, "1 of 4 games"},
		{"a game lost on time, and a slow one", func(e *Evidence) {
			g := &e.Matches[2].Games[0]
			g.Points, g.Own, g.Code = 0, true, referee.TimedOut
			e.Matches[2].Games[1].Slowest = 0.51
		}, [6]float64{10, 30, 36, 10, 5, 1}, "In 1 of 4 games a move took more than 50 % of its limit."},
		{"resigned", func(e *Evidence) {
			g := &e.Matches[2].Games[0]
			g.Points, g.Own, g.Code, g.Moves = 0, true, referee.Resigned, 0
		}, [6]float64{10, 30, 36, 20, 5, 1}, "because your program resigned."},
		{"in the middle of the class", func(e *Evidence) {
			e.Place = &Place{Rank: 2, Players: 5, Points: 4, Games: 8, Worse: 1, Level: 2, Fouls: 1}
		}, [6]float64{10, 30, 40, 20, 2.5, 1}, "1 program of the 4 others did worse than your program in the class tournament, and 2 as well as it. It lost 1 game"},
		{"no class", func(e *Evidence) { e.Place = nil }, [6]float64{10, 30, 40, 20, 0, 1}, "The class tournament is played when"},
	} {
		e := good()
		test.spoil(e)
		s := Of(parse(t), e)
		var points [6]float64
		sum, reasons := 0.0, ""
		for i, item := range s.Items {
			points[i] = item.Points
			sum += item.Points
			for _, r := range item.Reasons {
				reasons += r.Text + "\n"
			}
		}
		if points != test.points || math.Abs(s.Score-sum) > 1e-9 || s.Max != 101 {
			t.Errorf("%s: %v of %v, in all %v; want %v", test.what, points, s.Max, s.Score, test.points)
		}
		if !strings.Contains(reasons, test.reason) || test.reason == "" && reasons != "" {
			t.Errorf("%s: the reasons are\n%swant %q", test.what, reasons, test.reason)
		}
	}
}

// TestEveryLossHasAReason: whatever happens in games and steps, points are never lost without a reason, never more
// than there are, and the same for the same evidence.
func TestEveryLossHasAReason(t *testing.T) {
	c := parse(t)
	rapid.Check(t, func(t *rapid.T) {
		e := good()
		for i := range e.Matches[2].Games {
			g := &e.Matches[2].Games[i]
			g.Points = rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "points")
			g.Code = rapid.SampledFrom(slices.DeleteFunc(slices.Clone(referee.Codes), func(c referee.Code) bool {
				return byRule(c)
			})).Draw(t, "code")
			g.Own = g.Points == 0 && rapid.Bool().Draw(t, "own")
			g.Moves = rapid.IntRange(0, 3).Draw(t, "moves")
			g.Slowest = rapid.Float64Range(0, 2).Draw(t, "slowest")
		}
		for i := range e.Check.Steps {
			s := &e.Check.Steps[i]
			s.Verdict = rapid.SampledFrom([]string{"pass", "fail", "skip"}).Draw(t, "verdict")
			s.Lost = s.Verdict == "fail" || s.Verdict == "skip" && rapid.Bool().Draw(t, "lost")
		}
		s := Of(c, e)
		for _, i := range s.Items {
			if i.Points < 0 || i.Points > i.Max {
				t.Fatalf("item %s: %v of %v", i.Number, i.Points, i.Max)
			}
			if i.Points < i.Max && len(i.Reasons) == 0 {
				t.Fatalf("item %s: %v of %v for no reason", i.Number, i.Points, i.Max)
			}
			for _, r := range i.Reasons {
				if r.Text == "" || strings.HasSuffix(r.Text, "because .") {
					t.Fatalf("item %s: the reason is %q", i.Number, r.Text)
				}
			}
		}
	})
}

// byRule says whether a game that ends so shows no fault of a program. Courses adjudicate no game.
func byRule(code referee.Code) bool {
	return slices.Contains([]referee.Code{referee.Won, referee.Drawn, referee.Void, referee.AdjudicatedWin, referee.AdjudicatedDraw}, code)
}

// TestCodes: there is a sentence for every way in which a program's own fault ends a game.
func TestCodes(t *testing.T) {
	for _, code := range referee.Codes {
		if _, ok := because[code]; ok == byRule(code) {
			t.Errorf("%s: a sentence: %v", code, ok)
		}
	}
}
