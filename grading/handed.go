package grading

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"luzhanqi/grading/course"
	"luzhanqi/tournament/store"
)

// Handed is something that was handed in.
type Handed struct {
	Name    string
	Path    string // of what was handed in
	Folder  string // of its results, below that of all
	Base    string // who hands in, whatever the attempt
	Attempt string // empty: the only one
	At      time.Time
	Past    bool // it is not graded, since a later attempt counts
}

// HandedIn is all that was handed in, in the order of names. Nothing but the folder of submissions is read.
func HandedIn(c *course.Course) (all []Handed, err error) {
	found, err := handedIn(c)
	for _, s := range found {
		all = append(all, Handed{s.name, s.path, s.folder, s.base, s.which, s.at, c.Attempts == course.LastAttempt && !s.last})
	}
	return all, err
}

// Ends is how often the grader has ended in the middle of a stage of a submission, as far as it is known without the grader's key.
func (h Handed) Ends(out string) int {
	var s struct{ Text state }
	text, err := os.ReadFile(filepath.Join(out, workFolder, stateFolder, h.Folder, stateFile))
	if err != nil || json.Unmarshal(text, &s) != nil {
		return 0
	}
	n := len(s.Text.Ends)
	if s.Text.Begun != nil {
		n++
	}
	return n
}

// Grading says whether somebody grades there.
func Grading(out string) (bool, error) {
	pid, err := store.Holder(filepath.Join(out, workFolder))
	return pid != 0, err
}

// Private says whether a path below a folder of results is the grader's own, which is nobody's to read.
func Private(path string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(filepath.Clean(path)), "/")
	return !filepath.IsLocal(path) || strings.EqualFold(first, workFolder) || strings.HasPrefix(filepath.Base(path), ".")
}
