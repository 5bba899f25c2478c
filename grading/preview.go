package grading

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"luzhanqi/check"
	"luzhanqi/grading/archive"
	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
	"luzhanqi/text"
)

// Preview is what would be graded, as far as that can be known without executing anything.
type Preview struct {
	Course      *course.Course
	Submissions []Previewed
	Missing     []string // programs that builds and runs name, and that are not on this machine
}

// Previewed is one submission.
type Previewed struct {
	Name     string
	Language string // empty: none was recognised
	File     string // by which it was
	Trouble  string // why it gets no marks for anything
}

// Look reads the submissions of a course, unpacks each into a folder of its own that is removed again, and executes nothing.
func Look(ctx context.Context, c *course.Course, only []string) (*Preview, error) {
	all, err := find(c)
	if err == nil {
		err = errors.Join(known(all, only), corrected(c, all))
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInput, err)
	}
	p := &Preview{Course: c}
	tools := map[string]bool{}
	dir, removeAll, err := check.Folder()
	if err != nil {
		return nil, err
	}
	defer removeAll()
	for _, s := range all {
		if len(only) > 0 && !slices.Contains(only, s.name) {
			continue
		}
		one, commands, err := preview(ctx, c, s, filepath.Join(dir, "submission"))
		if err != nil {
			return nil, err
		}
		p.Submissions = append(p.Submissions, one)
		for _, words := range commands {
			if len(words) > 0 && filepath.Base(words[0]) == words[0] && !tools[words[0]] {
				tools[words[0]] = true
				if _, err := exec.LookPath(words[0]); err != nil {
					p.Missing = append(p.Missing, words[0])
				}
			}
		}
	}
	slices.Sort(p.Missing)
	return p, nil
}

// preview unpacks one submission into dir, which it makes and removes, and says how it would be built.
func preview(ctx context.Context, c *course.Course, s submission, dir string) (one Previewed, commands [][]string, err error) {
	one.Name = s.name
	if err := os.Mkdir(dir, 0o700); err != nil {
		return one, nil, err
	}
	defer remove(dir)
	err = archive.Unpack(ctx, s.path, dir, c.Unpack)
	var refusal *archive.Refusal
	if errors.As(err, &refusal) {
		one.Trouble = text.PrintableLines(refusal.Error())
		return one, nil, nil
	}
	if err != nil {
		return one, nil, err
	}
	top, err := topOf(dir)
	if err != nil {
		return one, nil, err
	}
	names, err := topNames(top)
	if err != nil {
		return one, nil, err
	}
	w := &submissionRun{run: &run{course: c}, submission: s}
	w.building(&marks.Unpack{Top: names})
	b := &marks.Build{}
	if err := w.commands(b, top); err != nil {
		return one, nil, err
	}
	one.Language, one.Trouble = w.language.Name, b.Failed
	if fits := w.language.Fits(names); len(fits) > 0 {
		one.File = fits[0]
	}
	return one, [][]string{b.Command, b.Run}, nil
}

// Write writes it for people, on 80 columns.
func (p *Preview) Write(out io.Writer) {
	c := p.Course
	fmt.Fprintf(out, "%s: %s, %s points\n", c.Title, c.Game.Name(), marks.Format(c.Max()))
	for n, i := range c.Items {
		bonus := ""
		if i.Bonus {
			bonus = " (bonus)"
		}
		fmt.Fprintf(out, "  %2d. %-50s %7s%s\n", n+1, text.Shorten(i.Title, 50), marks.Format(i.Points), bonus)
	}
	width := 10
	for _, s := range p.Submissions {
		width = max(width, min(30, len([]rune(s.Name))))
	}
	count := map[string]int{}
	fmt.Fprintln(out, text.Count(len(p.Submissions), "submission")+":")
	for _, s := range p.Submissions {
		what := s.Language
		if s.File != "" {
			what += ", " + s.File
		}
		switch {
		case s.Trouble != "":
			what = "0 points: " + s.Trouble
		case s.Language == "":
			what = "as the course says"
		}
		if s.Language != "" {
			count[s.Language]++
		}
		lines := text.Wrap(what, max(20, 76-width))
		for i, line := range lines {
			name := ""
			if i == 0 {
				name = text.Shorten(s.Name, 30)
			}
			fmt.Fprintf(out, "  %-*s  %s\n", width, name, line)
		}
	}
	var said []string
	for _, l := range c.Languages {
		if n := count[l.Name]; n > 0 {
			said = append(said, fmt.Sprintf("%d in %s", n, l.Name))
		}
	}
	if len(said) > 0 {
		fmt.Fprintln(out, strings.Join(said, ", ")+".")
	}
	if len(p.Missing) > 0 {
		fmt.Fprintf(out, "Not installed on this machine: %s.\n", strings.Join(p.Missing, ", "))
	}
	fmt.Fprintln(out, "Nothing was executed.")
}
