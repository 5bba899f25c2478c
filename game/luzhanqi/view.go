package luzhanqi

import (
	"slices"

	"luzhanqi/game"
)

// View holds the facts that one side may know: its own pieces with their ranks, where enemy pieces stand, a flag
// that was shown, and everything observed so far. It is built from observations only, whether by
// the referee or at the far end of a pipe, so it cannot hold more than was said.
//
// It is a value: Observe returns the next one.
type View struct {
	side      game.Side
	mover     game.Side
	minesStay bool
	setUp     SetUp
	board     Board // enemy pieces have no rank here, but for a flag that was shown
	past      *moment
	refused   []game.Move // moves that the referee called illegal this turn
}

// NewView returns side's view at the start of a game: its own set-up, and a complete enemy army.
func NewView(side game.Side, own SetUp, minesStay bool) *View {
	v := &View{side: side, minesStay: minesStay, setUp: own}
	if side == game.First {
		v.board = Deploy(own, SetUp{})
	} else {
		v.board = Deploy(SetUp{}, own)
	}
	v.board.of[side.Other()] = TurnSquares(v.board.of[side])
	return v
}

func (v *View) Side() game.Side  { return v.side }
func (v *View) Mover() game.Side { return v.mover }

// Ply is the number of moves observed.
func (v *View) Ply() int {
	if v.past == nil {
		return 0
	}
	return v.past.count
}

// MinesStay says whether the rule mines=stay holds.
func (v *View) MinesStay() bool { return v.minesStay }

// SetUp is the side's own set-up, in its own frame.
func (v *View) SetUp() SetUp { return v.setUp }

// Own and Enemy are the squares of the two armies.
func (v *View) Own() Squares { return v.board.Of(v.side) }

// Enemy is the squares of the other side's pieces.
func (v *View) Enemy() Squares { return v.board.Of(v.side.Other()) }

// Rank is the rank of the piece on sq as far as it is known: of an own piece always, of an enemy
// piece only if it is a flag that was shown; else None.
func (v *View) Rank(sq game.Square) Rank { return v.board.rank(sq) }

// EnemyFlag is where the enemy's flag stands, if it was shown.
func (v *View) EnemyFlag() (game.Square, bool) { return v.board.Flag(v.side.Other()) }

// Last is the latest observation; false before the first.
func (v *View) Last() (Observation, bool) {
	if v.past == nil {
		return Observation{}, false
	}
	return v.past.Observation, true
}

// Since returns the observations after the first `ply` ones, in the order in which they were made.
func (v *View) Since(ply int) []Observation {
	var all []Observation
	for m := v.past; m != nil && m.count > ply; m = m.before {
		all = append(all, m.Observation)
	}
	slices.Reverse(all)
	return all
}

// Targets is where the viewing side's piece on sq could move if it were its turn.
func (v *View) Targets(sq game.Square) Squares {
	if !v.Own().Has(sq) {
		return 0
	}
	to := v.board.Targets(sq)
	for _, m := range v.refused {
		if m.From == sq {
			to &^= Bit(m.To)
		}
	}
	return to
}

// Moves appends what the viewing side could play if it were its turn.
func (v *View) Moves(dst []game.Move) []game.Move {
	start := len(dst)
	dst = v.board.Moves(v.side, dst)
	if len(v.refused) == 0 {
		return dst
	}
	kept := slices.DeleteFunc(dst[start:], func(m game.Move) bool { return slices.Contains(v.refused, m) })
	return dst[:start+len(kept)]
}

// Observe returns the view after an observation. One that does not fit (a referee with other rules,
// or with a bug) changes what it can and is kept all the same.
func (v *View) Observe(o Observation) *View {
	next, past := *v, v.past.then(o)
	next.observe(&past)
	return &next
}

// observe makes of a view that nobody else has yet the one after an observation, with the list that the views of both
// sides share.
func (v *View) observe(past *moment) {
	o := &past.Observation
	v.past, v.mover, v.refused = past, o.Mover.Other(), nil
	rank := v.board.rank(o.Move.From)
	v.board.Remove(o.Move.From)
	if o.Result.DefenderFalls() || o.Result == Quiet {
		v.board.Remove(o.Move.To)
	}
	if !o.Result.AttackerFalls() {
		v.board.place(o.Move.To, o.Mover, rank)
	}
	for _, f := range o.Flags {
		v.board.Put(f.Square, f.Owner, Flag)
	}
}

// Refused returns the view after the referee called an own move illegal and asks again.
func (v *View) Refused(m game.Move) *View {
	next := *v
	next.refused = append(slices.Clip(v.refused), m)
	return &next
}

// Turn returns the view when side is to move.
func (v *View) turn(mover game.Side) *View {
	if v.mover == mover {
		return v
	}
	next := *v
	next.mover = mover
	return &next
}

// place is Put that also takes a piece of unknown rank.
func (b *Board) place(sq game.Square, side game.Side, rank Rank) {
	b.Remove(sq)
	if rank != None {
		b.Put(sq, side, rank)
		return
	}
	b.of[side] |= Bit(sq)
}
