package sexpr_test

import (
	"fmt"

	"luzhanqi/sexpr"
)

// Messages arrive in any pieces and any spacing, and are printed in one form.
func Example() {
	received := []byte("(init 1\ttime/move 1.0)\n(go 1)(outcome > ( A6 A7 ))\n(go 3) (go")
	var framer sexpr.Framer
	for {
		start, end, err := framer.Next(received)
		if err != nil {
			fmt.Println(err) // what follows cannot be told apart
			return
		}
		if end == 0 {
			fmt.Println("more bytes are needed:", framer.Open())
			break
		}
		switch message, err := sexpr.ParseReferee(received[start:end]); m := message.(type) {
		case sexpr.Init:
			limit, _ := m.Seconds.Duration()
			fmt.Printf("%v: player %d has %v for a move\n", m, m.Which, limit)
		case nil:
			fmt.Println(err)
		default:
			fmt.Println(m)
		}
		received = received[end:]
	}
	fmt.Println(sexpr.Move{From: "A6", To: "A7"})
	fmt.Println(sexpr.Initial{{Square: "A1", Piece: 'F'}, {Square: "A2", Piece: 'L'}})
	// Output:
	// (init 1 time/move 1.0): player 1 has 1s for a move
	// (go 1)
	// (outcome > (A6 A7))
	// at byte 4: found "3", allowed: 1 or 2
	// more bytes are needed: true
	// (A6 A7)
	// ((A1 F) (A2 L))
}
