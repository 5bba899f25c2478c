package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"luzhanqi/player"
	"luzhanqi/player/luzhanqi"
	"luzhanqi/player/luzhanqi/stranger"
)

// fileKinds are the kinds of files by which a player of Luzhanqi can be named, by the ends of their names: what tune has made of a style or
// of a search, and a book by which strong sets up, which train/arrange has made.
var fileKinds = map[string]struct {
	what string
	read func(path string, o player.Options) (player.Player, error)
}{
	".json": {"a style", func(path string, _ player.Options) (player.Player, error) {
		s, err := stranger.ReadFile(path)
		return stranger.New(&s), err
	}},
	".search": {"a search", func(path string, o player.Options) (player.Player, error) {
		s, err := readSearching(path)
		if err != nil {
			return nil, err
		}
		return s.player(o), nil
	}},
	".txt": {"a book", func(path string, o player.Options) (player.Player, error) {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		s := luzhanqi.Strong
		b, err := luzhanqi.ReadBook(string(text))
		if err != nil {
			return nil, err
		}
		s.SetUps = b
		return luzhanqi.NewSearcher(s, o), nil
	}},
}

// fromFile makes the player of a file, after whose name @ and a number of positions may follow; nil if the name is that of no file.
func fromFile(name string, o player.Options) (player.Player, error) {
	path, number := name, ""
	if _, whole := fileKinds[filepath.Ext(name)]; !whole {
		i := strings.LastIndex(name, "@")
		if i < 0 || strings.Contains(name[i:], "%") {
			return nil, nil
		}
		path, number = name[:i], name[i+1:]
	}
	kind, ok := fileKinds[filepath.Ext(path)]
	if !ok {
		return nil, nil
	}
	if path != name {
		n, err := positions(name, number)
		if err != nil {
			return nil, err
		}
		o.Nodes = n
	}
	p, err := kind.read(path, o)
	if err != nil {
		return nil, fmt.Errorf("player %q: must be the file of %s: %w", name, kind.what, err)
	}
	return p, nil
}

// positions reads how many a player may look at.
func positions(name, number string) (int, error) {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("player %q: %q is no number of positions from 1", name, number)
	}
	return n, nil
}
