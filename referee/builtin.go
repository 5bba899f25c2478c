package referee

import (
	"context"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/player"
)

// builtin is the seat of a player of ours in this process.
type builtin struct {
	player player.Player
	why    bool // its moves are to be explained
	timed  bool // they depend on the time that it is given; else no clock runs for it
	setUp  *rand.Rand
	moves  *rand.Rand
}

// newBuiltin seats a player for one game.
func newBuiltin(g *Game, side game.Side) *builtin {
	e, plies := &g.Entrants[side], g.Limits.MaxPlies
	options := e.Options
	options.Rules, options.MaxPlies = g.Rules, &plies
	if options.Threads == 0 { // games at a time share the processors
		options.Threads = max(1, runtime.GOMAXPROCS(0)/max(1, g.Concurrency))
	}
	return &builtin{
		player: e.Level.New(g.Game, options), why: e.Explain, timed: e.Timed(), setUp: setUpsOf(g, side),
		moves: rand.New(rand.NewPCG(^g.Seed, uint64(g.Number)<<2|uint64(side))),
	}
}

// setUpsOf returns the source of a side's set-up: the same in both games of a pair, so that the set-ups stay
// with the seats.
func setUpsOf(g *Game, side game.Side) *rand.Rand {
	return rand.New(rand.NewPCG(g.Seed, uint64(Pair(g.Number))<<2|uint64(side)))
}

// Draws returns the source of the moves that players leave to the referee in one game of a match. Each player has
// its own source, so that none depends on what the others draw.
func Draws(seed uint64, number int) *rand.Rand {
	return rand.New(rand.NewPCG(^seed, uint64(number)<<2|2))
}

// Tell: a player of ours sees what has happened in the view it is asked with.
func (*builtin) Tell(game.Event, game.View) {}

// Allowance lets a level that does not depend on time take as long as the machine needs.
func (s *builtin) Allowance() time.Duration {
	if s.timed {
		return 0
	}
	return MaxLimit
}

// Ask lets the player choose. It cannot be interrupted, but the same clock decides whether it was late, if it depends on
// time at all. If it panics, the game is void.
func (s *builtin) Ask(_ context.Context, q Question) (a game.Answer, foul *Foul) {
	defer func() {
		if r := recover(); r != nil {
			foul = voided(ByMachine, "the built-in player failed: %v", r)
			foul.Log = string(debug.Stack())
		}
	}()
	span := clock.Begin()
	if q.Kind == game.AnswerSetUp {
		a = game.Answer{Kind: game.AnswerSetUp, SetUp: s.player.SetUp(s.setUp)}
	} else {
		a = game.Answer{Kind: game.AnswerMove, Move: s.player.Choose(q.View, player.Due(q.Start, q.Limit), s.moves)}
	}
	now := clock.Now()
	if late := now.Sub(q.Deadline); s.timed && late > 0 && late > span.Stopped(q.Start, now) { // it stands still with the referee
		return a, fouled(TimedOut, "answered %v after %s", late, q.time())
	}
	return a, nil
}

// explain says what was behind the latest move, if that was asked for and the level searches.
func (s *builtin) explain() *player.Explanation {
	if who, ok := s.player.(player.Explainer); ok && s.why {
		if e, ok := who.Explain(); ok {
			return &e
		}
	}
	return nil
}

func (*builtin) Close(time.Duration) Postmortem { return Postmortem{} }
