package check

import (
	"bytes"
	"fmt"
	"strconv"
	"sync"
	"time"

	"luzhanqi/game"
	"luzhanqi/referee"
	"luzhanqi/text"
)

// observer sees one game and keeps what steps ask for about the program that is checked.
type observer struct {
	side game.Side

	mu     sync.Mutex
	lines  []exchanged
	output []byte // all that the program said, up to maxOutput

	setUp     game.SetUp
	setUpTook time.Duration
	own       int           // moves of the program
	first     time.Duration // what its first move took
	slowest   time.Duration // of its later moves
	total     time.Duration // of all its moves
	begun     bool          // there was a position
}

// exchanged is a line of the conversation.
type exchanged struct {
	sent bool
	text []byte
	more int // bytes that were cut
}

const (
	maxLines     = 14
	maxLineBytes = 160 // bytes
	maxOutput    = 1 << 20
)

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
		o.add(m.Sent, line)
	}
}

func (o *observer) add(sent bool, text []byte) {
	if last := len(o.lines) - 1; last >= 0 && o.lines[last].sent == sent && !bytes.HasSuffix(o.lines[last].text, []byte("\n")) {
		l := &o.lines[last]
		keep := min(len(text), max(0, maxLineBytes-len(l.text)))
		l.text, l.more = append(l.text, text[:keep]...), l.more+len(text)-keep
		return
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return // what an answer before had left behind
	}
	if len(o.lines) == maxLines {
		o.lines = append(o.lines[:0], o.lines[1:]...)
	}
	keep := min(len(text), maxLineBytes)
	o.lines = append(o.lines, exchanged{sent, bytes.Clone(text[:keep]), len(text) - keep})
}

// texts are the last lines for people.
func (o *observer) texts() (all []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, l := range o.lines {
		arrow := "< "
		if l.sent {
			arrow = "> "
		}
		line := strconv.Quote(string(bytes.TrimSuffix(l.text, []byte("\n"))))
		all = append(all, arrow+line[1:len(line)-1]+text.More(l.more))
	}
	return all
}

// SetUp notes the program's set-up.
func (o *observer) SetUp(side game.Side, s game.SetUp, took time.Duration) {
	if side != o.side {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.setUp, o.setUpTook = s, took
}

// Moved notes how long the program took.
func (o *observer) Moved(before, _ game.Position, p referee.Played) {
	o.begun = true
	if before.Mover() != o.side {
		return
	}
	o.own++
	o.total += p.Took
	if o.own == 1 {
		o.first = p.Took
	} else {
		o.slowest = max(o.slowest, p.Took)
	}
}

// Refused notes nothing: the ending says it.
func (o *observer) Refused(game.Position, game.Move, error) {}

// Ended notes whether the game ever had a position.
func (o *observer) Ended(pos game.Position, _ *referee.Ending) { o.begun = pos != nil }
