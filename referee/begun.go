package referee

import (
	"context"
	"sync"
	"time"

	"luzhanqi/game"
)

// Begun is what has been played of a game that goes on: its set-ups, empty where they are to be asked for, and its first
// moves.
type Begun struct {
	SetUps [2]game.SetUp
	Moves  []game.Move
}

// begunSeat answers with what has been played, and then asks the seat.
type begunSeat struct {
	Seat
	setUp game.SetUp
	rest  *[]game.Move // of both sides: the loop asks them in the order of the moves
}

// over seats what has been played before both seats.
func (b *Begun) over(seats *[2]Seat) {
	rest := append([]game.Move{}, b.Moves...)
	for side, seat := range seats {
		seats[side] = &begunSeat{seat, b.SetUps[side], &rest}
	}
}

func (s *begunSeat) Ask(ctx context.Context, q Question) (game.Answer, *Foul) {
	switch {
	case q.Kind == game.AnswerSetUp && s.setUp != "":
		return game.Answer{Kind: game.AnswerSetUp, SetUp: s.setUp}, nil
	case q.Kind == game.AnswerMove && len(*s.rest) > 0:
		m := (*s.rest)[0]
		*s.rest = (*s.rest)[1:]
		return game.Answer{Kind: game.AnswerMove, Move: m}, nil
	}
	return s.Seat.Ask(ctx, q)
}

// history keeps what a game can be begun with again.
type history struct {
	NoObserver
	mu     sync.Mutex // set-ups come from two goroutines
	begun  Begun
	movers []game.Side
	pos    game.Position // the latest
}

func (h *history) SetUp(side game.Side, s game.SetUp, _, _ time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.begun.SetUps[side] = s
}

func (h *history) Moved(before, after game.Position, p Played) {
	h.begun.Moves = append(h.begun.Moves, p.Move)
	h.movers = append(h.movers, before.Mover())
	h.pos = after
}

// before is the game as it was when a side was to make its latest move; false: it has made none.
func (h *history) before(side game.Side) (Begun, bool) {
	for ply := len(h.movers) - 1; ply >= 0; ply-- {
		if h.movers[ply] == side {
			return Begun{h.begun.SetUps, append([]game.Move{}, h.begun.Moves[:ply]...)}, true
		}
	}
	return Begun{}, false
}

// hides says whether one player does not see all that the other does: in the latest position, or from the beginning if g has
// set-ups.
func (h *history) hides(g game.Game) bool {
	if h.pos == nil {
		return g.HasSetUp()
	}
	return h.pos.Draw(game.DrawStyle{}) != h.pos.View(game.First).Draw(game.DrawStyle{})
}
