package main

import (
	"fmt"
	"time"

	"luzhanqi/game"
	"luzhanqi/referee"
)

// limitFlags are the time limits that match and check have in common.
type limitFlags struct {
	Time      *time.Duration `help:"Time for a move. Default: the game's (${time} for ${game})."`
	SetUpTime *time.Duration `name:"setup-time" help:"Time for the set-up, from the first message. Default: the game's (${setup} for ${game})."`
	StartTime *time.Duration `name:"start-time" help:"Time for starting, added to each limit of a program that is started anew for each question. Default: the game's (${start} for ${game})."`
	Grace     *time.Duration `help:"Tolerance added to every limit, and time to exit after the end. Default: the game's (${grace} for ${game})."`
}

// limits are those of a game, but for what the flags say.
func (f *limitFlags) limits(l game.Limits) (game.Limits, error) {
	for _, flag := range []struct {
		name         string
		given, limit *time.Duration
		min          time.Duration
	}{
		{"--time", f.Time, &l.Move, referee.MinLimit},
		{"--setup-time", f.SetUpTime, &l.SetUp, referee.MinLimit},
		{"--start-time", f.StartTime, &l.Start, 0},
		{"--grace", f.Grace, &l.Grace, 0},
	} {
		if flag.given == nil {
			continue
		}
		if *flag.given < flag.min || *flag.given > referee.MaxLimit {
			return l, fmt.Errorf("%s %v: allowed are %v to %v", flag.name, *flag.given, flag.min, referee.MaxLimit)
		}
		*flag.limit = *flag.given
	}
	if f.Time != nil {
		l.First = 0 // a time for moves is for the first moves, too
	}
	return l, nil
}
