// Package unfinished keeps the games of people that were left in the middle, so that they can go on: a record for each, in
// a folder of the user's, replaced after every move and removed at the end of its game. [Keep] is the observer that does so,
// [Latest] finds the game that was left last, [Read] what is to be played on.
package unfinished

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player/levels"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

// ErrNone: no game was left.
var ErrNone = errors.New("no unfinished game is kept")

// MaxKept is how many games are kept; the oldest go.
const MaxKept = 20

// Folder is where unfinished games are kept: luzhanqi/unfinished in $XDG_STATE_HOME or ~/.local/state; on macOS and
// Windows where programs keep such things there.
func Folder() (string, error) {
	if state := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, "luzhanqi", "unfinished"), nil
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		config, err := os.UserConfigDir()
		return filepath.Join(config, "luzhanqi", "unfinished"), err
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state", "luzhanqi", "unfinished"), err
}

// files are the games that are kept in a folder, the latest first.
func files(folder string) (all []string, err error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".jsonl") { // their names begin with the time
			all = append(all, filepath.Join(folder, e.Name()))
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Compare(b, a) })
	return all, err
}

// Latest is the file of the game that was begun last of those in the folder; an empty name stands for any game.
func Latest(folder, name string) (string, error) {
	all, err := files(folder)
	if err != nil {
		return "", err
	}
	for _, file := range all {
		if name == "" || strings.Contains(filepath.Base(file), "-"+name+"-") {
			return file, nil
		}
	}
	if name != "" {
		return "", fmt.Errorf("%w of %s in %s", ErrNone, name, folder)
	}
	return "", fmt.Errorf("%w in %s", ErrNone, folder)
}

// Read makes of a record of people's the game, to be played on, and what has been played of it.
func Read(file string) (*referee.Game, referee.Begun, error) {
	var begun referee.Begun
	f, err := os.Open(file)
	if err != nil {
		return nil, begun, err
	}
	defer f.Close()
	r, err := record.Read(f, games.Find)
	if err != nil {
		return nil, begun, fmt.Errorf("%s: %w", file, err)
	}
	conditions, err := r.Header.Conditions(games.Find)
	if err != nil {
		return nil, begun, fmt.Errorf("%s: %w", file, err)
	}
	switch {
	case len(r.Disagreements) > 0:
		return nil, begun, fmt.Errorf("%s: the record and the rules disagree: %s", file, r.Disagreements[0])
	case r.Ending != nil && r.Ending.Code != referee.Void:
		return nil, begun, fmt.Errorf("%s: the game is over: %s", file, r.Ending.Reason)
	case !r.Header.Players[0].Person && !r.Header.Players[1].Person:
		return nil, begun, fmt.Errorf("%s: nobody at a terminal played this game", file)
	}
	g := &referee.Game{Conditions: conditions, Seed: r.Header.Seed, Number: r.Header.Number, Attempt: r.Header.Attempt, Concurrency: 1}
	for side, p := range r.Header.Players {
		g.Entrants[side] = referee.Entrant{Name: p.Name, Person: p.Person}
		if p.Person {
			continue
		}
		level, err := levels.Find(conditions.Game, p.Level)
		if err != nil {
			return nil, begun, fmt.Errorf("%s: %w", file, err)
		}
		g.Entrants[side].Level = &level
		g.Entrants[side].Options.Nodes = p.Nodes
	}
	begun.SetUps = r.SetUps
	for _, line := range r.Moves {
		m, err := conditions.Game.ParseMove(line.Move)
		if err != nil {
			return nil, begun, fmt.Errorf("%s: ply %d: %w", file, line.Ply, err)
		}
		begun.Moves = append(begun.Moves, m)
	}
	return g, begun, nil
}

// Keep is an observer that writes the record into a file after every move, and removes the file when the game has ended by
// more than somebody's leaving.
type Keep struct {
	referee.Observer // the record, which sees everything first
	File             string
	Save             func(file string) error // writes the record so far into a new file
	From             int                     // moves that were played before: until then the file has more than the record
	Err              error                   // the first that kept the game from being kept
	Kept             bool                    // the file holds a game that can go on
}

// Name is the file for a game in a folder, which is made; the oldest games there go if they are too many. started is the
// time in a form that sorts.
func Name(folder string, g game.Game, started string) (string, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	all, err := files(folder)
	if err != nil {
		return "", err
	}
	for _, old := range all[min(len(all), MaxKept-1):] {
		if err := os.Remove(old); err != nil {
			return "", err
		}
	}
	return filepath.Join(folder, fmt.Sprintf("%s-%s-%d.jsonl", started, g.Name(), os.Getpid())), nil
}

func (k *Keep) Moved(before, after game.Position, p referee.Played) {
	k.Observer.Moved(before, after, p)
	if after.Ply() >= k.From {
		k.write()
	}
}

func (k *Keep) Ended(pos game.Position, e *referee.Ending) {
	k.Observer.Ended(pos, e)
	if e.Code == referee.Void {
		if pos != nil && pos.Ply() > 0 && pos.Ply() >= k.From {
			k.write()
		}
		return
	}
	k.Kept = false
	if k.File == "" {
		return
	}
	if err := os.Remove(k.File); err != nil && !errors.Is(err, fs.ErrNotExist) {
		k.note(err)
	}
}

// write replaces the file as a whole: whoever dies meanwhile leaves the old one.
func (k *Keep) write() {
	if k.File == "" { // Err says why
		return
	}
	next := k.File + ".new"
	if err := os.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) {
		k.note(err)
		return
	}
	if err := k.Save(next); err != nil {
		k.note(err)
		return
	}
	if err := os.Rename(next, k.File); err != nil {
		k.note(err)
		return
	}
	k.Kept = true
}

func (k *Keep) note(err error) {
	if k.Err == nil {
		k.Err = err
	}
}
