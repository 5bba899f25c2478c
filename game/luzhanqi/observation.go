package luzhanqi

import "luzhanqi/game"

// Observation holds the facts that both sides learn from one move. It says nothing that only one of them may
// know: the same value goes into both views.
type Observation struct {
	Mover  game.Side
	Move   game.Move
	Result Result
	Flags  []Reveal // the flags shown because a field marshal fell, the attacker's first
	// Over says that this move ended the game by a captured flag or by repetition. Then nothing
	// but the end is announced.
	Over bool
}

// Reveal is a flag that everybody now sees.
type Reveal struct {
	Owner  game.Side
	Square game.Square
}

// moment is one observation with those before it: a list that grows at its head, so that all
// views of a game share it and none has to be copied.
type moment struct {
	Observation
	before *moment
	count  int
}

func (m *moment) then(o Observation) moment {
	next := moment{Observation: o, before: m, count: 1}
	if m != nil {
		next.count += m.count
	}
	return next
}
