package alphabeta

import "luzhanqi/game"

// Stack is what the trees of all games do alike: the boards from the root to the current position, whose
// turn it is, and how far the game is from its cap. A tree embeds one and adds the rules and the
// evaluation.
type Stack[B any] struct {
	boards []B
	mover  game.Side
	ply    int
	cap    int // plies of the whole game after which it is drawn; zero: never
}

// NewStack begins with one board.
func NewStack[B any](b B, mover game.Side, ply, cap int) Stack[B] {
	s := Stack[B]{boards: make([]B, 1, 2*MaxDepth), mover: mover, ply: ply, cap: cap}
	s.boards[0] = b
	return s
}

// Board is the current one. It is the stack's: good until the next Push, Pass or Back.
func (s *Stack[B]) Board() *B { return &s.boards[len(s.boards)-1] }

// Mover, Ply, Left, Pass and Back implement Tree.
func (s *Stack[B]) Mover() game.Side { return s.mover }

// Ply is how many moves of the game were played.
func (s *Stack[B]) Ply() int { return s.ply }

// unlimited is what is left of a game without a cap: more plies than any proof has.
const unlimited = 1 << 20

// Left is how many plies may still be played before the game is drawn.
func (s *Stack[B]) Left() int {
	if s.cap == 0 {
		return unlimited
	}
	return s.cap - s.ply
}

// AtCap says that the game is drawn here, unless its rules end it otherwise.
func (s *Stack[B]) AtCap() bool { return s.cap != 0 && s.ply >= s.cap }

// Push goes one move down and returns the board to make the move on, a copy of the one before.
func (s *Stack[B]) Push() *B {
	n := len(s.boards)
	s.boards = append(s.boards, s.boards[n-1])
	s.mover, s.ply = s.mover.Other(), s.ply+1
	return &s.boards[n]
}

// Pass goes one move down without a move.
func (s *Stack[B]) Pass() { s.Push() }

// Back goes one move up.
func (s *Stack[B]) Back() {
	s.boards = s.boards[:len(s.boards)-1]
	s.mover, s.ply = s.mover.Other(), s.ply-1
}

// Fork is a stack whose only board is the current one.
func (s *Stack[B]) Fork() Stack[B] { return NewStack(*s.Board(), s.mover, s.ply, s.cap) }

// keyedPlies is how near the cap the key depends on the plies that are left, since there the value does.
const keyedPlies = 24

// Keyed mixes what the cap makes of a position into the board's key.
func (s *Stack[B]) Keyed(key uint64) uint64 {
	if left := s.Left(); left < keyedPlies {
		key ^= uint64(left+1) * 0x9e3779b97f4a7c15
	}
	return key
}

// fadingPlies is how near the cap an advantage begins to be worth less, since the game will be drawn.
const fadingPlies = 40

// Faded is what a score is worth so near to the cap.
func (s *Stack[B]) Faded(score int32) int32 {
	if left := s.Left(); left < fadingPlies {
		return score * int32(left) / fadingPlies
	}
	return score
}
