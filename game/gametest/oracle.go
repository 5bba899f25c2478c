// Package gametest is what the tests of several games share.
package gametest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"os"
	"testing"
)

// Lines returns the lines of gzipped files, which must be so many: copies of positions with their
// legal moves from independent programs.
func Lines(tb testing.TB, want int, paths ...string) (lines [][]byte) {
	tb.Helper()
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			tb.Fatal(err)
		}
		defer f.Close()
		unzipped, err := gzip.NewReader(f)
		if err != nil {
			tb.Fatalf("%s: %v", path, err)
		}
		scanner := bufio.NewScanner(unzipped)
		for scanner.Scan() {
			lines = append(lines, bytes.Clone(scanner.Bytes()))
		}
		if err := scanner.Err(); err != nil {
			tb.Fatalf("%s: %v", path, err)
		}
	}
	if len(lines) != want {
		tb.Fatalf("%d lines in %v, want %d", len(lines), paths, want)
	}
	return lines
}
