package referee

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"time"

	"luzhanqi/game"
	"luzhanqi/player"
)

// builtin is the seat of a player of ours in this process.
type builtin struct {
	player player.Player
	setUp  *rand.Rand // the same in both games of a pair, so that the set-ups stay with the seats
	moves  *rand.Rand
}

// Tell: a player of ours sees what has happened in the view it is asked with.
func (*builtin) Tell(game.Event, game.View) {}

// Ask lets the player choose. It cannot be interrupted, but is judged by the same clock. If it
// panics, that is our fault and the game is void.
func (s *builtin) Ask(_ context.Context, q Question) (a game.Answer, foul *Foul) {
	defer func() {
		if r := recover(); r != nil {
			foul = fouled(Void, "the built-in player failed: %v", r)
			foul.Log = string(debug.Stack())
		}
	}()
	if q.Kind == game.AnswerSetUp {
		a = game.Answer{Kind: game.AnswerSetUp, SetUp: s.player.SetUp(s.setUp)}
	} else {
		a = game.Answer{Kind: game.AnswerMove, Move: s.player.Choose(q.View, player.Due(q.Start, q.Limit), s.moves)}
	}
	if late := time.Since(q.Deadline); late > 0 {
		return a, fouled(TimedOut, "answered %v after %v", late, fmt.Sprintf("%v + %v grace", q.Limit, q.Deadline.Sub(q.Start)-q.Limit))
	}
	return a, nil
}

// Close has nothing to close.
func (*builtin) Close(time.Duration) Report { return Report{} }
