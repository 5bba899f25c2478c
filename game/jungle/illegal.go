package jungle

import (
	"fmt"
	"slices"

	"luzhanqi/game"
)

// IllegalMove is why a move may not be played.
type IllegalMove struct {
	Move game.Move
	Why  string // such as "only rats enter the water"
}

func (e *IllegalMove) Error() string { return MoveName(e.Move) + ": " + e.Why }

// Check says why a side may not play m: an *IllegalMove, or nil when it may.
func (b *Board) Check(side game.Side, m game.Move) error {
	var room [MaxMoves]game.Move
	if slices.Contains(b.Moves(side, room[:0]), m) {
		return nil
	}
	return &IllegalMove{Move: m, Why: b.why(side, m)}
}

// why explains an illegal move.
func (b *Board) why(side game.Side, m game.Move) string {
	owner, k, ok := b.At(m.From)
	theirs, defender, taken := b.At(m.To)
	switch {
	case m.From >= squareCount || m.To >= squareCount:
		return "no such square"
	case !ok:
		return "nothing stands on " + SquareName(m.From)
	case owner != side:
		return fmt.Sprintf("the %v on %s is %s's", k, SquareName(m.From), Color(owner))
	case m.To == Den(side):
		return "nobody enters the own den"
	case !steps[m.From].Has(m.To):
		return b.whyNoJump(k, m)
	case Water.Has(m.To) && k != Rat:
		return "only rats enter the water"
	case taken && theirs == side:
		return fmt.Sprintf("the own %v stands on %s", defender, SquareName(m.To))
	}
	return b.whyNoCapture(k, m.From, defender)
}

func (b *Board) whyNoJump(k Kind, m game.Move) string {
	if !k.jumps() {
		return k.some() + " goes one step left, right, up or down"
	}
	at := slices.IndexFunc(jumps[m.From], func(j jump) bool { return j.To == m.To })
	if at < 0 {
		return k.some() + " goes one step left, right, up or down, or straight over water to the nearest land"
	}
	if b.Occupied()&jumps[m.From][at].Over != 0 {
		return "a rat in the water is in the way of the jump"
	}
	side, defender, _ := b.At(m.To)
	if owner, _, _ := b.At(m.From); side == owner {
		return fmt.Sprintf("the own %v stands on %s", defender, SquareName(m.To))
	}
	return b.whyNoCapture(k, m.From, defender)
}

func (b *Board) whyNoCapture(k Kind, from game.Square, defender Kind) string {
	switch {
	case k == Rat && Water.Has(from):
		return "a rat in the water takes nobody on land"
	case k == Elephant && defender == Rat:
		return "an elephant takes a rat only on a trap"
	case b.weak.Has(from):
		return fmt.Sprintf("%s on a trap has strength 0 and cannot take %s", k.some(), defender.some())
	}
	return fmt.Sprintf("%s (strength %d) cannot take %s (strength %d)", k.some(), k.Strength(), defender.some(), defender.Strength())
}

// some is the animal with its article.
func (k Kind) some() string {
	if k == Elephant {
		return "an elephant"
	}
	return "a " + k.String()
}
