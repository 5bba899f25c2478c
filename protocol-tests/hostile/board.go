package main

import (
	"fmt"
	"strconv"
)

// A square is numbered row by row from A1 = 0 to E12 = 59, in the player's own frame: turning the board is 59 - square.
type square int

const squares = 60

const (
	columns = 5
	rows    = 12
)

func at(column, row int) square { return square((row-1)*columns + column) }

func (s square) column() int    { return int(s) % columns }
func (s square) row() int       { return int(s)/columns + 1 }
func (s square) turned() square { return squares - 1 - s }

func (s square) String() string { return string(rune('A'+s.column())) + strconv.Itoa(s.row()) }

func parseSquare(text string) (square, error) {
	if len(text) >= 2 && text[0] >= 'A' && text[0] <= 'E' && text[1] != '0' && text[1] != '+' {
		if row, err := strconv.Atoi(text[1:]); err == nil && row >= 1 && row <= rows {
			return at(int(text[0]-'A'), row), nil
		}
	}
	return 0, fmt.Errorf("%q is no square", text)
}

func squareSet(names ...string) (set [squares]bool) {
	for _, name := range names {
		s, err := parseSquare(name)
		if err != nil {
			panic(err)
		}
		set[s] = true
		set[s.turned()] = true
	}
	return set
}

var (
	camp         = squareSet("B3", "D3", "C4", "B5", "D5")
	headquarters = squareSet("B1", "D1")
)

type direction struct{ dx, dy int }

var (
	straight = []direction{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	diagonal = []direction{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
)

// beyond is the next square in a direction, road or not.
func (s square) beyond(d direction) (square, bool) {
	column, row := s.column()+d.dx, s.row()+d.dy
	if column < 0 || column >= columns || row < 1 || row > rows {
		return 0, false
	}
	return at(column, row), true
}

// neighbours are the squares one step away, along road or railway.
var neighbours = func() (all [squares][]square) {
	for s := range square(squares) {
		for _, d := range straight {
			n, ok := s.beyond(d)
			mountain := d.dx == 0 && s.row()+n.row() == 13 && s.column()%2 == 1
			if ok && !mountain {
				all[s] = append(all[s], n)
			}
		}
		for _, d := range diagonal {
			if n, ok := s.beyond(d); ok && (camp[s] || camp[n]) {
				all[s] = append(all[s], n)
			}
		}
	}
	return all
}()

func adjacent(a, b square) bool {
	for _, n := range neighbours[a] {
		if n == b {
			return true
		}
	}
	return false
}

// rail is the next square in a direction if the edge to it is railway.
func (s square) rail(d direction) (square, bool) {
	n, ok := s.beyond(d)
	if !ok {
		return 0, false
	}
	if d.dy == 0 {
		r := s.row()
		return n, r == 2 || r == 6 || r == 7 || r == 11
	}
	low := min(s.row(), n.row())
	switch s.column() {
	case 0, columns - 1:
		return n, low >= 2 && low < 11
	case 2:
		return n, low == 6
	}
	return 0, false
}

// A step is a move: all moves of the honest player are one step long, the illegal ones not always.
type step struct{ from, to square }

func (s step) String() string { return "(" + s.from.String() + " " + s.to.String() + ")" }

// A board holds what one player knows: its own pieces, 0 for none, and where the enemy stands.
type board struct {
	own   [squares]byte
	enemy [squares]bool
}

// newBoard is the board at the first move. An enemy fills what is not a camp.
func newBoard(own [squares]byte) board {
	b := board{own: own}
	for s := range square(squares) {
		b.enemy[s] = s.row() > rows/2 && !camp[s]
	}
	return b
}

func (b *board) empty(s square) bool { return b.own[s] == 0 && !b.enemy[s] }

// open tells whether an own piece may end its move there.
func (b *board) open(s square) bool { return b.own[s] == 0 && (!camp[s] || !b.enemy[s]) }

// movable tells whether the own piece there may ever move.
func (b *board) movable(s square) bool {
	p := b.own[s]
	return p != 0 && p != 'F' && p != 'L' && !headquarters[s]
}

// steps are the legal moves of length one. There is one whenever there is a legal move.
func (b *board) steps() (all []step) {
	for from := range square(squares) {
		if !b.movable(from) {
			continue
		}
		for _, to := range neighbours[from] {
			if b.open(to) {
				all = append(all, step{from, to})
			}
		}
	}
	return all
}

func (b *board) legalStep(s step) bool {
	return b.movable(s.from) && adjacent(s.from, s.to) && b.open(s.to)
}

// reach is where the piece may legally go, railways included; turning as the engineer does, or as all others.
func (b *board) reach(from square, turning bool) (set [squares]bool) {
	if !b.movable(from) {
		return set
	}
	for _, to := range neighbours[from] {
		set[to] = b.open(to)
	}
	if turning {
		b.ride(from, from, &set)
		return set
	}
	for _, d := range straight {
		for s, ok := from.rail(d); ok && b.own[s] == 0; s, ok = s.rail(d) {
			set[s] = true
			if b.enemy[s] {
				break
			}
		}
	}
	return set
}

// ride follows the railway from s through empty squares. No camp lies on it.
func (b *board) ride(origin, s square, set *[squares]bool) {
	for _, d := range straight {
		n, ok := s.rail(d)
		if !ok || n == origin || b.own[n] != 0 || (set[n] && s != origin) {
			continue
		}
		set[n] = true
		if !b.enemy[n] {
			b.ride(origin, n, set)
		}
	}
}

func (b *board) legal(s step) bool {
	return b.reach(s.from, b.own[s.from] == '1')[s.to]
}

// settle applies an outcome, ours or the enemy's: the sign is the mover's view.
func (b *board) settle(sign string, s step) error {
	mine := b.own[s.from] != 0
	if !mine && !b.enemy[s.from] {
		return fmt.Errorf("nobody stands on %v", s.from)
	}
	friend, foe := b.enemy[s.to], b.own[s.to] != 0
	if mine {
		friend, foe = foe, friend
	}
	if friend || foe != (sign != "") {
		return fmt.Errorf("%q from %v onto %v, where the mover's own piece stands: %t, an opponent: %t", sign, s.from, s.to, friend, foe)
	}
	piece := b.own[s.from]
	b.own[s.from], b.enemy[s.from] = 0, false
	if sign == "=" || sign == ">" {
		b.own[s.to], b.enemy[s.to] = 0, false
	}
	if sign == ">" || sign == "" {
		b.own[s.to], b.enemy[s.to] = piece, !mine
	}
	return nil
}
