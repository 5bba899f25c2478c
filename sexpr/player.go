package sexpr

import "fmt"

// PlayerMessage is what a player sends: [Initial], [Move] or [Resign].
type PlayerMessage interface {
	fmt.Stringer
	// AppendTo appends the canonical text, without a newline.
	AppendTo(dst []byte) []byte
	playerMessage()
}

// Initial is a player's set-up in the order it was sent. It may be empty and
// it may repeat squares: what is legal is not decided here. Being a slice, it
// makes == on two PlayerMessages panic; switch on the type instead.
type Initial []Placement

// Placement is one item of a set-up: (A1 F).
type Placement struct {
	Square Square
	Piece  Piece
}

// Move is (A6 A7).
type Move struct{ From, To Square }

// Resign is (resign).
type Resign struct{}

func (Initial) playerMessage() {}
func (Move) playerMessage()    {}
func (Resign) playerMessage()  {}

func (m Initial) AppendTo(dst []byte) []byte {
	dst = append(dst, '(')
	for i, placement := range m {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = placement.AppendTo(dst)
	}
	return append(dst, ')')
}

func (p Placement) AppendTo(dst []byte) []byte {
	dst = append(dst, '(')
	dst = append(dst, p.Square...)
	return append(dst, ' ', byte(p.Piece), ')')
}

func (m Move) AppendTo(dst []byte) []byte {
	dst = append(dst, '(')
	dst = append(dst, m.From...)
	dst = append(dst, ' ')
	dst = append(dst, m.To...)
	return append(dst, ')')
}

func (Resign) AppendTo(dst []byte) []byte { return append(dst, "(resign)"...) }

func (m Initial) String() string   { return string(m.AppendTo(nil)) }
func (p Placement) String() string { return string(p.AppendTo(nil)) }
func (Resign) String() string      { return "(resign)" }

func (m Move) String() string {
	var longest [len("(A10 A10)")]byte // on the stack: only the string allocates
	return string(m.AppendTo(longest[:0]))
}
