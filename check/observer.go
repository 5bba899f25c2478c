package check

import (
	"bytes"
	"fmt"
	"sync"
	"time"

	"luzhanqi/game"
	"luzhanqi/referee"
)

// observer sees one game and keeps what steps ask for about the program that is checked.
type observer struct {
	referee.NoObserver // of refused moves the ending tells
	side               game.Side

	mu     sync.Mutex
	tail   referee.Tail
	output []byte // all that the program said, up to maxOutput

	setUp     game.SetUp
	setUpTook time.Duration
	own       int           // moves of the program
	first     time.Duration // what its first move took
	slowest   time.Duration // of its later moves
	total     time.Duration // of all its moves
	begun     bool          // there was a position
}

const (
	maxLines  = 14      // of the conversation that a failure shows
	maxOutput = 1 << 20 // bytes
)

func newObserver(side game.Side) *observer {
	return &observer{side: side, tail: referee.Tail{Max: maxLines, Lines: true}}
}

// Message keeps what was said; what is sent in pieces becomes a line again.
func (o *observer) Message(m referee.Message) {
	if m.Side != o.side {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if !m.Sent {
		o.output = append(o.output, m.Text[:min(len(m.Text), maxOutput-len(o.output))]...)
	}
	text := m.Text
	if len(m.Arguments) > 0 {
		text = fmt.Appendf(nil, "%q %s", m.Arguments, m.Text)
	}
	for line := range bytes.Lines(text) {
		o.tail.Add(m.Sent, line)
	}
}

// SetUp notes the program's set-up.
func (o *observer) SetUp(side game.Side, s game.SetUp, took, starved time.Duration) {
	if side != o.side {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.setUp, o.setUpTook = s, took-starved
}

// Moved notes how long the program took.
func (o *observer) Moved(before, _ game.Position, p referee.Played) {
	o.begun = true
	if before.Mover() != o.side || p.Opening {
		return
	}
	o.own++
	took := p.Took - p.Starved
	o.total += took
	if o.own == 1 {
		o.first = took
	} else {
		o.slowest = max(o.slowest, took)
	}
}

// Ended notes whether the game ever had a position.
func (o *observer) Ended(pos game.Position, _ *referee.Ending) { o.begun = pos != nil }
