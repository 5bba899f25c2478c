package grading

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
	"luzhanqi/text"
)

// maxSource is how much of a file is read to find out whether it is the program.
const maxSource = 1 << 20

// recognise finds the first language that has a file among those at the top of the submission. Nothing but the names decides,
// so that the digest of a build depends on this language alone, and those of others may change.
func recognise(c *course.Course, names []string) (l course.Language, ok bool) {
	for _, l := range c.Languages {
		if len(l.Fits(names)) > 0 {
			return l, true
		}
	}
	return l, false
}

// building is the digest of all that the built program depends on.
func (w *submissionRun) building(u *marks.Unpack) string {
	var ok bool
	w.language, ok = recognise(w.course, u.Top)
	l, wanted := w.language, []string(nil)
	if l.Name = ""; !ok { // what is written on the page then
		for _, other := range w.course.Languages {
			wanted = append(wanted, other.Detect...)
		}
	}
	var build, run []string
	var built bool
	if w.named != nil {
		build, run, built = w.named.Build, w.named.Run, w.named.Built
	}
	if run != nil && built {
		l, wanted = course.Language{}, nil
		w.language = l
	}
	return digest("build", w.unpacked, l, wanted, build, run, built, w.course.Build, w.course.Read, w.course.Env, w.course.Confine)
}

// commands finds out how the submission in a folder is built and run.
func (w *submissionRun) commands(b *marks.Build, dir string) error {
	built := w.named != nil && w.named.Built
	if w.named != nil {
		b.Command, b.Run = w.named.Build, w.named.Run
	}
	if b.Run != nil && built {
		return nil
	}
	names, err := topNames(dir)
	if err != nil {
		return err
	}
	l := w.language
	if len(l.Fits(names)) == 0 {
		if b.Run == nil {
			b.Failed = unrecognised(w.course, dir)
		}
		return nil
	}
	if !built {
		b.Command = l.Build
	}
	if b.Run == nil {
		b.Run = l.Run
	}
	file, class := "", ""
	if course.Uses(course.PlaceFile, b.Command, b.Run) || course.Uses(course.PlaceClass, b.Command, b.Run) {
		if file, b.Failed, err = program(l, dir, names); err != nil || b.Failed != "" {
			return err
		}
		class = className(dir, file)
	}
	all := l.Fits(names)
	b.Command, b.Run = course.Fill(b.Command, file, all, class), course.Fill(b.Run, file, all, class)
	return nil
}

// topNames are the files in a folder.
func topNames(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// program chooses the file that is the program: one that has a fixed name, the only one, or the only one whose text says so.
func program(l course.Language, dir string, names []string) (file, failed string, err error) {
	fits := l.Fits(names)
	if l.Exact(fits[0]) || len(fits) == 1 {
		return fits[0], "", nil
	}
	var mains []string
	main, err := regexp.Compile(cmp.Or(l.Main, `$^`))
	if err != nil {
		return "", "", err
	}
	for _, name := range fits {
		source, err := beginning(filepath.Join(dir, name))
		if err != nil {
			return "", "", err
		}
		if main.Match(source) {
			mains = append(mains, name)
		}
	}
	if len(mains) == 1 {
		return mains[0], "", nil
	}
	shown := fits[:min(len(fits), 10)]
	return "", text.PrintableLines(fmt.Sprintf("several files could be the program: %s; call the one that is started %s",
		strings.Join(shown, ", "), l.Detect[0])), nil
}

// beginning is the beginning of a file, as far as a file of a program is ever read.
func beginning(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text := make([]byte, maxSource)
	n := 0
	for n < len(text) {
		m, err := f.Read(text[n:])
		if n += m; err != nil {
			break // what cannot be read says nothing
		}
	}
	return text[:n], nil
}

var javaPackage = regexp.MustCompile(`(?m)^\s*package\s+([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)\s*;`)

// className is how Java calls the class in a file.
func className(dir, file string) string {
	name := strings.TrimSuffix(file, path.Ext(file))
	if source, err := beginning(filepath.Join(dir, file)); err == nil {
		if found := javaPackage.FindSubmatch(source); found != nil {
			return string(found[1]) + "." + name
		}
	}
	return name
}

// unrecognised says why no language was found.
func unrecognised(c *course.Course, dir string) string {
	var wanted, there []string
	for _, l := range c.Languages {
		wanted = append(wanted, l.Detect...)
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		there = append(there, e.Name())
	}
	if len(there) > 10 {
		there = append(there[:10], "…")
	}
	return text.PrintableLines(fmt.Sprintf("the language was not recognised: none of %s is at the top of the submission, which holds %s",
		strings.Join(wanted, ", "), cmp.Or(strings.Join(there, ", "), "nothing")))
}
