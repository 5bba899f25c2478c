package grading

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"luzhanqi/grading/archive"
	"luzhanqi/grading/course"
	"luzhanqi/grading/roster"
	"luzhanqi/text"
)

// submission is what somebody has handed in.
type submission struct {
	name   string // for people
	folder string // of its results; see folderOf
	path   string
	named  *course.Named // nil: the course does not name it

	base  string    // the name without that of the attempt; the name, if attempts have none
	which string    // the attempt; empty: the only one
	at    time.Time // when it was handed in, by its name; zero: not known from it
	order float64   // of the attempts of a base
	last  bool      // it is the last of them
}

const (
	maxSubmissions = 5000
	maxFolder      = 120 // bytes of the name of a folder for results
)

// find lists the submissions that are graded, in the order of their names.
func find(c *course.Course) (all []submission, err error) {
	if all, err = handedIn(c); err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s holds no submissions", c.Submissions)
	}
	if c.Attempts == course.LastAttempt {
		all = slices.DeleteFunc(all, func(s submission) bool { return !s.last })
	}
	return all, nil
}

// handedIn lists all submissions: the entries of the folder that are not hidden, and those that are named, in the order of
// their names.
func handedIn(c *course.Course) (all []submission, err error) {
	if c.Submissions != "" {
		if all, err = list(c.Submissions); err != nil {
			return nil, err
		}
	}
	for i := range c.Named {
		n := &c.Named[i]
		at := slices.IndexFunc(all, func(s submission) bool { return s.name == n.Name })
		switch {
		case n.Path == "" && at < 0:
			return nil, n.At(c, fmt.Errorf("there is no entry of that name in %s; give its path", c.Submissions))
		case n.Path == "":
			all[at].named = n
			continue
		case at >= 0:
			return nil, n.At(c, fmt.Errorf("%s has an entry of that name too", c.Submissions))
		}
		if _, err := os.Stat(n.Path); err != nil {
			return nil, n.At(c, err)
		}
		all = append(all, submission{name: n.Name, path: n.Path, named: n})
	}
	slices.SortFunc(all, func(a, b submission) int { return strings.Compare(a.name, b.name) })
	for i := range all {
		all[i].folder = folderOf(all[i].name)
	}
	attempts(c, all)
	return all, nil
}

// attempts finds out which submissions are somebody's attempts, and which of these are the last ones.
func attempts(c *course.Course, all []submission) {
	last := map[string]int{}
	for i := range all {
		s := &all[i]
		s.base = s.name
		if c.Attempts != "" || c.Late != nil {
			var ok bool
			if s.base, s.which, s.at, s.order, ok = roster.Attempt(s.name, c.Zone); !ok || c.Attempts == "" {
				s.base = s.name
			}
		}
		if at, there := last[s.base]; !there || all[at].order <= s.order {
			last[s.base] = i
		}
	}
	for _, i := range last {
		all[i].last = true
	}
}

// list is the entries of a folder. An archive is called like its file without the ending, unless there is
// another entry of that name.
func list(folder string) (all []submission, err error) {
	dir, err := os.Open(folder)
	if err != nil {
		return nil, fmt.Errorf("the folder of submissions: %w", err)
	}
	defer dir.Close()
	entries, err := dir.ReadDir(maxSubmissions + 1)
	if len(entries) > maxSubmissions {
		return nil, fmt.Errorf("%s holds more than %d entries, which is the most allowed", folder, maxSubmissions)
	}
	if err != nil && err != io.EOF { // which an empty folder has
		return nil, fmt.Errorf("the folder of submissions: %w", err)
	}
	count := map[string]int{}
	short := func(e os.DirEntry) string {
		if e.IsDir() {
			return e.Name()
		}
		name, _ := archive.Name(e.Name())
		return name
	}
	for _, e := range entries {
		count[short(e)]++
		if short(e) != e.Name() {
			count[e.Name()]++
		}
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		name := short(e)
		if count[name] > 1 {
			name = e.Name()
		}
		all = append(all, submission{name: readable(name), path: filepath.Join(folder, e.Name())})
	}
	return all, nil
}

// readable is a name without bytes that are no text, each of which becomes %XX. Different names stay
// different.
func readable(name string) string {
	return escape(name, func(r rune) bool { return r == '%' || !unicode.IsPrint(r) })
}

// folderOf is the name of a folder for the results of a submission: what some system does not allow in a
// name becomes %XX, so that different submissions have different folders.
func folderOf(name string) string {
	folder := escape(name, func(r rune) bool {
		return r < ' ' || r == 0x7f || strings.ContainsRune(`%/\:*?"<>|`, r)
	})
	first := folder[0]
	if last := len(folder) - 1; folder[last] == '.' || folder[last] == ' ' { // Windows drops them
		folder = folder[:last] + fmt.Sprintf("%%%02X", folder[last])
	}
	if first == '.' || strings.EqualFold(folder, workFolder) || strings.EqualFold(folder, classFolder) {
		folder = fmt.Sprintf("%%%02X", first) + folder[1:]
	}
	if len(folder) > maxFolder {
		folder = text.Prefix(folder, maxFolder) + "~" + digest(name)[:16]
	}
	return folder
}

func escape(text string, strange func(rune) bool) string {
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && n <= 1 || strange(r) {
			for _, c := range []byte(text[:n]) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		} else {
			b.WriteString(text[:n])
		}
		text = text[n:]
	}
	return b.String()
}
