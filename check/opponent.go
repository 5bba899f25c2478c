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

// An opponent is who plays against the program: a level of ours, changed at one of its turns.
type opponent struct {
	level string // empty: everyLevel
	at    int    // the turn, from 1, at which it does what it is there for; zero: never
	does  act
	sleep time.Duration
	probe *behaviour // not nil: a process instead of a player in this one
}

// everyLevel is the level that plays every game.
const everyLevel = "random"

// act is what an opponent does at its turn.
type act uint8

const (
	actSleep  act = iota // it takes its time, and moves
	actExceed            // it takes more time than it has
	actCheat             // it plays an illegal move
	actCancel            // it has the game broken off, and moves
)

// ampleLimits are never exceeded by an opponent of ours, however busy the machine is.
var ampleLimits = game.Limits{SetUp: time.Minute, Move: time.Minute}

// tinyLimits are exceeded by an opponent that is to lose on time.
var tinyLimits = game.Limits{SetUp: time.Minute, Move: 20 * time.Millisecond}

// entrant makes it take part in a game.
func (o opponent) entrant(g game.Game, cancel func()) (referee.Entrant, error) {
	level, err := levels.Find(g, cmp.Or(o.level, everyLevel))
	if err != nil {
		return referee.Entrant{}, err
	}
	limits := ampleLimits
	if o.at > 0 && o.does == actExceed {
		limits = tinyLimits
	}
	e := referee.Entrant{Name: level.Name, Level: &level, Limits: &limits}
	if o.at > 0 {
		acting := player.Level{Name: level.Name, New: func(g game.Game, options player.Options) player.Player {
			return &actor{Player: level.New(g, options), game: g, opponent: o, cancel: cancel}
		}}
		e.Level = &acting
	}
	return e, nil
}

// actor is a player that does something else at one turn.
type actor struct {
	player.Player
	game game.Game
	opponent
	cancel func()
	turn   int
	seen   []game.Move // that it could have made
}

// Choose plays as the level does, but for one turn.
func (c *actor) Choose(v game.View, deadline time.Time, r *rand.Rand) game.Move {
	m := c.Player.Choose(v, deadline, r)
	c.seen = v.Moves(c.seen)
	if c.turn++; c.turn != c.at {
		return m
	}
	switch c.does {
	case actSleep, actExceed:
		time.Sleep(c.sleep) // to be slow is what this is for
	case actCheat:
		if wrong, ok := illegalMove(c.game, v, c.seen); ok {
			return wrong
		}
	case actCancel:
		c.cancel()
	}
	return m
}
