package tournament

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"luzhanqi/tournament/store"
)

// PlayingName is the file beside the results that says which games are being played, for whoever watches.
const PlayingName = "playing.json"

// writeEvery is how often that file is written at most: many games end in less.
const writeEvery = 500 * time.Millisecond

// Begun is a game that is being played.
type Begun struct {
	ID     string    `json:"id"`
	Worker string    `json:"worker"`
	Since  time.Time `json:"since"`
}

// Playing are the games of the tournament in a directory that are being played, the oldest first; pid is the process of this
// machine that runs it, 0 and none if it is not run here.
func Playing(dir string) (all []Begun, pid int, err error) {
	if pid, err = store.Holder(dir); pid == 0 || err != nil {
		return nil, 0, err
	}
	text, err := os.ReadFile(filepath.Join(dir, PlayingName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, pid, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return nil, pid, fmt.Errorf("games that are being played: %w", err)
	}
	return all, pid, nil
}

// notice writes which games are being played. It is for people: what goes wrong with it stops no tournament.
type notice struct {
	file    string
	mu      sync.Mutex
	games   map[string]Begun
	changed chan struct{} // capacity 1
}

func newNotice(dir string) *notice {
	return &notice{file: filepath.Join(dir, PlayingName), games: map[string]Begun{}, changed: make(chan struct{}, 1)}
}

// take takes in what has happened.
func (n *notice) take(e Event) {
	n.mu.Lock()
	switch e.Kind {
	case EventBegun:
		n.games[e.ID] = Begun{e.ID, e.Worker, time.Now().UTC()}
	case EventResult, EventVoid:
		delete(n.games, e.ID)
	}
	n.mu.Unlock()
	select {
	case n.changed <- struct{}{}:
	default:
	}
}

// keep writes the file whenever something has changed, until ctx ends, and takes it away.
func (n *notice) keep(ctx context.Context) {
	defer os.Remove(n.file)
	pause := time.NewTicker(writeEvery)
	defer pause.Stop()
	for {
		select {
		case <-n.changed:
			n.write()
		case <-ctx.Done():
			return
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			return
		}
	}
}

func (n *notice) write() {
	n.mu.Lock()
	all := make([]Begun, 0, len(n.games))
	for _, g := range n.games {
		all = append(all, g)
	}
	n.mu.Unlock()
	slices.SortFunc(all, func(a, b Begun) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.ID, b.ID)) })
	text, err := json.Marshal(all)
	if err != nil {
		return
	}
	part := n.file + ".part"
	if os.WriteFile(part, text, 0o666) != nil || os.Rename(part, n.file) != nil {
		os.Remove(part)
	}
}
