package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// A line of a script is one of
//
//	< TEXT    the next line on standard input must be TEXT and a newline, byte for byte
//	> TEXT    write TEXT and a newline, in one write
//	>> TEXT   write TEXT
//	! N       exit with status N
//	eof       standard input must end here
//	sleep MS  wait
//	# …       nothing, as an empty line
//
// After the last line the program exits with status 0.
type cues []func(p *player) (done bool, err error)

// script reads the whole file before anything is played: a wrong line is no mistake of the referee.
func script(p *player, name string) func() int {
	return func() int {
		file, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintf(p.stderr, "hostile: script: %v\n", err)
			return exitUsage
		}
		status := 0
		all, err := parseScript(string(file), &status)
		if err != nil {
			fmt.Fprintf(p.stderr, "hostile: script %s: %v\n", name, err)
			return exitUsage
		}
		for _, cue := range all {
			done, err := cue(p)
			if err != nil {
				fmt.Fprintf(p.stderr, "hostile: script %s: %v\n", name, err)
				return exitProtocol
			}
			if done {
				break
			}
		}
		return status
	}
}

// parseScript stores the status of a "! N" that is reached in status.
func parseScript(text string, status *int) (cues, error) {
	var all cues
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		number := i + 1
		verb, rest, _ := strings.Cut(line, " ")
		var cue func(p *player) (bool, error)
		switch verb {
		case "<":
			cue = func(p *player) (bool, error) { return false, expect(p.in, rest+"\n", number) }
		case ">":
			cue = func(p *player) (bool, error) { p.raw(rest + "\n"); return false, nil }
		case ">>":
			cue = func(p *player) (bool, error) { p.raw(rest); return false, nil }
		case "eof":
			cue = func(p *player) (bool, error) { return false, expect(p.in, "", number) }
		case "!", "sleep":
			n, err := strconv.Atoi(rest)
			if err != nil || n < 0 {
				return nil, fmt.Errorf("line %d: expected %s and a number, found %q", number, verb, line)
			}
			if verb == "!" {
				cue = func(*player) (bool, error) { *status = n; return true, nil }
			} else {
				cue = func(*player) (bool, error) { time.Sleep(milliseconds(n)); return false, nil }
			}
		default:
			if line != "" && verb[0] != '#' {
				return nil, fmt.Errorf("line %d: unknown instruction %q", number, line)
			}
			continue
		}
		all = append(all, cue)
	}
	return all, nil
}

// expect reads one line; "" is end of file.
func expect(in *bufio.Reader, want string, number int) error {
	found, err := in.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("line %d: %w", number, err)
	}
	if found == want {
		return nil
	}
	name := func(text string) string {
		if text == "" {
			return "end of file"
		}
		return strconv.Quote(text)
	}
	return fmt.Errorf("line %d: expected %s, found %s", number, name(want), name(found))
}
