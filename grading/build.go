package grading

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"luzhanqi/grading/archive"
	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
	"luzhanqi/process"
	"luzhanqi/text"
)

// build builds the submission and starts it once. Found is what is wrong with the submission; an error is
// what is wrong with this machine.
func (w *submissionRun) build(ctx context.Context) (*marks.Build, error) {
	dir, err := w.top()
	if err != nil {
		return nil, err
	}
	b := &marks.Build{}
	if w.named != nil {
		b.Command, b.Run = w.named.Build, w.named.Run
	}
	if b.Run == nil || w.named != nil && !w.named.Built {
		l, why, err := w.language(dir)
		if err != nil {
			return nil, err
		}
		if why == "" {
			b.Language = l.Name
			if w.named == nil || !w.named.Built {
				b.Command = l.Build
			}
		}
		if b.Run == nil {
			b.Failed, b.Run = why, l.Run
		}
	}
	if b.Failed != "" {
		return b, nil
	}
	for _, words := range [][]string{b.Command, b.Run} {
		if err := installed(words); err != nil {
			return nil, err
		}
	}
	if len(b.Command) > 0 {
		if err := w.make(ctx, b, dir); err != nil || b.Failed != "" {
			return b, err
		}
	}
	if err := w.start(b, dir); err != nil || b.Failed != "" {
		return b, err
	}
	b.Tree, err = archive.Digest(ctx, w.tree(), treeLimits)
	return b, err
}

// language finds the first one whose file is there.
func (w *submissionRun) language(dir string) (l course.Language, why string, err error) {
	var wanted []string
	for _, l := range w.course.Languages {
		found, err := filepath.Glob(filepath.Join(quoteMeta(dir), l.Detect))
		if err != nil {
			return l, "", err
		}
		if len(found) > 0 {
			return l, "", nil
		}
		wanted = append(wanted, l.Detect)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return l, "", err
	}
	var there []string
	for _, e := range entries {
		there = append(there, e.Name())
	}
	if len(there) > 10 {
		there = append(there[:10], "…")
	}
	why = fmt.Sprintf("the language was not recognised: none of %s is at the top of the submission, which holds %s", strings.Join(wanted, ", "), cmp.Or(strings.Join(there, ", "), "nothing"))
	return l, text.PrintableLines(why), nil
}

// quoteMeta keeps a path from being taken for a pattern.
func quoteMeta(path string) string {
	if os.PathSeparator == '\\' {
		return path // where a backslash quotes nothing
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// installed says whether a program that is named without a path is there: if not, no student can help it.
func installed(words []string) error {
	if len(words) == 0 || filepath.Base(words[0]) != words[0] {
		return nil
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return fmt.Errorf("%q is not installed on this machine: %w", words[0], err)
	}
	return nil
}

// make runs the command that builds.
func (w *submissionRun) make(ctx context.Context, b *marks.Build, dir string) error {
	limits := w.course.Build
	c := process.Command{
		Args: b.Command, Dir: dir, Env: limits.Env, Confine: limits.Confine,
	}
	if err := c.Check(); err != nil { // it comes with the submission
		b.Failed = text.PrintableLines(fmt.Sprintf("the build command cannot be run: %v", err))
		return nil
	}
	result := process.Run(ctx, c, process.RunLimits{Time: limits.Time, Head: maxOutput, Tail: maxOutput})
	if result.Err != nil {
		if ctx.Err() != nil || machineFault(result.Err) {
			return result.Err
		}
		b.Failed = text.PrintableLines(fmt.Sprintf("%s: %v", c, result.Err))
		return nil
	}
	if result.OK() {
		return nil
	}
	result.Exit.Suspected = "" // most builds fail because of what is built, and say so
	b.Failed = text.PrintableLines(fmt.Sprintf("%s %v", c, result.Exit))
	if result.TimedOut {
		b.Failed = text.PrintableLines(fmt.Sprintf("%s took longer than %v and was stopped", c, limits.Time))
	}
	b.Output = text.PrintableLines(result.Stdout.String() + result.Stderr.String())
	return nil
}

// start starts the program once, and ends it.
func (w *submissionRun) start(b *marks.Build, dir string) error {
	c := process.Command{Args: b.Run, Dir: dir, Confine: w.course.Confine}
	if err := c.Check(); err != nil {
		b.Failed = text.PrintableLines(err.Error())
		return nil
	}
	p, err := process.Start(c)
	if err != nil {
		if machineFault(err) {
			return err
		}
		b.Failed = text.PrintableLines(err.Error())
		return nil
	}
	_, err = p.Stop(0)
	return err
}

// machineFault says whether a program did not start because this machine has no room for it.
func machineFault(err error) bool {
	said := err.Error() // the copying of its folder is told in words only
	return process.MachineFault(err) || strings.Contains(said, "no space left") || strings.Contains(said, "quota exceeded")
}

// maxOutput is how much of each end of what a build says is kept: the first error explains the others, and
// the last line says what became of it.
const maxOutput = 3 << 10
