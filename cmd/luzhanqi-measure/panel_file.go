package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"luzhanqi/tournament/rating"
)

// panelFile holds the pairs of a run, those of runs before it included.
type panelFile struct {
	path  string // empty: nothing is kept
	file  *os.File
	pairs []playedPair
}

// openPanel reads what is there.
func openPanel(path string) (*panelFile, error) {
	f := &panelFile{path: path}
	return f, f.open()
}

// open reads what is there. Of a line that was not written to its end the pair is played again.
func (f *panelFile) open() error {
	if f.path == "" {
		return nil
	}
	text, err := os.ReadFile(f.path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("--results: %w", err)
	}
	whole := bytes.LastIndexByte(text, '\n') + 1
	lines := bufio.NewScanner(bytes.NewReader(text[:whole]))
	for n := 1; lines.Scan(); n++ {
		var p playedPair
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			return fmt.Errorf("--results %s: line %d: %w", f.path, n, err)
		}
		for _, g := range p.Games {
			if g.Points != 0 && g.Points != 0.5 && g.Points != 1 {
				return fmt.Errorf("--results %s: line %d: %v points: allowed are 0, 0.5 and 1", f.path, n, g.Points)
			}
		}
		if !f.has(p) {
			f.pairs = append(f.pairs, p)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("--results %s: %w", f.path, err)
	}
	if f.file, err = os.OpenFile(f.path, os.O_CREATE|os.O_WRONLY, 0o666); err == nil {
		err = errors.Join(f.file.Truncate(int64(whole)), seekEnd(f.file))
	}
	if err != nil {
		return fmt.Errorf("--results: %w", err)
	}
	return nil
}

func seekEnd(f *os.File) error {
	_, err := f.Seek(0, io.SeekEnd)
	return err
}

func (f *panelFile) close() {
	if f.file != nil {
		f.file.Close()
	}
}

// has says whether a pair has been played.
func (f *panelFile) has(p playedPair) bool {
	return slices.ContainsFunc(f.pairs, func(q playedPair) bool {
		return q.Players == p.Players && q.Seed == p.Seed && q.Pair == p.Pair
	})
}

// play plays both games of a pair by a function, unless the file has them; nil: it has.
func (f *panelFile) play(p playedPair, play func(game int) (playedGame, error)) (*playedPair, error) {
	if f.has(p) {
		return nil, nil
	}
	for n := range p.Games {
		g, err := play(n)
		if err != nil {
			return nil, fmt.Errorf("%s against %s, pair %d, game %d: %w", p.Players[0], p.Players[1], p.Pair, n, err)
		}
		p.Games[n] = g
	}
	return &p, f.add(p)
}

func (f *panelFile) add(p playedPair) error {
	f.pairs = append(f.pairs, p)
	if f.file == nil {
		return nil
	}
	line, err := json.Marshal(p)
	if err == nil {
		_, err = f.file.Write(append(line, '\n'))
	}
	return err
}

// between are the pairs of two players by one seed.
func (f *panelFile) between(first, second string, seed uint64) (pairs []playedPair) {
	for _, p := range f.pairs {
		if p.Players == [2]string{first, second} && p.Seed == seed {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// ratings fits all pairs of the file at once, whoever played them and by whatever seed, and numbers the players.
func (f *panelFile) ratings() (rating.Ratings, map[string]int, error) {
	number := map[string]int{}
	var met []rating.Met
	for _, p := range f.pairs {
		for _, name := range p.Players {
			if _, ok := number[name]; !ok {
				number[name] = len(number)
			}
		}
		for n, g := range p.Games {
			first, second, r := number[p.Players[0]], number[p.Players[1]], g.result()
			if n == 1 {
				first, second, r = second, first, r.Swapped()
			}
			m := rating.Met{First: first, Second: second}
			switch r {
			case rating.Win:
				m.Wins++
			case rating.Draw:
				m.Draws++
			default:
				m.Losses++
			}
			met = append(met, m)
		}
	}
	r, err := rating.Fit(max(len(number), 1), met)
	return r, number, err
}
