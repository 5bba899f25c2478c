package debug

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"luzhanqi/game"
	"luzhanqi/player"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

// A Script plays for one side what it played in a record, and from where the game is another one as a level does.
type Script struct {
	Then  player.Level
	setUp game.SetUp
	moves []game.Move
	left  atomic.Bool // the game is another one
}

// NewScript reads the script of a side from a record. The moves of an opening are not its own: the referee plays them.
func NewScript(g game.Game, r *record.Replay, side game.Side, then player.Level) (*Script, error) {
	s := &Script{Then: then, setUp: r.SetUps[side]}
	for i, line := range r.Moves {
		if line.Opening || game.Side(line.Side-1) != side {
			continue
		}
		m, err := g.ParseMove(line.Move)
		if err != nil {
			return nil, fmt.Errorf("ply %d of the record: %w", i+1, err)
		}
		s.moves = append(s.moves, m)
	}
	return s, nil
}

// Entrant is who plays the script.
func (s *Script) Entrant(name string, o player.Options) referee.Entrant {
	level := s.Then
	level.Timed = false // its moves are known, or nobody waits for them by a clock
	level.New = func(g game.Game, o player.Options) player.Player {
		return &scripted{script: s, then: s.Then.New(g, o)}
	}
	return referee.Entrant{Name: name, Level: &level, Options: o}
}

// scripted is the player of one game.
type scripted struct {
	script *Script
	then   player.Player
	next   int
}

func (p *scripted) SetUp(r *rand.Rand) game.SetUp {
	own := p.then.SetUp(r) // drawn in any case, so that it draws its moves from where it did
	if p.script.setUp != "" {
		return p.script.setUp
	}
	return own
}

func (p *scripted) Choose(v game.View, deadline time.Time, r *rand.Rand) game.Move {
	if p.script.left.Load() || p.next >= len(p.script.moves) {
		return p.then.Choose(v, deadline, r)
	}
	p.next++
	return p.script.moves[p.next-1]
}
