package luzhanqi

import "luzhanqi/game"

// repetitions is how often a configuration must have occurred since the last capture for a draw.
const repetitions = 10

// Position is a game in progress: the board, whose turn it is, and what the rules and the two
// players remember. It is a value; Play leaves it as it was.
type Position struct {
	game.Turn
	game.Ended
	board     Board
	minesStay bool
	views     [2]*View
	seen      game.Repetition[Board] // after moves since the last capture
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

func (p *Position) View(side game.Side) game.View { return p.views[side] }

func (p *Position) Moves(dst []game.Move) []game.Move {
	if p.Over() {
		return dst
	}
	return p.board.Moves(p.Mover(), dst)
}

func (p *Position) Check(m game.Move) error {
	if o, over := p.Outcome(); over {
		return game.OverError(MoveName(m), o)
	}
	return p.board.Why(p.Mover(), m)
}

// played is a position with what it alone refers to: one allocation.
type played struct {
	Position
	views [2]View
}

// remembered is what a move adds to what all later positions refer to.
type remembered struct {
	moment
	seen game.Occurrence[Board]
}

func (p *Position) Play(m game.Move) game.Position {
	mover := p.Mover()
	made, kept := &played{}, &remembered{}
	next := &made.Position
	next.Turn, next.board, next.minesStay = p.After(m), p.board, p.minesStay
	result, attacker, defender := next.board.Play(m, p.minesStay)
	o := Observation{Mover: mover, Move: m, Result: result}
	if attacker == FieldMarshal && result.AttackerFalls() {
		o.Flags = next.reveal(o.Flags, mover)
	}
	if defender == FieldMarshal && result.DefenderFalls() {
		o.Flags = next.reveal(o.Flags, mover.Other())
	}
	switch {
	case result == FlagTaken:
		next.End(game.Won(mover, "flag captured"))
	case result == Quiet:
		next.seen = p.seen
		if next.seen.AddAs(&kept.seen, &next.board, next.board.hash()) >= repetitions {
			next.End(game.Drawn("repetition"))
		}
	}
	o.Over = next.Over()
	kept.moment = p.views[mover].past.then(o)
	for side, v := range p.views {
		made.views[side] = *v
		made.views[side].observe(&kept.moment)
		next.views[side] = &made.views[side]
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
	if !p.board.HasMove(p.Mover()) {
		p.End(game.Won(p.Mover().Other(), "no legal moves"))
	}
}
