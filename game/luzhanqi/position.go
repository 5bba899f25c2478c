package luzhanqi

import (
	"luzhanqi/game"
)

// repetitions is how often a configuration must have occurred since the last capture for a draw.
const repetitions = 10

// Position is a game in progress: the board, whose turn it is, and what the rules and the two
// players remember. It is a value; Play leaves it as it was.
type Position struct {
	game.Ended
	board     Board
	mover     game.Side
	ply       int
	minesStay bool
	views     [2]*View
	seen      configurations
}

// configurations are the boards that occurred after a move since the last capture. Each bucket is a
// list that grows at its head, so that positions share what they have in common: copying the array
// is all that Play costs, and a long quiet game is not searched from end to end at every ply.
type configurations [16]*configuration

type configuration struct {
	board  Board
	times  int
	before *configuration
}

// add counts a board and returns how often it has occurred.
func (all *configurations) add(b Board) int {
	hash := (uint64(b.of[0]) ^ uint64(b.of[1])*3) * 0x9e3779b97f4a7c15
	bucket := &all[hash>>60]
	times := 1
	for c := *bucket; c != nil; c = c.before {
		if c.board == b { // the latest has counted all before it
			times += c.times
			break
		}
	}
	*bucket = &configuration{board: b, times: times, before: *bucket}
	return times
}

// NewPosition is the initial position of two set-ups.
func NewPosition(first, second SetUp, minesStay bool) *Position {
	p := &Position{board: Deploy(first, second), minesStay: minesStay}
	p.views = [2]*View{NewView(game.First, first, minesStay), NewView(game.Second, second, minesStay)}
	p.mustMove()
	return p
}

// Board returns the board, which the caller may change: it is a copy.
func (p *Position) Board() Board { return p.board }

// Mover is the side whose turn it is.
func (p *Position) Mover() game.Side { return p.mover }

// Ply is the number of moves played.
func (p *Position) Ply() int { return p.ply }

// WithoutPast is the position as if no earlier one had occurred; see game.Perft.
func (p *Position) WithoutPast() game.Position {
	fresh := *p
	fresh.seen = configurations{}
	return &fresh
}

// View is what a side may know.
func (p *Position) View(side game.Side) game.View { return p.views[side] }

// Moves appends the legal moves; there are none when the game is over.
func (p *Position) Moves(dst []game.Move) []game.Move {
	if p.Over() {
		return dst
	}
	return p.board.Moves(p.mover, dst)
}

// Check says why m cannot be played: an *IllegalMove, or that the game is over.
func (p *Position) Check(m game.Move) error {
	if o, over := p.Outcome(); over {
		return game.OverError(MoveName(m), o)
	}
	return p.board.Why(p.mover, m)
}

// Play returns the position after the legal move m.
func (p *Position) Play(m game.Move) game.Position {
	next := &Position{board: p.board, mover: p.mover.Other(), ply: p.ply + 1, minesStay: p.minesStay}
	result, attacker, defender := next.board.Play(m, p.minesStay)
	o := Observation{Mover: p.mover, Move: m, Result: result}
	if attacker == FieldMarshal && result.AttackerFalls() {
		o.Flags = next.reveal(o.Flags, p.mover)
	}
	if defender == FieldMarshal && result.DefenderFalls() {
		o.Flags = next.reveal(o.Flags, next.mover)
	}
	switch {
	case result == FlagTaken:
		next.End(game.Won(p.mover, "flag captured"))
	case result == Quiet:
		next.seen = p.seen
		if next.seen.add(next.board) >= repetitions {
			next.End(game.Drawn("repetition"))
		}
	}
	o.Over = next.Over()
	past := p.views[p.mover].past.then(o)
	for side, v := range p.views {
		next.views[side] = v.observe(o, past)
	}
	if !o.Over {
		next.mustMove()
	}
	return next
}

func (p *Position) reveal(flags []Reveal, owner game.Side) []Reveal {
	if sq, ok := p.board.Flag(owner); ok {
		flags = append(flags, Reveal{Owner: owner, Square: sq})
	}
	return flags
}

// mustMove ends the game when the side to move cannot.
func (p *Position) mustMove() {
	if !p.board.HasMove(p.mover) {
		p.End(game.Won(p.mover.Other(), "no legal moves"))
	}
}
