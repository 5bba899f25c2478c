package report

import (
	"fmt"
	"math"
	"strings"

	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
)

// The members of results.json, by
// https://gradescope-autograders.readthedocs.io/en/latest/specs/ ("Output format").
type scope struct {
	Score            float64        `json:"score"`
	ExecutionTime    float64        `json:"execution_time"` // seconds
	Output           string         `json:"output"`
	OutputFormat     string         `json:"output_format"`
	TestOutputFormat string         `json:"test_output_format"`
	TestNameFormat   string         `json:"test_name_format"`
	Visibility       string         `json:"visibility"`
	StdoutVisibility string         `json:"stdout_visibility"`
	ExtraData        map[string]any `json:"extra_data"`
	Tests            []scopeTest    `json:"tests"`
	Leaderboard      []scopeRank    `json:"leaderboard,omitempty"`
}

type scopeTest struct {
	Score        float64  `json:"score"`
	MaxScore     float64  `json:"max_score"`
	Status       string   `json:"status"` // passed or failed
	Name         string   `json:"name"`
	NameFormat   string   `json:"name_format"`
	Number       string   `json:"number"`
	Output       string   `json:"output"`
	OutputFormat string   `json:"output_format"`
	Tags         []string `json:"tags"`
	Visibility   string   `json:"visibility"`
}

type scopeRank struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Order string  `json:"order"`
}

// Everything is text: in any other format the words of a submission could be taken for markup.
const format = "text"

// gradescope writes results.json.
func gradescope(c *course.Course, s Student) ([]byte, error) {
	g := c.Gradescope
	out := scope{
		Score: s.Sheet.Score, ExecutionTime: math.Round(s.Evidence.Took.Seconds()*1000) / 1000,
		Output:       fmt.Sprintf("%s: %s of %s points.", c.Title, marks.Format(s.Sheet.Score), marks.Format(s.Sheet.Max)),
		OutputFormat: format, TestOutputFormat: format, TestNameFormat: format,
		Visibility: g.Visibility, StdoutVisibility: g.StdoutVisibility,
		ExtraData: map[string]any{"submission": s.Sheet.Name, "game": c.Game.Name(), "seed": c.Seed},
	}
	for _, a := range s.Sheet.Adjustments {
		out.Output += fmt.Sprintf("\n%s: %s.", marks.Signed(a.Points), a.Text)
	}
	if given := s.Evidence.Given().Sentences(); given != "" {
		out.Output += "\n\n" + given
	}
	for _, t := range s.Evidence.Tried(c) {
		out.Output += fmt.Sprintf("\n\nYour program, %s:\n%s", t.When, strings.Join(t.What, "\n"))
	}
	for _, i := range s.Sheet.Items {
		t := scopeTest{
			Score: i.Points, MaxScore: i.Max, Status: "failed", Name: i.Title, NameFormat: format, Number: i.Number,
			Output: explain(i), OutputFormat: format, Tags: []string{string(i.Kind)}, Visibility: g.Visibility,
		}
		if i.Full() {
			t.Status = "passed"
		}
		if i.Bonus { // more than there is to be had, as Gradescope has extra credit
			t.MaxScore = 0
			t.Tags = append(t.Tags, "bonus")
		}
		out.Tests = append(out.Tests, t)
		if g.Leaderboard && (i.Kind == course.Level || i.Kind == course.InClass) {
			out.Leaderboard = append(out.Leaderboard, scopeRank{Name: i.Number + ". " + i.Title, Value: i.Points, Order: "desc"})
		}
	}
	return Indented(out)
}

// explain says in plain text what an item was worth, and why.
func explain(i marks.Item) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s points: %s.\n", marks.Format(i.Points), marks.Format(i.Max), i.Summary)
	for _, r := range i.Reasons {
		fmt.Fprintf(&b, "\n%s\n", r.Text)
		for _, part := range parts(r) {
			if part.Block {
				fmt.Fprintf(&b, "  %s:\n", part.Name)
				for line := range strings.Lines(part.Text) {
					fmt.Fprintf(&b, "    %s\n", strings.TrimRight(line, "\n"))
				}
			} else {
				fmt.Fprintf(&b, "  %s: %s\n", part.Name, part.Text)
			}
		}
		if r.Record != "" {
			fmt.Fprintf(&b, "  Record of the game: %s/%s (luzhanqi replay shows it)\n", Records, r.Record)
		}
	}
	return b.String()
}

// part is one piece of the evidence for a reason.
type part struct {
	Name, Text string
	Block      bool // lines of a program
}

func parts(r marks.Reason) (all []part) {
	add := func(name, text string, block bool) {
		if text != "" {
			all = append(all, part{name, text, block})
		}
	}
	add("What happened", r.Detail, false)
	add("Last lines (> to your program, < from it)", strings.Join(r.Lines, "\n"), true)
	add("Your program", r.Exit, false)
	add("End of its standard error", r.Stderr, true)
	add("What the build wrote", r.Output, true)
	add("See it again", r.Again, false)
	return all
}
