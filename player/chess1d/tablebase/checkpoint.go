package tablebase

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A block is kept in a file of its own, so that a solve that was stopped goes on where it was: a line
// that says what it is, and its values as they are in memory.

func blockPath(dir string, m matchup, draws bool) string {
	return filepath.Join(dir, fmt.Sprintf("%v-nomoves-%s.values", m, nomoves(draws)))
}

func nomoves(draws bool) string {
	if draws {
		return "draw"
	}
	return "loss"
}

func blockHeader(m matchup, draws bool) string {
	return fmt.Sprintf("chess1d values 1: %v nomoves=%s, %d times %d, first to move and second to move\n",
		m, nomoves(draws), perArmy, perArmy)
}

// readBlock returns nil without an error when there is no file. A file that is not what it should be
// is an error: it may be someone's.
func readBlock(dir string, m matchup, draws bool) (*block, error) {
	path := blockPath(dir, m, draws)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	b := new(block)
	body, ok := bytes.CutPrefix(text, []byte(blockHeader(m, draws)))
	if !ok || len(body) != 2*len(b[0]) || bytes.ContainsFunc(body, func(r rune) bool { return !strings.ContainsRune(valueBytes, r) }) {
		return nil, fmt.Errorf("%s is no file of values of this version; remove it to have it solved again", path)
	}
	copy(b[0][:], body)
	copy(b[1][:], body[len(b[0]):])
	return b, nil
}

// writeBlock writes a file that is there either whole or not at all.
func writeBlock(dir string, m matchup, draws bool, b *block) error {
	f, err := os.CreateTemp(dir, ".values-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(append(append([]byte(blockHeader(m, draws)), b[0][:]...), b[1][:]...))
	if err = errors.Join(err, f.Sync(), f.Chmod(0o644), f.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", blockPath(dir, m, draws), err)
	}
	return os.Rename(f.Name(), blockPath(dir, m, draws))
}
