package main

import (
	"math/rand/v2"
	"strings"
)

// A square is a file and a rank, from 0. The computer plays down with capitals.
type square struct{ file, rank int }

func (s square) String() string { return string([]byte{byte('A' + s.file), byte('1' + s.rank)}) }

func (s square) on() bool { return s.file >= 0 && s.file < 8 && s.rank >= 0 && s.rank < 7 }

type step struct{ from, to square }

func (s step) String() string { return s.from.String() + s.to.String() }

// parse reads two squares such as A3D6.
func parse(text string) (step, bool) {
	if len(text) != 4 {
		return step{}, false
	}
	s := step{
		square{int(text[0]) - 'A', int(text[1]) - '1'},
		square{int(text[2]) - 'A', int(text[3]) - '1'},
	}
	return s, s.from.on() && s.to.on()
}

// piece is a letter and its gas; the letter zero is nobody.
type piece struct {
	letter byte
	gas    int
}

func (p piece) computer() bool { return p.letter >= 'A' && p.letter <= 'Z' }

func (p piece) kind() string { return strings.ToUpper(string(rune(p.letter))) }

// board is by rank and file.
type board [7][8]piece

func newBoard() (b board) {
	for i, letter := range "BQKB" {
		b[6][2+i], b[0][2+i] = piece{byte(letter), 3}, piece{byte(letter) + 32, 3}
	}
	b[5][3], b[5][5], b[1][3], b[1][5] = piece{'N', 3}, piece{'N', 3}, piece{'n', 3}, piece{'n', 3}
	return b
}

func (b *board) at(s square) piece { return b[s.rank][s.file] }

// moves are the legal ones of the computer or of the person.
func (b *board) moves(computer bool) (all []step) {
	for rank := range b {
		for file, p := range b[rank] {
			from := square{file, rank}
			if p.letter == 0 || p.computer() != computer || p.gas == 0 {
				continue
			}
			for _, to := range b.reach(from, p.kind()) {
				target := b.at(to)
				if target.letter == 0 || target.computer() != computer || target.kind() != "K" {
					all = append(all, step{from, to})
				}
			}
		}
	}
	return all
}

func (b *board) reach(from square, kind string) (all []square) {
	for df := -2; df <= 2; df++ {
		for dr := -2; dr <= 2; dr++ {
			to := square{from.file + df, from.rank + dr}
			length := df*df + dr*dr
			switch {
			case kind == "K" && (length == 1 || length == 2), (kind == "N" || kind == "Q") && length == 5:
				if to.on() {
					all = append(all, to)
				}
			case (kind == "B" || kind == "Q") && df*df == 1 && dr*dr == 1:
				for ; to.on(); to = (square{to.file + df, to.rank + dr}) {
					all = append(all, to)
					if b.at(to).letter != 0 {
						break
					}
				}
			}
		}
	}
	return all
}

// play makes a move and says whether it took a king.
func (b *board) play(s step) bool {
	p, target := b.at(s.from), b.at(s.to)
	p.gas--
	if target.letter != 0 {
		p.gas = 3
	}
	b[s.from.rank][s.from.file], b[s.to.rank][s.to.file] = piece{}, p
	return target.letter != 0 && target.kind() == "K"
}

// choose takes the king, else two times of three an enemy if it can, else anything.
func (b *board) choose(random *rand.Rand) step {
	all := b.moves(true)
	var captures []step
	for _, s := range all {
		target := b.at(s.to)
		if target.letter == 'k' {
			return s
		}
		if target.letter != 0 && !target.computer() {
			captures = append(captures, s)
		}
	}
	if len(captures) > 0 && random.IntN(3) > 0 {
		all = captures
	}
	return all[random.IntN(len(all))]
}

// match is a game in progress.
type match struct {
	board
	over, won bool // won by the computer
}

// make plays a legal move and sees whether it has ended the game.
func (m *match) make(s step, computer bool) {
	if m.play(s) || len(m.moves(!computer)) == 0 {
		m.over, m.won = true, computer
	}
}

// legal says whether the person may play s.
func (m *match) legal(s step) bool {
	for _, other := range m.moves(false) {
		if s == other {
			return true
		}
	}
	return false
}
