//go:build unix

package referee_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"luzhanqi/game/games"
	"luzhanqi/process"
	"luzhanqi/referee"
)

// Two programs play a match of two games. One gives up at once, and the other never answers.
func ExampleMatch() {
	g, err := games.Find("jungle")
	if err != nil {
		panic(err)
	}
	m := referee.Match{
		Conditions:  referee.Conditions{Game: g, Limits: g.Limits()},
		Games:       2,
		Concurrency: 1,
		Ended: func(r referee.Result, _ referee.Score) {
			what, _, _ := strings.Cut(r.Ending.Reason, ";") // and what it did meanwhile
			fmt.Printf("game %d: %s: %s\n", r.Number, r.Ending.Code, what)
		},
	}
	m.Limits.First, m.Limits.Move, m.Limits.Grace = 0, 100*time.Millisecond, 50*time.Millisecond
	for i, script := range []string{"exit 3", "exec sleep 60"} {
		m.Entrants[i] = referee.Entrant{
			Name:     []string{"dies", "sleeps"}[i],
			Protocol: g.Protocols()[0],
			Command: process.Command{
				Args:    []string{"/bin/sh", "-c", script},
				Confine: process.Confinement{CPU: time.Second},
			},
		}
	}
	score, err := m.Run(context.Background())
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d – %d\n", score.Wins[0], score.Wins[1])
	// Output:
	// game 1: crashed: player 1 (dies) exited with code 3 before the end of the game
	// game 2: timeout: player 1 (sleeps) did not send a move within 100ms + 50ms grace
	// 1 – 1
}
