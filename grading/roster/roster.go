// Package roster knows who takes a course, what is whose, and how late it came.
//
// [Read] reads the list of students, a CSV file as spreadsheets and course systems write it; [Attempt] splits the name of a
// submission; [Late.Of] is the rule for what is late. It reads no other file and asks no clock.
package roster

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"luzhanqi/text"
)

// Student is a line of the roster.
type Student struct {
	ID         string        // that no other has
	Name       string        // for people; empty: none
	Group      string        // empty: works alone
	Submission string        // the name of what is handed in
	Submitted  time.Time     // zero: not known from here
	Extension  time.Duration // behind the time that it is due
	Until      time.Time     // due for this student; zero: as for all
	Free       int           // late days for nothing; -1: as for all
}

const (
	maxFile     = 4 << 20 // bytes
	maxStudents = 5000
	maxField    = 200 // bytes
)

// columns are those that mean something, in the words that course systems use for them.
var columns = map[string]string{
	"id": "id", "student id": "id", "student_id": "id", "sid": "id",
	"name": "name", "student": "name", "full name": "name",
	"group": "group", "team": "group",
	"submission": "submission", "submitted": "submitted", "extension": "extension", "free_days": "free_days", "free days": "free_days",
}

// Read reads a roster. Times without a zone are in that of the course.
func Read(file string, zone *time.Location) ([]Student, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	students, err := Parse(all, zone)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", file, err)
	}
	return students, nil
}

// Parse reads the text of a roster; errors begin with the line.
func Parse(all []byte, zone *time.Location) (students []Student, err error) {
	all = bytes.TrimPrefix(all, []byte("\ufeff"))
	switch {
	case len(all) > maxFile:
		return nil, fmt.Errorf("1: found more than %v; allowed are as many", text.Bytes(maxFile))
	case !utf8.Valid(all):
		return nil, errors.New("1: the text is no UTF-8; let the spreadsheet write “CSV UTF-8”")
	}
	r := csv.NewReader(bytes.NewReader(all))
	r.TrimLeadingSpace = true
	head, _, _ := bytes.Cut(all, []byte("\n"))
	for _, separator := range ";\t" { // spreadsheets write one of these where the comma is in numbers
		if bytes.Count(head, []byte(string(separator))) > bytes.Count(head, []byte{byte(r.Comma)}) {
			r.Comma = separator
		}
	}
	names, err := r.Read()
	if err != nil {
		return nil, said(r, err)
	}
	at := map[string]int{}
	for i, name := range names {
		column := columns[strings.ToLower(strings.TrimSpace(name))]
		if column == "" {
			continue // course systems have many more
		}
		if _, twice := at[column]; twice {
			return nil, fmt.Errorf("1: there are two columns for %s", column)
		}
		at[column] = i
	}
	if _, ok := at["id"]; !ok {
		return nil, fmt.Errorf("1: found the columns %s; one must be id, others may be name, group, submission, submitted, extension and free_days",
			text.Shorten(strings.Join(names, ", "), 200))
	}
	lines := map[string]int{}
	for {
		fields, err := r.Read()
		if err == io.EOF {
			return students, nil
		}
		if err != nil {
			return nil, said(r, err)
		}
		line, _ := r.FieldPos(0)
		s, err := student(func(column string) string {
			if i, ok := at[column]; ok {
				return strings.TrimSpace(fields[i])
			}
			return ""
		}, zone)
		if err == nil && lines[s.ID] > 0 {
			err = fmt.Errorf("id: %q is also in line %d", s.ID, lines[s.ID])
		}
		if err == nil && len(students) == maxStudents {
			err = fmt.Errorf("more than %d students, which are allowed", maxStudents)
		}
		if err != nil {
			return nil, fmt.Errorf("%d: %w", line, err)
		}
		lines[s.ID] = line
		students = append(students, s)
	}
}

// said is an error of the CSV reader with the line first.
func said(r *csv.Reader, err error) error {
	var wrong *csv.ParseError
	switch {
	case errors.As(err, &wrong):
		return fmt.Errorf("%d: %w", wrong.Line, wrong.Err)
	case err == io.EOF:
		return errors.New("1: the file is empty; its first line names the columns")
	}
	return fmt.Errorf("1: %w", err)
}

// student reads a line.
func student(field func(column string) string, zone *time.Location) (s Student, err error) {
	s = Student{ID: field("id"), Name: field("name"), Group: field("group"), Free: -1}
	for column, value := range map[string]string{"id": s.ID, "name": s.Name, "group": s.Group, "submission": field("submission")} {
		if len(value) > maxField || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return s, fmt.Errorf("%s: found %s; allowed are %d bytes without control characters", column, text.Quote(value, 40), maxField)
		}
	}
	if s.ID == "" {
		return s, errors.New("id: it is empty")
	}
	for _, name := range []string{field("submission"), s.Group, s.ID} {
		if s.Submission == "" {
			s.Submission = name
		}
	}
	if word := field("submitted"); word != "" {
		if s.Submitted, err = ParseTime(word, zone); err != nil {
			return s, fmt.Errorf("submitted: %w", err)
		}
	}
	if word := field("extension"); word != "" {
		if s.Extension, err = ParseSpan(word); err != nil {
			if s.Until, err = ParseTime(word, zone); err != nil {
				return s, fmt.Errorf("extension: found %q; allowed are days such as 2d, hours such as 36h, or a time such as 2026-11-27 23:59", text.Shorten(word, 60))
			}
		}
	}
	if word := field("free_days"); word != "" {
		if s.Free, err = strconv.Atoi(word); err != nil || s.Free < 0 || s.Free > maxDays {
			return s, fmt.Errorf("free_days: found %q; allowed are whole numbers from 0 to %d", text.Shorten(word, 60), maxDays)
		}
	}
	return s, nil
}

// layouts are the times that are read: with a zone, and without.
var layouts = []string{time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700", "2006-01-02T150405Z0700", "2006-01-02T1504Z0700"}

var local = []string{"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02T150405", "2006-01-02T1504"}

// ParseTime reads a time; one without a zone is in the given one.
func ParseTime(word string, zone *time.Location) (time.Time, error) {
	for _, layout := range layouts {
		if at, err := time.Parse(layout, word); err == nil {
			return at, nil
		}
	}
	for _, layout := range local {
		if at, err := time.ParseInLocation(layout, word, zone); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("found %q; allowed is a time such as 2026-11-20T23:59:00+01:00 or 2026-11-20 23:59", text.Shorten(word, 60))
}

// ParseSpan reads 2d, 1.5d, 36h or 90m.
func ParseSpan(word string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(word, "d"); ok {
		n, err := strconv.ParseFloat(days, 64)
		if err == nil && n >= 0 && n <= maxDays {
			return time.Duration(n * float64(day)), nil
		}
	} else if d, err := time.ParseDuration(word); err == nil && d >= 0 && d <= maxDays*day {
		return d, nil
	}
	return 0, fmt.Errorf("found %q; allowed are days such as 2d, and hours such as 36h", text.Shorten(word, 60))
}

// Of are the students to whom a submission belongs: one, or the members of a group.
func Of(all []Student, submission string) []Student {
	return slices.DeleteFunc(slices.Clone(all), func(s Student) bool { return s.Submission != submission })
}
