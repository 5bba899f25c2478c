// Package gamefile keeps the games of Luzhanqi that something is learned from: small, all of both sides shown, in a file that grows.
package gamefile

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// Game is one game.
type Game struct {
	Number  int       `json:"n"` // within its file
	Players [2]string `json:"players"`
	SetUps  [2]string `json:"setups"`
	Moves   string    `json:"moves"`  // as Luzhanqi names them, with commas between them
	Points  float64   `json:"points"` // of player 1
}

// Armies are the set-ups.
func (g *Game) Armies() (armies [2]luzhanqi.SetUp, err error) {
	for side := range armies {
		if armies[side], err = luzhanqi.ParseSetUp(g.SetUps[side]); err != nil {
			return armies, fmt.Errorf("game %d, player %d: %w", g.Number, side+1, err)
		}
	}
	return armies, nil
}

// Replay calls each with every position but the last one, and the move that was made there.
func (g *Game) Replay(each func(*luzhanqi.Position, game.Move)) (*luzhanqi.Position, error) {
	armies, err := g.Armies()
	if err != nil {
		return nil, err
	}
	p := luzhanqi.NewPosition(armies[0], armies[1], false)
	if g.Moves == "" {
		return p, nil
	}
	for name := range strings.SplitSeq(g.Moves, ",") {
		m, err := luzhanqi.Game{}.ParseMove(name)
		if err == nil {
			err = p.Check(m)
		}
		if err != nil {
			return nil, fmt.Errorf("game %d, ply %d: %w", g.Number, p.Ply(), err)
		}
		each(p, m)
		p = p.Play(m).(*luzhanqi.Position)
	}
	return p, nil
}

// Append adds games to a file: parts that were compressed one by one are a file when they follow each other.
func Append(w io.Writer, all []Game) error {
	if len(all) == 0 {
		return nil
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	e := json.NewEncoder(z)
	for i := range all {
		if err := e.Encode(&all[i]); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Read returns the games of a file by their numbers, in whatever order they were finished.
func Read(path string) (all []Game, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	z, err := gzip.NewReader(bufio.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	d := json.NewDecoder(z)
	for {
		var g Game
		err := d.Decode(&g)
		if err == io.EOF {
			slices.SortFunc(all, func(x, y Game) int { return cmp.Compare(x.Number, y.Number) })
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s, after %d games: %w", path, len(all), err)
		}
		all = append(all, g)
	}
}
