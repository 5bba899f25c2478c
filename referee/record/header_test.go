package record_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/player/levels"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

// sleeper takes its time over every move.
type sleeper struct{ player.Player }

const nap = 60 * time.Millisecond

func (s sleeper) SetUp(r *rand.Rand) game.SetUp { return s.Player.SetUp(r) }

func (s sleeper) Choose(v game.View, deadline time.Time, r *rand.Rand) game.Move {
	time.Sleep(nap)
	return s.Player.Choose(v, deadline, r)
}

// Each player has its own limits, which the record keeps: with them the same game is judged again, and
// played again.
func TestOwnLimits(t *testing.T) {
	g := luzhanqi.Game{}
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		t.Fatal(err)
	}
	limits := g.Limits()
	limits.Move, limits.Grace, limits.MaxPlies = nap/2, 0, 4
	patient := limits
	patient.Move = time.Minute
	random, err := levels.Find(g, "random")
	if err != nil {
		t.Fatal(err)
	}
	slow := random
	slow.Timed = true
	slow.New = func(g game.Game, o player.Options) player.Player { return sleeper{random.New(g, o)} }
	for _, c := range []struct {
		own  *game.Limits
		want referee.Code
	}{{nil, referee.TimedOut}, {&patient, referee.Drawn}} {
		f := &referee.Game{
			Conditions: referee.Conditions{Game: g, Rules: rules, Limits: limits}, Seed: 1, Number: 1, Attempt: 1,
			Entrants: [2]referee.Entrant{{Name: "quick", Level: &random}, {Name: "slow", Level: &slow, Limits: c.own}},
		}
		var kept bytes.Buffer
		o, err := f.Play(context.Background(), record.NewWriter(&kept, f))
		if err != nil {
			t.Fatal(err)
		}
		if o.Ending.Code != c.want {
			t.Errorf("own limits %v: %s, %s; want %s", c.own, o.Ending.Code, o.Ending.Reason, c.want)
		}
		replay, err := record.Read(&kept, func(string) (game.Game, error) { return g, nil })
		if err != nil || len(replay.Disagreements) > 0 {
			t.Errorf("judged again: %v, %v", err, replay.Disagreements)
		}
		again, err := replay.Header.ToPlay(func(string) (game.Game, error) { return g, nil })
		if err != nil {
			t.Fatal(err)
		}
		switch own := again.Entrants[1].Limits; {
		case (own == nil) != (c.own == nil), own != nil && *own != *c.own:
			t.Errorf("read back: %v, want %v", own, c.own)
		case again.Limits != f.Limits, again.Seed != f.Seed, again.Number != f.Number, again.Rules.String() != f.Rules.String():
			t.Errorf("read back: %+v", again)
		}
	}
}
