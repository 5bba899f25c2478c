package main

import "strings"

// A fault tells whether a move breaks the rule of the mode's name and, as far as possible, no other.
type fault func(b *board, s step) bool

// moving plays the first move with the fault. prepare are honest moves from setUps[number] that make it possible;
// an opponent can spoil them, and then the honest player plays on until chance does.
func moving(f fault, number int, prepare ...string) func(*player, int) {
	return func(p *player, _ int) {
		p.setUpNumber = number
		for _, text := range prepare {
			from, to, _ := strings.Cut(text, " ")
			p.prepare = append(p.prepare, step{mustSquare(from), mustSquare(to)})
		}
		p.act = func(p *player, _ int) reply {
			for from := range square(squares) {
				for to := range square(squares) {
					s := step{from, to}
					if f(&p.board, s) && !p.board.legal(s) {
						p.say(s.String())
						return answered
					}
				}
			}
			return later
		}
	}
}

func mustSquare(name string) square {
	s, err := parseSquare(name)
	if err != nil {
		panic(err)
	}
	return s
}

func fromEmpty(b *board, s step) bool {
	return b.empty(s.from) && adjacent(s.from, s.to) && b.open(s.to)
}

func enemyPiece(b *board, s step) bool {
	return b.enemy[s.from] && !headquarters[s.from] && adjacent(s.from, s.to) && b.empty(s.to)
}

func ownSquare(b *board, s step) bool {
	return b.movable(s.from) && adjacent(s.from, s.to) && b.own[s.to] != 0
}

// tooFar goes two steps over an empty square, to where no railway leads.
func tooFar(b *board, s step) bool {
	if !b.movable(s.from) || s.from == s.to || !b.open(s.to) || b.rides(s) {
		return false
	}
	for _, middle := range neighbours[s.from] {
		if b.empty(middle) && adjacent(middle, s.to) {
			return true
		}
	}
	return false
}

// rides tells whether an engineer could make the move.
func (b *board) rides(s step) bool { return b.reach(s.from, true)[s.to] }

func pieceMoves(piece byte) fault {
	return func(b *board, s step) bool {
		return b.own[s.from] == piece && adjacent(s.from, s.to) && b.open(s.to)
	}
}

func fromHeadquarters(b *board, s step) bool {
	p := b.own[s.from]
	return p != 0 && p != 'F' && p != 'L' && headquarters[s.from] && adjacent(s.from, s.to) && b.open(s.to)
}

func intoOccupiedCamp(b *board, s step) bool {
	return b.movable(s.from) && adjacent(s.from, s.to) && camp[s.to] && b.enemy[s.to]
}

func roundCorner(b *board, s step) bool {
	return b.movable(s.from) && b.own[s.from] != '1' && b.rides(s) && !overMountain(b, s)
}

// throughPieces follows a straight railway over at least one piece.
func throughPieces(b *board, s step) bool {
	if !b.movable(s.from) || !b.open(s.to) || b.rides(s) {
		return false
	}
	for _, d := range straight {
		jumped := false
		for n, ok := s.from.rail(d); ok; n, ok = n.rail(d) {
			if n == s.to {
				return jumped
			}
			jumped = jumped || !b.empty(n)
		}
	}
	return false
}

func overMountain(b *board, s step) bool {
	across := s.from.column() == s.to.column() && s.from.row()+s.to.row() == rows+1
	return across && !adjacent(s.from, s.to) && (s.from.row() == rows/2 || s.to.row() == rows/2) && b.movable(s.from) && b.open(s.to)
}

func nowhere(b *board, s step) bool { return b.movable(s.from) && s.from == s.to }

func offBoard(honest string) string { return honest[:strings.IndexByte(honest, ' ')] + " A13)\n" }

func threeSquares(honest string) string {
	to := honest[strings.IndexByte(honest, ' '):]
	return strings.TrimSuffix(honest, ")") + to + "\n"
}

func inList(honest string) string { return "(" + honest + ")\n" }

func quoted(honest string) string {
	return strings.NewReplacer("(", `("`, " ", `" "`, ")", `")`).Replace(honest) + "\n"
}

// setUpAgain sends the set-up of the start.
func setUpAgain(p *player, _ int) reply {
	p.say(p.setUp())
	return answered
}
