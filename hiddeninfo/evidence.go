package hiddeninfo

import (
	"errors"
	"fmt"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// fact is the source of a restriction on one hidden piece, the most trusted first: repair drops
// contradicting ones from the end.
type fact uint8

const (
	moved    fact = iota // it moved, so it is no flag and no landmine
	placed               // where it was set up
	shown                // it is a shown flag, or the field marshal whose fall showed the flag
	fought               // its combats with pieces of known rank
	cornered             // it turned a corner on the railway, so it is an engineer
	unshown              // it fell and no flag was shown, so it was not the field marshal
	factKinds
)

var factNames = [factKinds]string{
	moved: "that it moved", placed: "where it was set up", shown: "the message about the flag",
	fought: "its combats", cornered: "that it turned a corner", unshown: "that no flag was shown when it fell",
}

// army holds the public facts about one side's pieces.
type army struct {
	standing luzhanqi.Squares
	at       [64]int8 // by square: the piece plus one, or zero
	square   [Pieces]game.Square
	alive    uint32
	facts    [factKinds][Pieces]Mask
}

// duel is a combat between two pieces, by their sides.
type duel struct {
	attacker game.Side
	pieces   [2]Piece
	result   luzhanqi.Result
}

// evidence holds the public facts of a game: where each piece stands, the ranks that its moves leave it,
// and the combats.
type evidence struct {
	armies  [2]army
	duels   []duel
	changes int // counts the changes, so that Belief solves again only after one
}

func (e *evidence) begin() {
	for side := range e.armies {
		a := &e.armies[side]
		for kind := range a.facts {
			for p := range a.facts[kind] {
				a.facts[kind][p] = AnyRank
			}
		}
		for p := range Piece(Pieces) {
			a.facts[placed][p] = p.setUpMask()
			a.put(p, p.home(game.Side(side)))
		}
	}
}

func (a *army) put(p Piece, sq game.Square) {
	a.standing |= luzhanqi.Bit(sq)
	a.at[sq] = int8(p) + 1
	a.square[p] = sq
	a.alive |= 1 << p
}

// lift takes the piece off its square.
func (a *army) lift(sq game.Square) (p Piece, ok bool) {
	p, ok = a.on(sq)
	if ok {
		a.standing &^= luzhanqi.Bit(sq)
		a.at[sq] = 0
		a.alive &^= 1 << p
	}
	return p, ok
}

func (a *army) on(sq game.Square) (p Piece, ok bool) {
	p = Piece(a.at[sq&63]) - 1
	return p, p >= 0
}

// known returns the ranks that all facts together leave the piece.
func (a *army) known(p Piece) Mask {
	m := AnyRank
	for kind := range a.facts {
		m &= a.facts[kind][p]
	}
	return m
}

func (e *evidence) learn(side game.Side, kind fact, p Piece, mask Mask) {
	m := &e.armies[side].facts[kind][p]
	if *m&^mask != 0 {
		*m &= mask
		e.changes++
	}
}

var errOffBoard = errors.New("its squares or sides do not exist")

// observe takes in a move. The error says what does not fit; the rest is taken in all the same, and
// the pieces are moved as luzhanqi.View moves them. The last duel is new if there is one more.
func (e *evidence) observe(o *luzhanqi.Observation) error {
	from, to := o.Move.From, o.Move.To
	if o.Mover > game.Second || !luzhanqi.EverySquare.Has(from) || from > 63 || !luzhanqi.EverySquare.Has(to) || to > 63 {
		return errOffBoard
	}
	own, other := &e.armies[o.Mover], &e.armies[o.Mover.Other()]
	attacker, moves := own.on(from)
	defender, meets := other.on(to)

	var misfits []error
	if moves {
		misfits = append(misfits, e.observePath(o, attacker))
	} else {
		misfits = append(misfits, fmt.Errorf("no piece of player %v stands on %s", o.Mover, luzhanqi.SquareName(from)))
	}
	switch {
	case int(o.Result) >= results:
		misfits = append(misfits, errors.New("its result does not exist"))
	case meets == (o.Result == luzhanqi.Quiet):
		misfits = append(misfits, fmt.Errorf("result %q does not suit what stands on %s", o.Result, luzhanqi.SquareName(to)))
	case moves && meets:
		d := duel{attacker: o.Mover, result: o.Result}
		d.pieces[o.Mover], d.pieces[o.Mover.Other()] = attacker, defender
		e.duels = append(e.duels, d)
	}
	if moves && o.Result.AttackerFalls() {
		e.observeFall(o, o.Mover, attacker)
	}
	if meets && o.Result.DefenderFalls() {
		e.observeFall(o, o.Mover.Other(), defender)
	}
	misfits = append(misfits, e.observeFlags(o))

	own.lift(from)
	if o.Result.DefenderFalls() || o.Result == luzhanqi.Quiet {
		own.lift(to)
		other.lift(to)
	}
	if moves && !o.Result.AttackerFalls() {
		own.lift(to)
		other.lift(to)
		own.put(attacker, to)
	}
	return errors.Join(misfits...)
}

// observePath learns from the way that a piece went.
func (e *evidence) observePath(o *luzhanqi.Observation, p Piece) error {
	own, other := e.armies[o.Mover].standing, e.armies[o.Mover.Other()].standing
	from, to := o.Move.From, o.Move.To
	e.learn(o.Mover, moved, p, Movers)
	if luzhanqi.TargetsOf(from, own, other, false).Has(to) {
		return nil
	}
	if luzhanqi.TargetsOf(from, own, other, true).Has(to) {
		e.learn(o.Mover, cornered, p, Only(luzhanqi.Engineer))
		return nil
	}
	return fmt.Errorf("no piece can go from %s to %s there", luzhanqi.SquareName(from), luzhanqi.SquareName(to))
}

// observeFall learns from the flag that was shown, or not, when a piece fell.
func (e *evidence) observeFall(o *luzhanqi.Observation, side game.Side, p Piece) {
	for _, f := range o.Flags {
		if f.Owner == side {
			e.learn(side, shown, p, Only(luzhanqi.FieldMarshal))
			return
		}
	}
	e.learn(side, unshown, p, AnyRank&^Only(luzhanqi.FieldMarshal))
}

// observeFlags learns where the flags stand that were shown.
func (e *evidence) observeFlags(o *luzhanqi.Observation) error {
	var misfits []error
	for _, f := range o.Flags {
		if f.Owner > game.Second {
			misfits = append(misfits, errOffBoard)
			continue
		}
		if f.Owner == o.Mover && !o.Result.AttackerFalls() || f.Owner != o.Mover && !o.Result.DefenderFalls() {
			misfits = append(misfits, fmt.Errorf("the flag of player %v is shown, but none of its pieces fell", f.Owner))
		}
		if p, ok := e.armies[f.Owner].on(f.Square); ok && f.Square < 60 {
			e.learn(f.Owner, shown, p, Only(luzhanqi.Flag))
		} else {
			misfits = append(misfits, fmt.Errorf("the flag of player %v is shown on %s, where it has no piece", f.Owner, luzhanqi.SquareName(f.Square)))
		}
	}
	return errors.Join(misfits...)
}

// follow makes a side's pieces stand where the view has them, if they do not: then an observation
// was impossible, and which piece is which is a guess. It returns the squares for which no piece
// is left to guess.
func (e *evidence) follow(side game.Side, standing luzhanqi.Squares) (strangers luzhanqi.Squares) {
	a := &e.armies[side]
	for sq := range (a.standing &^ standing).All() {
		a.lift(sq)
	}
	for sq := range (standing &^ a.standing).All() {
		p := Piece(Pieces - 1)
		for p >= 0 && a.alive>>p&1 != 0 {
			p--
		}
		if p < 0 {
			strangers |= luzhanqi.Bit(sq)
			continue
		}
		for kind := range a.facts {
			a.facts[kind][p] = AnyRank
		}
		e.changes++
		a.put(p, sq)
	}
	return strangers
}
