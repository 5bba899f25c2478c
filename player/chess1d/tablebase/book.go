package tablebase

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"luzhanqi/game"
	"luzhanqi/game/chess1d"
)

// movesText is the moves of HardMoves for the set-up of the equilibrium, made by
// luzhanqi solve chess1d --rules nomoves=loss --book moves.gz
//
//go:embed moves.gz
var movesText []byte

var bookMoves = sync.OnceValues(func() (map[chess1d.Board]Known, error) { return ReadMoves(bytes.NewReader(movesText)) })

// BookMove returns the committed move for a position, if there is one. It knows the positions that take
// a solver too long, when its side has set up as FindOpening says and the rule nomoves=loss holds.
func BookMove(b chess1d.Board, mover game.Side) (Known, bool) {
	all, err := bookMoves()
	if err != nil {
		return Known{}, false
	}
	k, ok := all[b.InFrame(mover)]
	if ok && mover == game.Second {
		k.Move = chess1d.TurnMove(k.Move)
	}
	return k, ok
}

// WriteMoves writes known moves, compressed: a line for each, with the board, the move, and + or =.
func WriteMoves(w io.Writer, all []Known) error {
	var lines []string
	for _, k := range all {
		lines = append(lines, fmt.Sprintf("%s%s%c\n", k.Board, chess1d.MoveName(k.Move), valueBytes[k.Value+1]))
	}
	slices.Sort(lines)
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	z.Comment = "made by luzhanqi solve chess1d --rules nomoves=loss --book FILE"
	if _, err := io.WriteString(z, strings.Join(lines, "")); err != nil {
		return err
	}
	return z.Close()
}

// ReadMoves reads what WriteMoves writes, by board.
func ReadMoves(r io.Reader) (map[chess1d.Board]Known, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("book of moves: %w", err)
	}
	all := map[chess1d.Board]Known{}
	lines := bufio.NewScanner(z)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if len(line) != chess1d.Size+3 {
			return nil, fmt.Errorf("book of moves, line %d: %d characters, must be %d", n, len(line), chess1d.Size+3)
		}
		b, err := chess1d.ParseBoard(line[:chess1d.Size])
		if err != nil {
			return nil, fmt.Errorf("book of moves, line %d: %w", n, err)
		}
		m, err := chess1d.Game{}.ParseMove(line[chess1d.Size : chess1d.Size+2])
		if err == nil {
			err = b.Why(game.First, m)
		}
		value := strings.IndexByte(valueBytes, line[chess1d.Size+2])
		if err != nil || value < 0 {
			return nil, fmt.Errorf("book of moves, line %d: %q: %v", n, line, err)
		}
		all[b] = Known{b, m, Value(value - 1)}
	}
	return all, lines.Err()
}
