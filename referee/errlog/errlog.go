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

	mu      sync.Mutex // guards show and what follows
	bounded bool
	room    int64 // bytes that may still be written, if it is bounded
}

// PerFile is what a file takes of the space besides its bytes: a block of most file systems, so that many short ones are bounded too.
const PerFile = 4 << 10

// Bound has all files of the directory together take no more than so much space; those that are there count. What is
// written later is left out: the first games keep theirs.
func (l *Log) Bound(space int64) error {
	if l.dir == "" {
		return nil
	}
	entries, err := os.ReadDir(l.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil { // else it is gone
			space -= info.Size() + PerFile
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bounded, l.room = true, space
	return nil
}

// take takes up to n bytes of the space; besides are those that must be there, too.
func (l *Log) take(n, besides int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.bounded {
		return n
	}
	if n = int(min(int64(n), l.room-int64(besides))); n <= 0 {
		return 0
	}
	l.room -= int64(n + besides)
	return n
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
	return &kept{log: l, path: filepath.Join(l.dir, file)}
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
	log  *Log
	path string

	mu      sync.Mutex
	file    *os.File
	err     error // the first; nothing is written after it
	full    bool  // it says that the rest is left out, or there is no room for it
	written int64
}

func (k *kept) Write(b []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err != nil || k.full {
		return 0, k.err
	}
	besides := 0
	if k.file == nil {
		besides = PerFile
	}
	whole := len(b)
	room := int(min(int64(whole), Max-k.written))
	room = k.log.take(room, besides)
	if k.full = room < whole; room == 0 && k.file == nil {
		return 0, nil
	}
	if k.file == nil {
		if k.file, k.err = create(k.path); k.err != nil {
			return 0, k.err
		}
	}
	if b = b[:room]; k.full {
		why := fmt.Sprintf("more than %d MiB", Max>>20)
		if k.written+int64(room) < Max {
			why = "the space for standard error is used up"
		}
		b = append(bytes.Clone(b), fmt.Sprintf("\n[… %s: the rest is left out]\n", why)...)
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
