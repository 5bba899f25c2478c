package main

import (
	"fmt"
	"strings"
	"time"
)

// hatchback is the talkative one. It throws away what was typed before its prompt, repeats the person's
// move, names moves that it then does not play, and gives an example move in its prompt.
func hatchback(t *console) {
	t.say("HATCHBACK: GasTank chess, moves such as A3D6\n")
	if answer, ok := t.ask("Colours (y/n)? "); !ok || answer != "n" {
		t.say("This terminal has no colours. Goodbye.\n")
		return
	}
	m := match{board: newBoard()}
	for asking := true; asking; {
		t.forget()
		answer, ok := t.ask("Do you want to play first (1) or second (2)? ")
		if !ok {
			return
		}
		asking = answer != "1" && answer != "2"
		if answer == "2" {
			hatchbackMoves(t, &m)
		}
	}
	t.say("%s", m.hatchbackPicture())
	for !m.over {
		t.forget()
		line, ok := t.ask("Enter your move (e.g. A3D6): ")
		if !ok {
			return
		}
		s, ok := parse(line)
		if !ok || !m.legal(s) {
			t.say("Illegal move!\n")
			continue
		}
		m.make(s, false)
		t.say("You moved %v.\n%s", s, m.hatchbackPicture())
		if !m.over {
			hatchbackMoves(t, &m)
			t.say("%s", m.hatchbackPicture())
		}
	}
	t.say("%s win!\n", map[bool]string{true: "I", false: "You"}[m.won])
	t.ask("Press Enter to leave.")
}

func hatchbackMoves(t *console, m *match) {
	for _, s := range m.moves(true)[:min(3, len(m.moves(true)))] {
		t.say("thinking of %v\n", s)
	}
	time.Sleep(t.think)
	s := m.choose(t.random)
	m.make(s, true)
	t.say("I move: %v\n", s)
}

// hatchbackPicture is the assignment's.
func (m *match) hatchbackPicture() string {
	var s strings.Builder
	for rank := 6; rank >= 0; rank-- {
		fmt.Fprintf(&s, "%d ", rank+1)
		for _, p := range m.board[rank] {
			if p.letter == 0 {
				s.WriteString(" --")
			} else {
				fmt.Fprintf(&s, " %c%d", p.letter, p.gas)
			}
		}
		s.WriteString(map[int]string{6: "  computer", 0: "  human"}[rank] + "\n")
	}
	return s.String() + "   -----------------------\n   A  B  C  D  E  F  G  H\n"
}
