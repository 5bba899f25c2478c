package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"luzhanqi/referee"
)

// Folder is where the records of a match are written, a file for each game.
type Folder struct {
	dir   string
	began time.Time // what the names of all its files begin with
}

// NewFolder makes the folder if there is none, and finds out whether files can be written in it.
func NewFolder(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if err := writable(dir); err != nil {
		return nil, err
	}
	return &Folder{dir, time.Now()}, nil
}

// writableByName finds out whether files can be made in a folder.
func writableByName(dir string) error {
	probe, err := os.CreateTemp(dir, ".probe")
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// Stamp is the time at which a match began, as names of files have it.
func Stamp(began time.Time) string { return began.UTC().Format("20060102T150405.000") }

// Name is what the files of a game of a match are called, without an ending.
func Name(began string, g *referee.Game) string {
	name := fmt.Sprintf("%s-%d-game-%05d", began, g.Seed, g.Number)
	if g.Attempt > 1 {
		name += fmt.Sprintf("-attempt-%d", g.Attempt)
	}
	return name
}

// Begin begins the record of a game. It never overwrites a file.
func (f *Folder) Begin(g *referee.Game) (referee.Recorder, error) {
	name := Name(Stamp(f.began), g)
	path := filepath.Join(f.dir, name+".jsonl")
	for again := 2; ; again++ {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			return &fileWriter{NewWriter(file, g), file}, nil
		}
		if !errors.Is(err, os.ErrExist) {
			return nil, fmt.Errorf("create a record: %w", err)
		}
		path = filepath.Join(f.dir, fmt.Sprintf("%s-%d.jsonl", name, again)) // a match begun in the same instant
	}
}

// fileWriter is the record of one game in a file of its own.
type fileWriter struct {
	*Writer
	file *os.File
}

func (w *fileWriter) Name() string { return w.file.Name() }

func (w *fileWriter) Close() error {
	w.end()
	closing := w.file.Close()
	if err := w.Err(); err != nil {
		return err
	}
	return closing
}

func (w *fileWriter) Discard() {
	w.end()
	w.file.Close()
	os.Remove(w.file.Name())
}
