package check

import (
	"cmp"
	"math/rand/v2"
	"time"

	"luzhanqi/game"
	"luzhanqi/player"
	"luzhanqi/player/levels"
	"luzhanqi/referee"
)

// opponent plays against the program: a level of ours that deviates at one of its turns.
type opponent struct {
	level     string // empty: everyLevel
	deviation deviation
	turn      int // of the deviation, from 1; zero: it never deviates
	sleep     time.Duration
	probe     *behaviour // not nil: a process instead of a player in this one
}

// everyLevel is the level that plays every game.
const everyLevel = "random"

// deviation says what an opponent does besides playing as its level does.
type deviation uint8

const (
	thinksLong   deviation = iota // sleeps within its limit, and moves
	exceedsTime                   // sleeps beyond its limit
	playsIllegal                  // plays an illegal move
	breaksOff                     // cancels the game's context, and moves
)

// ampleLimits are never exceeded by an opponent of ours, however busy the machine is.
var ampleLimits = game.Limits{SetUp: time.Minute, Move: time.Minute}

// tinyLimits are exceeded by an opponent that is to lose on time.
var tinyLimits = game.Limits{SetUp: time.Minute, Move: 20 * time.Millisecond}

// deviates says whether it deviates in this way.
func (o *opponent) deviates(how deviation) bool { return o.turn > 0 && o.deviation == how }

// entrant returns the opponent as an entrant of a game, which cancel breaks off.
func (o opponent) entrant(g game.Game, cancel func()) (referee.Entrant, error) {
	level, err := levels.Find(g, cmp.Or(o.level, everyLevel))
	if err != nil {
		return referee.Entrant{}, err
	}
	limits := ampleLimits
	if o.deviates(exceedsTime) {
		limits = tinyLimits
	}
	e := referee.Entrant{Name: level.Name, Level: &level, Limits: &limits}
	if o.turn > 0 {
		acting := player.Level{Name: level.Name, New: func(g game.Game, options player.Options) player.Player {
			return &deviatingPlayer{Player: level.New(g, options), game: g, opponent: o, cancel: cancel}
		}}
		acting.Timed = o.deviates(exceedsTime) // no clock runs for a level whose moves do not depend on time
		e.Level = &acting
	}
	return e, nil
}

// deviatingPlayer plays as a level does, but for one turn.
type deviatingPlayer struct {
	player.Player
	game game.Game
	opponent
	cancel func()
	turns  int
	seen   []game.Move // that it could have made
}

// Choose asks the level, and deviates at its turn.
func (c *deviatingPlayer) Choose(v game.View, deadline time.Time, r *rand.Rand) game.Move {
	m := c.Player.Choose(v, deadline, r)
	c.seen = v.Moves(c.seen)
	if c.turns++; c.turns != c.turn {
		return m
	}
	switch c.deviation {
	case thinksLong, exceedsTime:
		time.Sleep(c.sleep)
	case playsIllegal:
		if wrong, ok := illegalMove(c.game, v, c.seen); ok {
			return wrong
		}
	case breaksOff:
		c.cancel()
	}
	return m
}
