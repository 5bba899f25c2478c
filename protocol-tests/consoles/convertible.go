package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// convertible is the colourful one: an escape code before every character. It reads small letters, asks
// again without a word after an illegal move, says that it has won as soon as the person's king has no
// gas, and at the end of its input asks for ever.
func convertible(t *console) {
	t.out = painted{t.out}
	m := match{board: newBoard()}
	answer, ok := t.ask("The Convertible\n\nWill you start? [y/n] ")
	if !ok {
		convertibleFlood(t)
		return
	}
	if answer != "y" {
		convertibleMoves(t, &m)
	}
	for !m.over {
		t.say("%s", m.convertiblePicture())
		line, ok := t.ask("Move: ")
		if !ok {
			convertibleFlood(t)
			return
		}
		s, ok := parse(strings.ToUpper(line))
		if !ok || line != strings.ToLower(line) || !m.legal(s) {
			continue
		}
		if m.make(s, false); !m.over {
			convertibleMoves(t, &m)
		}
	}
	t.say("%sGame over\n", m.convertiblePicture())
	convertibleFlood(t)
}

func convertibleMoves(t *console, m *match) {
	time.Sleep(t.think)
	s := m.choose(t.random)
	m.make(s, true)
	mirrored := step{square{s.from.file, 6 - s.from.rank}, square{s.to.file, 6 - s.to.rank}}
	t.say("%s(%s)\n", strings.ToLower(s.String()), strings.ToLower(mirrored.String()))
	for _, rank := range m.board {
		for _, p := range rank {
			if p.letter == 'k' && p.gas == 0 {
				t.say("Your king is out of gas. Victory is mine!\n")
			}
		}
	}
}

// convertibleFlood asks until nobody listens.
func convertibleFlood(t *console) {
	for range t.lines {
		t.say("Move: ")
	}
	for {
		if _, err := io.WriteString(t.out, strings.Repeat("Move: ", 1000)); err != nil {
			return
		}
	}
}

func (m *match) convertiblePicture() string {
	var s strings.Builder
	for rank := 6; rank >= 0; rank-- {
		for _, p := range m.board[rank] {
			if p.letter == 0 {
				s.WriteString(" .  ")
			} else {
				fmt.Fprintf(&s, "%c:%d ", p.letter, p.gas)
			}
		}
		fmt.Fprintf(&s, " %d\n", rank+1)
	}
	return s.String() + "a   b   c   d   e   f   g   h\n"
}

// painted writes each character in one of six colours.
type painted struct{ out io.Writer }

func (p painted) Write(text []byte) (int, error) {
	var all []byte
	for i, b := range text {
		all = append(all, fmt.Sprintf("\x1b[0;%dm%c", 31+i%6, b)...)
	}
	if _, err := p.out.Write(append(all, "\x1b[0m"...)); err != nil {
		return 0, err
	}
	return len(text), nil
}
