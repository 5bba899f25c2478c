// Package errlog keeps what programs write to standard error, whole up to a bound: in files, or shown as it comes.
//
// Entry points: [Open] reads what is asked for, [Log.Writer] is for one program in one game.
package errlog

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"luzhanqi/text"
)

// Max is how much of what a program writes in a game is kept in its file.
const Max = 16 << 20

// A Log is where the standard error of programs goes.
type Log struct {
	dir  string
	show io.Writer
	mu   sync.Mutex // guards show
}

// Show is the word for showing it.
const Show = "show"

// Open makes a log of a directory, which is made if there is none, or of the word Show, for which there is a writer.
func Open(where string, show io.Writer) (*Log, error) {
	if where == Show {
		return &Log{show: show}, nil
	}
	if err := os.MkdirAll(where, 0o777); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(where)
	return &Log{dir: dir}, err
}

// Dir is the directory; empty: there is none.
func (l *Log) Dir() string { return l.dir }

// Writer is for one program: label is put before each line that is shown, file is the name without an ending. A file is made when
// there is something to write, and none is written over.
func (l *Log) Writer(label, file string) io.WriteCloser {
	if l.dir == "" {
		return &shown{log: l, label: label}
	}
	return &kept{path: filepath.Join(l.dir, file)}
}

// shown is a program whose lines are shown.
type shown struct {
	log   *Log
	label string
	rest  []byte // a line that has not ended
}

func (s *shown) Write(b []byte) (int, error) {
	s.rest = append(s.rest, b...)
	for {
		line, rest, ok := bytes.Cut(s.rest, []byte("\n"))
		if !ok && len(s.rest) < 4096 {
			return len(b), nil
		}
		if !ok {
			line, rest = s.rest, nil
		}
		s.line(line)
		s.rest = rest
	}
}

func (s *shown) line(line []byte) {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	fmt.Fprintf(s.log.show, "%s: %s\n", s.label, text.Printable(string(bytes.TrimSuffix(line, []byte("\r")))))
}

func (s *shown) Close() error {
	if len(s.rest) > 0 {
		s.line(s.rest)
		s.rest = nil
	}
	return nil
}

// kept is a program whose standard error goes to a file.
type kept struct {
	path string

	mu      sync.Mutex
	file    *os.File
	err     error // the first; nothing is written after it
	written int64
}

func (k *kept) Write(b []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.file == nil && k.err == nil {
		k.file, k.err = create(k.path)
	}
	if k.err != nil || k.written > Max {
		return 0, k.err
	}
	if room := Max - k.written; int64(len(b)) > room { // what is added makes it more than Max
		b = append(bytes.Clone(b[:room]), fmt.Sprintf("\n[… more than %d MiB: the rest is left out]\n", Max>>20)...)
	}
	var n int
	n, k.err = k.file.Write(b)
	k.written += int64(n)
	return n, k.err
}

// create makes a file that is not there yet.
func create(path string) (*os.File, error) {
	name := path
	for again := 2; ; again++ {
		f, err := os.OpenFile(name+".txt", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !os.IsExist(err) {
			return f, err
		}
		name = fmt.Sprintf("%s-%d", path, again)
	}
}

// Close returns the first error of keeping it.
func (k *kept) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.file == nil {
		return k.err
	}
	err := k.file.Close()
	k.file = nil
	if k.err == nil {
		k.err = err
	}
	if k.err == nil {
		k.err = os.ErrClosed // for who still writes
		return nil
	}
	return k.err
}
