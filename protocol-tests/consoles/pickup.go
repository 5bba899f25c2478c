package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// pickup is the sloppy one. On a pipe its output stays in a buffer for ever. Every other time the move
// that it prints is not the one that it makes; its board is right. It says nothing about illegal moves
// nor about the end of the game, and draws its own pieces in small letters.
func pickup(t *console) {
	if !t.terminal {
		t.out = &bytes.Buffer{}
	}
	m := match{board: newBoard()}
	answer, ok := t.ask("PICKUP\r\nWho drives first? 1 = you, 2 = me: ")
	if !ok {
		return
	}
	if answer == "2" {
		pickupMoves(t, &m)
	} else {
		t.say("%s", m.pickupPicture())
	}
	for !m.over {
		t.say("From and to? ")
		s, ok := pickupHears(t, &m)
		if !ok {
			return
		}
		if m.make(s, false); !m.over {
			pickupMoves(t, &m)
		}
	}
	for range t.lines {
	}
}

// pickupHears waits for a legal move and says nothing meanwhile.
func pickupHears(t *console, m *match) (step, bool) {
	for line := range t.lines {
		from, to, _ := strings.Cut(line, " ")
		if s, ok := parse(from + to); ok && m.legal(s) {
			return s, true
		}
	}
	return step{}, false
}

func pickupMoves(t *console, m *match) {
	time.Sleep(t.think)
	s := m.choose(t.random)
	m.make(s, true)
	printed := s
	if t.random.IntN(2) == 0 {
		printed.to.rank = (printed.to.rank + 1) % 7
	}
	t.say("MOVE from %v to %v\r\n%s", printed.from, printed.to, m.pickupPicture())
}

func (m *match) pickupPicture() string {
	var s strings.Builder
	for rank := 6; rank >= 0; rank-- {
		fmt.Fprintf(&s, "%d |", rank+1)
		for file, p := range m.board[rank] {
			if file > 0 {
				s.WriteByte('|')
			}
			switch {
			case p.letter == 0:
				s.WriteString(" . ")
			case p.computer():
				fmt.Fprintf(&s, "%c%d ", p.letter+32, p.gas)
			default:
				fmt.Fprintf(&s, "%c%d ", p.letter-32, p.gas)
			}
		}
		s.WriteString("|\r\n")
	}
	return s.String() + "    A   B   C   D   E   F   G   H\r\n"
}
