package hiddeninfo

import (
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"

	"pgregory.net/rapid"
)

// TestTrouble guards that what cannot be is named, and what the belief makes of it.
func TestTrouble(t *testing.T) {
	for _, test := range []struct{ name, log, says, piece, want string }{
		{"out of a headquarters", "2 B12 B11", "no piece can go from B12 to B11", "B12", "987654321B"},
		{"through a piece", "2 A10 A8", "no piece can go from A10 to A8", "A10", "987654321B"},
		{"nobody there", "2 B10 B9", "no piece of player 2 stands on B10", "A7", "987654321"},
		{"a combat without a defender", "2 A9 B8 <", `result "<" does not suit`, "A9", "87654321B"},
		{"no combat with a defender", "2 A7 A6", `result "" does not suit`, "A7", "987654321"},
		{"a flag without a fall", "2 A9 B8 flag2:B12", "none of its pieces fell", "B12", "F"},
		{"a flag where nobody stands", "1 E6 E7 > flag2:B10", "shown on B10, where it has no piece", "A7", "987654321"},
		{"a flag outside the headquarters", "1 A6 A7 = flag1:B1 flag2:C11", "dropped are the message about the flag of the piece from C11", "C11", "87654321BL"},
		{"a marshal that nothing beats", "1 A6 A7 <", "dropped are its combats of the piece from A7", "A7", "987654321"},
		{"two marshals", "1 C6 C7 <, 1 E6 E7 = flag2:B12", "dropped are its combats of the piece from", "B12", "F"},
		{"a marshal that fell in silence", "1 A6 A7 = flag1:B1", "dropped are that no flag was shown when it fell of the piece from A7", "A7", "9"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := New(observed(t, false, test.log))
			if err := b.Trouble(); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("trouble is %v, which does not say %q", err, test.says)
			}
			sq, _ := luzhanqi.ParseSquare(test.piece)
			for p := range Piece(Pieces) {
				if b.Initial(p) == sq && b.Mask(p).String() != test.want {
					t.Errorf("the piece from %s is one of %v, not %s", test.piece, b.Mask(p), test.want)
				}
			}
		})
	}
}

// TestTroubleOnce guards that the first trouble stays the one that is told.
func TestTroubleOnce(t *testing.T) {
	v := observed(t, false, "2 B12 B11")
	b := New(v)
	first := b.Trouble()
	b.Update(v.Observe(luzhanqi.Observation{Mover: game.Second, Move: game.Move{From: 58, To: 3}}))
	if b.Trouble() != first {
		t.Errorf("trouble is now %v", b.Trouble())
	}
}

// drawObservation is any observation at all that a view can take.
func drawObservation(t *rapid.T) luzhanqi.Observation {
	square := rapid.Uint8Range(0, 63)
	if rapid.IntRange(0, 9).Draw(t, "wild") == 0 {
		square = rapid.Uint8()
	}
	o := luzhanqi.Observation{
		Mover:  game.Side(rapid.IntRange(0, 1).Draw(t, "mover")),
		Move:   game.Move{From: game.Square(square.Draw(t, "from")), To: game.Square(square.Draw(t, "to"))},
		Result: luzhanqi.Result(rapid.IntRange(0, 6).Draw(t, "result")),
		Over:   rapid.Bool().Draw(t, "over"),
	}
	for range rapid.SampledFrom([]int{0, 0, 0, 1, 2, 3}).Draw(t, "flags") {
		o.Flags = append(o.Flags, luzhanqi.Reveal{
			Owner:  game.Side(rapid.IntRange(0, 3).Draw(t, "owner")),
			Square: game.Square(square.Draw(t, "flag")),
		})
	}
	return o
}

// TestGarbage guards that no observation whatever stops the belief: it goes on giving whole armies,
// a board with an enemy on every square where the view has one, and masks that hold the own ranks.
func TestGarbage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		r := newRand(seed)
		side := game.Side(rapid.IntRange(0, 1).Draw(t, "side"))
		positions, _ := playGame(r, hungry, rapid.Bool().Draw(t, "minesStay"), rapid.IntRange(0, 100).Draw(t, "plies"))
		v := viewOf(positions[len(positions)-1], side)
		b := New(v)
		for range rapid.IntRange(1, 30).Draw(t, "observations") {
			o := drawObservation(t)
			if rapid.Bool().Draw(t, "likely") { // a move that may be legal, with any result
				from := luzhanqi.Bit(o.Move.From)
				for sq := range v.Enemy().All() {
					from = luzhanqi.Bit(sq)
					if r.IntN(5) == 0 {
						break
					}
				}
				o.Mover, o.Move.From = side.Other(), from.First()
				if to := luzhanqi.TargetsOf(o.Move.From, v.Enemy(), v.Own(), true); to != 0 {
					o.Move.To = to.First()
				}
			}
			v = v.Observe(o)
			b.Update(v)
			checkAnyway(t, b, v)
		}
		again := New(v)
		again.SetDoubt(rapid.SampledFrom([]float64{0, 0.5}).Draw(t, "doubt"))
		checkAnyway(t, again, v)
	})
}

func checkAnyway(t *rapid.T, b *Belief, v *luzhanqi.View) {
	r := newRand(1)
	m := b.Marginals()
	for range 3 {
		var w World
		b.Sample(r, &w)
		var counts [rankCodes]int
		for p, rank := range w {
			counts[rank]++
			if m[p][rank] <= 0 {
				t.Fatalf("piece %d was sampled as %v, with a chance of %v", p, rank, m[p][rank])
			}
		}
		for _, rank := range luzhanqi.Ranks {
			if counts[rank] != luzhanqi.Count(rank) {
				t.Fatalf("a sample has %d of %v", counts[rank], rank)
			}
		}
		board := b.Board(&w)
		if got := board.Of(v.Side().Other()); got != v.Enemy() {
			t.Fatalf("the enemy is on %b in a sample, on %b in the view", got, v.Enemy())
		}
		for sq := range v.Enemy().All() {
			if _, rank, _ := board.At(sq); rank == luzhanqi.None {
				t.Fatalf("%s has no rank", luzhanqi.SquareName(sq))
			}
		}
		var masks [Pieces]Mask
		b.Opponent(&w, &masks)
		for p, rank := range b.ranks {
			if !masks[p].Has(rank) {
				t.Fatalf("our %v is one of %v to the opponent", rank, masks[p])
			}
		}
	}
	if worlds := b.Worlds(); !(worlds >= 1) {
		t.Fatalf("there are %v worlds", worlds)
	}
}

// TestRepairKeepsWhatFits guards that one contradiction costs only the facts that contradict.
func TestRepairKeepsWhatFits(t *testing.T) {
	positions, _ := playGame(newRand(11), hungry, false, 80)
	v := viewOf(positions[len(positions)-1], game.First)
	before := New(v)
	b := New(v)
	// An enemy piece that has moved is shown as the flag.
	for p := range Piece(Pieces) {
		if sq, alive := b.SquareOf(p); alive && b.enemies().facts[moved][p] == Movers {
			b.evidence.learn(game.Second, shown, p, Only(luzhanqi.Flag))
			if b.Trouble() == nil {
				t.Fatalf("a flag that moved to %s is no trouble", luzhanqi.SquareName(sq))
			}
			break
		}
	}
	if b.Trouble() == nil {
		t.Fatal("no enemy piece has moved")
	}
	if *b.Marginals() != *before.Marginals() {
		t.Error("more was dropped than the wrong fact")
	}
}
