package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

	"luzhanqi/referee/record"
	"luzhanqi/text"
)

const stepKeys = "n next   p previous   + - ten   g G first, last   1 2 0 whose view   q quit"

// step shows one record position by position, on the alternate screen of the terminal.
func (r *replayCommand) step(c *stdio) error {
	switch in := int(os.Stdin.Fd()); {
	case len(r.Files) != 1:
		return usage(fmt.Errorf("--step goes through one record; %d are given", len(r.Files)))
	case !term.IsTerminal(in) || !term.IsTerminal(int(c.out.Fd())):
		return usage(errors.New("--step needs a terminal; --ply N or --board on draw positions without one"))
	}
	replay, err := readRecord(r.Files[0])
	if err != nil {
		return usage(fmt.Errorf("%s: %w", r.Files[0], err))
	}
	plies := len(replay.Positions) - 1
	if plies < 0 {
		return usage(fmt.Errorf("%s has no position; it ends before both set-ups", r.Files[0]))
	}
	ply := 0
	if r.Ply != nil {
		if ply = *r.Ply; ply < 0 || ply > plies {
			return usage(fmt.Errorf("--ply %d: allowed are 0 to %d", ply, plies))
		}
	}
	state, err := term.MakeRaw(int(os.Stdin.Fd()))
	if err != nil {
		return err
	}
	defer term.Restore(int(os.Stdin.Fd()), state)
	fmt.Fprint(c.out, "\x1b[?1049h\x1b[?25l")
	defer fmt.Fprint(c.out, "\x1b[?25h\x1b[?1049l")
	var keys []byte
	for {
		if len(keys) == 0 { // what was typed ahead comes together
			r.screen(c, replay, ply)
			typed := make([]byte, 64)
			n, err := c.in.Read(typed)
			if err != nil {
				return nil
			}
			keys = typed[:n]
		}
		key := firstKey(keys)
		keys = keys[len(key):]
		switch string(key) {
		case "q", "\x03", "\x04", "\x1b":
			return nil
		case "n", " ", "\r", "j", "\x1b[C", "\x1b[B":
			ply++
		case "p", "k", "\x7f", "\x1b[D", "\x1b[A":
			ply--
		case "+", "\x1b[6~":
			ply += 10
		case "-", "\x1b[5~":
			ply -= 10
		case "g", "\x1b[H":
			ply = 0
		case "G", "\x1b[F":
			ply = plies
		case "0", "1", "2":
			r.Side = int(key[0] - '0')
		}
		ply = max(0, min(ply, plies))
	}
}

// firstKey is the first key of what was typed: one byte, or what a terminal sends for an arrow.
func firstKey(typed []byte) []byte {
	if typed[0] != 0x1b || len(typed) < 3 || typed[1] != '[' {
		return typed[:1]
	}
	for n := 2; n < len(typed); n++ {
		if typed[n] >= '@' {
			return typed[:n+1]
		}
	}
	return typed
}

// screen draws one position; lines end in CR LF, since the terminal is raw.
func (r *replayCommand) screen(c *stdio, replay *record.Replay, ply int) {
	lines := []string{text.Shorten(replay.Header.String(), 79)}
	lines = append(lines, strings.Split(r.position(replay, ply, colorful(c.out.File)), "\n")...)
	note := ""
	if ply == len(replay.Positions)-1 {
		if note = "the record breaks off here"; replay.Ending != nil {
			note = replay.Ending.Reason
		}
	}
	lines = append(lines, text.Shorten(note, 79), stepKeys)
	fmt.Fprint(c.out, "\x1b[H\x1b[2J"+strings.Join(lines, "\r\n"))
}
