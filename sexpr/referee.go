package sexpr

import (
	"fmt"
	"strconv"
)

// RefereeMessage is what a referee sends: [Init], [Go], [Outcome], [Illegal],
// [Flag] or [End]. All of them can be compared with ==.
type RefereeMessage interface {
	fmt.Stringer
	// AppendTo appends the canonical text, without a newline.
	AppendTo(dst []byte) []byte
	refereeMessage()
}

// Which is the number of a player: 1 or 2.
type Which int

// Compare is how the fight after a move ended, seen by the mover.
type Compare string

const (
	None    Compare = ""  // no fight
	Less    Compare = "<" // the mover's piece fell
	Greater Compare = ">" // the piece it met fell
	Equal   Compare = "=" // both fell
)

// Init tells a player its number and its time for a move: (init 1 time/move 1.0).
type Init struct {
	Which   Which
	Seconds Seconds
}

// Go says whose turn it is: (go 1).
type Go struct{ Which Which }

// Outcome is the last move and what came of it: (outcome (A6 A7)) or
// (outcome > (A6 A7)).
type Outcome struct {
	Compare Compare
	Move    Move
}

// Illegal quotes a move that is not valid: (illegal (A6 A7)).
type Illegal struct{ Move Move }

// Flag shows where the flag of a player stands: (flag 2 D12).
type Flag struct {
	Which  Which
	Square Square
}

// End says who won: (end 1), (end 2), or (end 0) for a draw.
type End struct{ Winner int }

func (Init) refereeMessage()    {}
func (Go) refereeMessage()      {}
func (Outcome) refereeMessage() {}
func (Illegal) refereeMessage() {}
func (Flag) refereeMessage()    {}
func (End) refereeMessage()     {}

func (m Init) AppendTo(dst []byte) []byte {
	dst = appendNumber(append(dst, "(init "...), int(m.Which))
	dst = append(dst, " time/move "...)
	return append(append(dst, m.Seconds...), ')')
}

func (m Go) AppendTo(dst []byte) []byte {
	return append(appendNumber(append(dst, "(go "...), int(m.Which)), ')')
}

func (m Outcome) AppendTo(dst []byte) []byte {
	dst = append(dst, "(outcome "...)
	if m.Compare != None {
		dst = append(append(dst, m.Compare...), ' ')
	}
	return append(m.Move.AppendTo(dst), ')')
}

func (m Illegal) AppendTo(dst []byte) []byte {
	return append(m.Move.AppendTo(append(dst, "(illegal "...)), ')')
}

func (m Flag) AppendTo(dst []byte) []byte {
	dst = appendNumber(append(dst, "(flag "...), int(m.Which))
	return append(append(append(dst, ' '), m.Square...), ')')
}

func (m End) AppendTo(dst []byte) []byte {
	return append(appendNumber(append(dst, "(end "...), m.Winner), ')')
}

func (m Init) String() string    { return string(m.AppendTo(nil)) }
func (m Go) String() string      { return string(m.AppendTo(nil)) }
func (m Outcome) String() string { return string(m.AppendTo(nil)) }
func (m Illegal) String() string { return string(m.AppendTo(nil)) }
func (m Flag) String() string    { return string(m.AppendTo(nil)) }
func (m End) String() string     { return string(m.AppendTo(nil)) }

func appendNumber(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }
