package courses

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"luzhanqi/grading"
	"luzhanqi/grading/archive"
	"luzhanqi/grading/course"
	"luzhanqi/grading/roster"
	"luzhanqi/text"
)

// Why is what kind of reason there is to take nothing in.
type Why int

// The reasons.
const (
	Unfit  Why = iota // it is no archive, or nobody's
	Large             // it is too large
	Soon              // too soon after the one before
	Full              // there are as many as may be
	Closed            // nothing is taken in
)

// Refusal is why something is not taken in.
type Refusal struct {
	Why
	Text string
}

func (r *Refusal) Error() string { return r.Text }

func refuse(why Why, format string, args ...any) error {
	return &Refusal{why, fmt.Sprintf(format, args...)}
}

const (
	unfinished = ".upload-"      // begins the names of files that are coming; entries that begin with a dot are no submissions
	maxUpload  = 5 * time.Minute // that an upload may take
	maxEntries = 4900            // of the folder of submissions; the grader reads 5,000
	attemptAt  = "2006-01-02T150405Z"
)

// MaxUpload is how long an upload may take.
const MaxUpload = maxUpload

// Hand takes in what a student hands in, and returns the name of the submission, which then waits. Its time is that at which all
// of it has come. What waits of the same student is replaced, unless it came in better time.
func (s *Served) Hand(student, file string, from io.Reader) (name string, err error) {
	if why := s.closed(); why != "" {
		return "", refuse(Closed, "%s", why)
	}
	if !s.Hands(student) {
		return "", refuse(Unfit, "nobody hands in as %q: the roster has nobody, or the name cannot be that of a file", student)
	}
	base, ok := archive.Name(filepath.Base(filepath.FromSlash(file)))
	if !ok {
		return "", refuse(Unfit, "the file %q is no archive by its name; allowed are .zip, .tar, .tar.gz and .tgz", text.Shorten(file, 100))
	}
	ending := strings.ToLower(filepath.Base(filepath.FromSlash(file))[len(base):])
	end, err := s.begin(student)
	if err != nil {
		return "", err
	}
	defer end()
	kept, err := s.keep(from)
	if err != nil {
		return "", err
	}
	if name, err = s.put(student, ending, kept); err != nil {
		return "", errors.Join(err, os.Remove(kept))
	}
	return name, nil
}

// begin lets one upload of a student begin, if it may.
func (s *Served) begin(student string) (end func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.coming[student] {
		return nil, refuse(Soon, "another upload of yours is on its way")
	}
	handed, err := grading.HandedIn(s.now())
	if err != nil {
		return nil, err
	}
	attempts := 0
	var last time.Time
	for _, h := range handed {
		if h.Base == student {
			attempts++
			if h.At.After(last) {
				last = h.At
			}
		}
	}
	switch left := time.Until(last.Add(s.Rules.Every)); {
	case attempts >= s.Rules.Most:
		return nil, refuse(Full, "you have handed in %s, and may no more", text.Count(attempts, "time"))
	case len(handed) >= maxEntries:
		return nil, refuse(Full, "the course has %s, and takes no more; tell your teacher", text.Count(len(handed), "submission"))
	case left > 0:
		return nil, refuse(Soon, "you may hand in every %v; wait %v more", s.Rules.Every, left.Round(time.Second)+time.Second)
	}
	s.coming[student] = true
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.coming, student)
	}, nil
}

// keep writes what comes into a file of its own, which is on the disk when it returns.
func (s *Served) keep(from io.Reader) (path string, err error) {
	file, err := os.CreateTemp(s.folder, unfinished+"*")
	if err != nil {
		return "", err
	}
	read := &source{from: from}
	n, err := io.Copy(file, io.LimitReader(read, s.Rules.Bytes+1))
	switch {
	case read.err != nil:
		err = refuse(Unfit, "the upload broke off after %v", text.Bytes(n))
	case err != nil: // of the disk
	case n > s.Rules.Bytes:
		err = refuse(Large, "the archive has more than %v, which is the most allowed", text.Bytes(s.Rules.Bytes))
	case n == 0:
		err = refuse(Unfit, "the archive is empty")
	default:
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), nil
}

// source remembers what kept it from being read, which is not the disk.
type source struct {
	from io.Reader
	err  error
}

func (s *source) Read(p []byte) (n int, err error) {
	if n, err = s.from.Read(p); err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// put makes a submission of a file.
func (s *Served) put(student, ending, kept string) (name string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.now()
	handed, err := grading.HandedIn(c)
	if err != nil {
		return "", err
	}
	at := time.Now().UTC().Truncate(time.Second)
	names := map[string]bool{}
	for _, h := range handed {
		names[h.Name] = true
	}
	for name = student + "@" + at.Format(attemptAt); names[name]; name = student + "@" + at.Format(attemptAt) {
		at = at.Add(time.Second)
	}
	var before []string
	for _, h := range s.line(handed) {
		if h.Base != student || s.all || filepath.Dir(h.Path) != filepath.Clean(s.folder) {
			continue
		}
		if later(c, student, h.At, at) {
			return "", refuse(Soon, "what you handed in at %s waits, and came in better time than this would: hand this in when that is graded", h.At.Format(time.DateTime+" MST"))
		}
		before = append(before, h.Path)
	}
	if err := os.Rename(kept, filepath.Join(s.folder, name+ending)); err != nil {
		return "", err
	}
	if dir, err := os.Open(s.folder); err == nil { // so that the rename lasts, where folders can be synchronized
		dir.Sync()
		dir.Close()
	}
	for _, path := range before {
		err = errors.Join(err, os.Remove(path))
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
	s.change()
	return name, err
}

// later says whether the second of two times costs more than the first.
func later(c *course.Course, student string, first, second time.Time) bool {
	if c.Late == nil {
		return false
	}
	who := roster.Of(c.Roster, student)
	return c.Late.Of(second, who).Charged > c.Late.Of(first, who).Charged
}
