package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
	"luzhanqi/serve/film"
	"luzhanqi/serve/latest"
)

const (
	// ending is what files of records are called.
	ending = ".jsonl"
	// maxRecord bounds a record that is shown: the longest games have a tenth of it.
	maxRecord = 64 << 20
	// listed is how many records are listed, the newest first: what takes no second to look through.
	listed = 100_000
)

// folders are the folders of records that are served. Nothing outside of them can be named.
type folders struct {
	roots []*os.Root
	keep  string // "": no games are kept
	kept  int    // which of the roots that is

	others bool // may read here than who is at this machine

	mu     sync.Mutex
	briefs map[string]brief // by folder and name
	now    map[int]underWay // by folder
	wrote  map[string]bool  // records in the folder that keeps games, by name: of the server's own games
	films  latest.Of[*film.Film]

	thinking chan struct{} // capacity 1: beliefs are computed for one request at a time
	thoughts latest.Of[*film.Beliefs]
}

// brief is what the list says of a record.
type brief struct {
	Folder  int
	Name    string
	Game    string
	Players [2]string
	Reason  string
	Plies   int
	Changed time.Time
	whole   bool // it has its end
	size    int64
	match   match
	number  int // of the game in the match
}

// openFolders opens the folders of records; others: not only who is at this machine may read them.
func openFolders(names []string, keep string, others bool) (*folders, error) {
	f := &folders{keep: keep, others: others, briefs: map[string]brief{}, now: map[int]underWay{}, wrote: map[string]bool{}, thinking: make(chan struct{}, 1)}
	if keep != "" {
		if err := os.MkdirAll(keep, 0o777); err != nil {
			return nil, fmt.Errorf("keep = %q: %w", keep, err)
		}
		if f.kept = slices.Index(names, keep); f.kept < 0 {
			f.kept = len(names)
			names = append(slices.Clip(names), keep)
		}
	}
	for _, name := range names {
		root, err := os.OpenRoot(name)
		if err != nil {
			f.close()
			return nil, fmt.Errorf("records = %q: %w", name, err)
		}
		f.roots = append(f.roots, root)
	}
	return f, nil
}

func (f *folders) close() {
	for _, root := range f.roots {
		root.Close()
	}
}

// list are the records, the newest first, of all folders; withheld is how many more are not shown: they have no end yet, or
// never will, or another game that shares what is hidden has none.
func (f *folders) list() (all []brief, withheld int) {
	for n := range f.roots {
		briefs := f.read(n)
		now := f.look(n, briefs)
		for _, b := range briefs {
			if f.withheld(b, now) != nil {
				withheld++
			} else {
				all = append(all, b)
			}
		}
	}
	slices.SortFunc(all, func(a, b brief) int { return b.Changed.Compare(a.Changed) })
	return all[:min(len(all), listed)], withheld
}

// read are all records of a folder.
func (f *folders) read(folder int) (all []brief) {
	entries, err := fs.ReadDir(f.roots[folder].FS(), ".")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if !servable(e.Name()) {
			continue
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if b, err := f.brief(folder, e.Name(), info); err == nil {
			all = append(all, b)
		}
	}
	f.forget(folder, all)
	return all
}

// forget drops what is remembered of files that a folder has no longer.
func (f *folders) forget(folder int, now []brief) {
	f.mu.Lock()
	defer f.mu.Unlock()
	are := make(map[string]bool, len(now))
	for _, b := range now {
		are[b.Name] = true
	}
	for key, b := range f.briefs {
		if b.Folder == folder && !are[b.Name] {
			delete(f.briefs, key)
		}
	}
}

// servable says whether a file may be a record that is served.
func servable(name string) bool {
	return strings.HasSuffix(name, ending) && !strings.HasPrefix(name, ".")
}

// brief reads the first and the last line of a record.
func (f *folders) brief(folder int, name string, info fs.FileInfo) (brief, error) {
	key := fmt.Sprintf("%d/%s", folder, name)
	f.mu.Lock()
	b, known := f.briefs[key]
	f.mu.Unlock()
	if known && b.size == info.Size() && b.Changed.Equal(info.ModTime()) {
		return b, nil
	}
	file, err := f.roots[folder].Open(name)
	if err != nil {
		return b, err
	}
	defer file.Close()
	b = brief{Folder: folder, Name: name, Changed: info.ModTime(), size: info.Size()}
	var header record.Header
	first, err := bufio.NewReaderSize(io.LimitReader(file, 1<<20), 4<<10).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(first, &header)
	}
	if err != nil || header.Event != "header" {
		return b, errors.New("not a record")
	}
	b.Game, b.Players = header.Game, [2]string{header.Players[0].Name, header.Players[1].Name}
	b.match, b.number = match{header.Game, header.Seed}, header.Number
	tail := make([]byte, min(info.Size(), 256<<10))
	if _, err := file.ReadAt(tail, info.Size()-int64(len(tail))); err != nil && err != io.EOF {
		return b, err
	}
	tail = bytes.TrimRight(tail, "\n")
	var line record.Line
	if json.Unmarshal(tail[bytes.LastIndexByte(tail, '\n')+1:], &line) == nil && line.End != nil {
		b.whole, b.Reason, b.Plies = true, line.End.Reason, line.End.Plies
	}
	f.mu.Lock()
	f.briefs[key] = b
	f.mu.Unlock()
	return b, nil
}

// film is the film of a record.
func (f *folders) film(folder int, name string) (*film.Film, error) {
	key, err := f.whole(folder, name)
	if err != nil {
		return nil, err
	}
	if known, ok := f.films.Find(key); ok {
		return known, nil
	}
	r, err := f.replay(folder, name)
	if err != nil {
		return nil, err
	}
	made, err := film.OfRecord(r, games.Find)
	if err != nil {
		return nil, err
	}
	f.films.Keep(key, made)
	return made, nil
}

// whole says whether a record may be shown, and what it is known by as long as it does not change.
func (f *folders) whole(folder int, name string) (key string, err error) {
	if folder < 0 || folder >= len(f.roots) || !servable(name) || strings.ContainsAny(name, `/\`) {
		return "", fs.ErrNotExist
	}
	info, err := f.roots[folder].Stat(name)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > maxRecord {
		return "", fs.ErrNotExist
	}
	b, err := f.brief(folder, name, info)
	if err != nil {
		return "", err
	}
	if err := f.withheld(b, f.underWay(folder)); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d/%s/%d/%d", folder, name, info.Size(), info.ModTime().UnixNano()), nil
}

// open opens a record that may be shown.
func (f *folders) open(folder int, name string) (*os.File, error) {
	if _, err := f.whole(folder, name); err != nil {
		return nil, err
	}
	return f.roots[folder].Open(name)
}

func (f *folders) replay(folder int, name string) (*record.Replay, error) {
	file, err := f.roots[folder].Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return record.Read(io.LimitReader(file, maxRecord), games.Find)
}

// maxThought is how long beliefs are computed for one request; games of hundreds of plies take a second or two.
const maxThought = 20 * time.Second

// beliefs are those of one side of a record.
func (f *folders) beliefs(ctx context.Context, folder int, name string, side game.Side, opinion bool) (*film.Beliefs, error) {
	key, err := f.whole(folder, name)
	if err != nil {
		return nil, err
	}
	return f.thought(ctx, fmt.Sprintf("%s/%v/%v", key, side, opinion), side, opinion, func() (*record.Replay, error) { return f.replay(folder, name) })
}

// thought are the beliefs of one side of a record that is read if nobody has asked for them lately.
func (f *folders) thought(ctx context.Context, key string, side game.Side, opinion bool, read func() (*record.Replay, error)) (*film.Beliefs, error) {
	select {
	case f.thinking <- struct{}{}:
		defer func() { <-f.thinking }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if known, ok := f.thoughts.Find(key); ok {
		return known, nil
	}
	r, err := read()
	if err != nil {
		return nil, err
	}
	g, err := games.Find(r.Header.Game)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(ctx, maxThought)
	defer stop()
	made, err := film.BeliefsOf(ctx, r, g, side, opinion)
	if err != nil {
		return nil, err
	}
	f.thoughts.Keep(key, made)
	return made, nil
}

// begin begins the record of a game: in memory, so that no folder has one that may not be read yet.
func (f *folders) begin(g *referee.Game) *keeping {
	k := &keeping{Observer: referee.NoObserver{}, folders: f}
	if f.keep == "" {
		return k
	}
	k.Observer = record.NewBuffer(nil, g)
	k.name = record.Name(record.Stamp(time.Now()), g)
	return k
}

// keeping is the record of a game that is being played.
type keeping struct {
	referee.Observer
	folders *folders
	name    string
}

// end writes the record into its folder as a whole, and returns its name; "": it is not kept.
func (k *keeping) end() (string, error) {
	kept, ok := k.Observer.(*record.Buffer)
	if !ok {
		return "", nil
	}
	part, whole := filepath.Join(k.folders.keep, "."+k.name+".part"), filepath.Join(k.folders.keep, k.name+ending)
	if err := kept.Save(part); err != nil {
		return "", fmt.Errorf("keep the record: %w", err)
	}
	k.folders.mu.Lock()
	k.folders.wrote[k.name+ending] = true // before it is there
	k.folders.mu.Unlock()
	if err := os.Rename(part, whole); err != nil {
		return "", fmt.Errorf("keep the record: %w", err)
	}
	return k.name + ending, nil
}
