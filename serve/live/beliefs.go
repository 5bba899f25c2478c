package live

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"luzhanqi/game"
	"luzhanqi/serve/film"
)

// mind computes what one side can know, when somebody asks: a position once, whoever asks.
type mind struct {
	mu      sync.Mutex
	thinker *film.Thinker
}

// see keeps what both sides know of a position. The caller holds the lock.
func (l *Game) see(pos game.Position) {
	if film.KindsOf(l.Game) == nil {
		return
	}
	for side := range l.views {
		l.views[side] = append(l.views[side], pos.View(game.Side(side)))
	}
}

// Sees says whether an audience may see what a side knows.
func (l *Game) Sees(who Audience, side game.Side) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Contains(l.open[who].film.Eyes, film.Of(side))
}

// Beliefs are what a side can know of the other's pieces, for an audience that may see what it sees. What
// ctx leaves no time for is left out.
func (l *Game) Beliefs(ctx context.Context, who Audience, side game.Side, opinion bool) (*film.Beliefs, error) {
	if film.KindsOf(l.Game) == nil {
		return nil, fmt.Errorf("%s hides nothing", l.Game.Name())
	}
	if !l.Sees(who, side) {
		return nil, fmt.Errorf("what player %v can know is not shown before the end", side)
	}
	m := &l.minds[side][0]
	if opinion {
		m = &l.minds[side][1]
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.thinker == nil {
		m.thinker = film.NewThinker(l.Game, side, opinion)
	}
	l.mu.Lock()
	views := l.views[side]
	l.mu.Unlock()
	for n := m.thinker.Knows(); n < len(views) && ctx.Err() == nil; n++ {
		m.thinker.Saw(views[n])
	}
	return m.thinker.All(), nil
}
