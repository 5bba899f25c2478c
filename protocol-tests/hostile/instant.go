package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
)

// instant answers from a list as fast as a Go program can: what a benchmark measures is then the referee.
// The first line of the file is the set-up, every other one a move in its own frame; at the end it starts again.
func instant(p *player, name string) func() int {
	return func() int {
		file, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintf(p.stderr, "hostile: instant: %v\n", err)
			return exitUsage
		}
		setUp, list, _ := strings.Cut(strings.TrimSpace(string(file)), "\n")
		var moves [][]byte
		for line := range strings.Lines(list) {
			if line = strings.TrimSpace(line); line != "" {
				moves = append(moves, []byte(line+"\n"))
			}
		}
		if len(moves) == 0 {
			fmt.Fprintf(p.stderr, "hostile: instant: %s: expected a set-up and at least one move, a line each\n", name)
			return exitUsage
		}
		return recite(p.stdin, p.stdout, []byte(strings.TrimSpace(setUp)+"\n"), moves)
	}
}

// recite trusts the referee to write one message a line in canonical spacing.
func recite(in io.Reader, out io.Writer, setUp []byte, moves [][]byte) int {
	var (
		buffer [4096]byte
		filled int
		seat   byte
		next   int
	)
	for {
		n, err := in.Read(buffer[filled:])
		if err != nil {
			return 0
		}
		filled += n
		rest := buffer[:filled]
		for {
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				break
			}
			line := rest[:end]
			rest = rest[end+1:]
			var answer []byte
			switch {
			case len(line) == 6 && line[1] == 'g' && line[4] == seat:
				answer = moves[next]
				if next++; next == len(moves) {
					next = 0
				}
			case len(line) > 6 && line[1] == 'i' && line[2] == 'n':
				seat, next = line[6], 0
				answer = setUp
			}
			if answer != nil {
				if _, err := out.Write(answer); err != nil {
					return 0
				}
			}
		}
		if filled = copy(buffer[:], rest); filled == len(buffer) {
			return exitProtocol
		}
	}
}
