// Package strict reads TOML files that people write: every key must be known, every value be of its kind and
// within its bounds, and an error says where in the file it is, what was found and what is allowed. All
// errors of a file are found at once.
//
// [Parse] reads the text. The methods of [Table] take out one key each, and so say which keys are known; a
// value that is missing or wrong comes out as the default that was asked for. [Document.Err] then tells
// what was wrong, keys that nobody took out included.
package strict

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
)

// maxBytes bounds a file, maxErrors the errors that are reported of it.
const (
	maxBytes  = 2 << 20
	maxErrors = 20
)

// Document is a file that was parsed.
type Document struct {
	file   string
	text   []byte
	at     map[string]int // offset of each key, by its path
	root   *Table
	tables map[string]*Table // that were taken out, by path
	found  []finding
}

// Error is a mistake at one place.
type Error struct {
	File         string
	Line, Column int    // from 1, the column in characters; zero: not known
	Key          string // such as player.2.command; empty: the file as a whole
	Err          error
}

// Error names the place like a compiler, so that editors find it.
func (e *Error) Error() string {
	place := e.File
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	}
	if e.Key == "" {
		return fmt.Sprintf("%s: %v", place, e.Err)
	}
	return fmt.Sprintf("%s: %s: %v", place, e.Key, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// finding is an error that is not reported yet.
type finding struct {
	path   string
	offset int // of the place; negative: not known
	err    error
}

// Load parses a file.
func Load(file string) (*Document, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return nil, err
	} else if info.IsDir() {
		return nil, fmt.Errorf("%s is a directory, not a TOML file", file)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, err
	}
	return Parse(file, text)
}

// Parse parses a text; file names it in errors. An error is an [*Error].
func Parse(file string, text []byte) (*Document, error) {
	d := &Document{file: file, text: text, tables: map[string]*Table{}}
	if len(text) > maxBytes {
		return nil, d.whole(fmt.Errorf("longer than the %d bytes that are allowed", maxBytes))
	}
	var wrong *finding
	if d.at, wrong = positions(text); wrong != nil {
		return nil, d.place(*wrong)
	}
	values := map[string]any{}
	if err := toml.Unmarshal(text, &values); err != nil {
		var wrong *toml.DecodeError
		if !errors.As(err, &wrong) {
			return nil, d.whole(err)
		}
		line, column := wrong.Position()
		return nil, &Error{file, line, d.characters(line, column), "", errors.New(strings.TrimPrefix(wrong.Error(), "toml: "))}
	}
	d.root = d.table("", values)
	return d, nil
}

func (d *Document) whole(err error) error { return &Error{File: d.file, Err: err} }

// Root is the table that everything is in.
func (d *Document) Root() *Table { return d.root }

// Err says what is wrong, first things first: what the tables were asked for and could not give, what was
// reported with Errorf, and keys that are not known. Nil: nothing.
func (d *Document) Err() error {
	all := slices.Clone(d.found)
	for _, t := range d.tables {
		all = append(all, t.unknown()...)
	}
	return d.inOrder(all)
}

// inOrder joins the errors in the order of the file, at most maxErrors of them.
func (d *Document) inOrder(all []finding) error {
	slices.SortStableFunc(all, func(a, b finding) int { return cmp.Compare(a.offset, b.offset) })
	var listed []error
	for i, f := range all {
		if len(listed) == maxErrors {
			listed = append(listed, fmt.Errorf("%s: and %d errors more", d.file, len(all)-i))
			break
		}
		listed = append(listed, d.place(f))
	}
	return errors.Join(listed...)
}

// Reported says what was reported so far, unknown keys not included.
func (d *Document) Reported() error { return d.inOrder(slices.Clone(d.found)) }

// At is an error at the key with those parts, of which tables in arrays are numbered from 1.
func (d *Document) At(err error, parts ...string) error {
	return d.place(d.find(Join(parts...), err))
}

// find looks up the key with that path, or the nearest table around it that is written down.
func (d *Document) find(path string, err error) finding {
	for known := path; ; {
		if offset, ok := d.at[known]; ok {
			return finding{path, offset, err}
		}
		cut := strings.LastIndex(known, separator)
		if cut < 0 {
			return finding{path, -1, err}
		}
		known = known[:cut]
	}
}

// place turns an offset into line and column.
func (d *Document) place(f finding) *Error {
	e := &Error{File: d.file, Key: short(strings.ReplaceAll(f.path, separator, ".")), Err: f.err}
	if f.offset >= 0 {
		before := d.text[:f.offset]
		e.Line = 1 + bytes.Count(before, []byte("\n"))
		e.Column = 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	}
	return e
}

// characters turns a column in bytes into one in characters.
func (d *Document) characters(line, column int) int {
	rest := d.text
	for range line - 1 {
		_, rest, _ = bytes.Cut(rest, []byte("\n"))
	}
	return 1 + utf8.RuneCount(rest[:min(column-1, len(rest))])
}
