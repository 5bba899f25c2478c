package check

import (
	"bytes"
	"fmt"
	"strconv"
	"sync"
	"time"

	"luzhanqi/game"
	"luzhanqi/referee"
)

// witness sees one game and keeps what steps ask for about the program that is checked.
type witness struct {
	side game.Side

	mu     sync.Mutex
	lines  []exchanged
	output []byte // all that the program said, up to mostOutput

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
	mostLines  = 14
	mostLine   = 160 // bytes
	mostOutput = 1 << 20
)

// Message keeps what was said; what is sent in pieces becomes a line again.
func (w *witness) Message(m referee.Message) {
	if m.Side != w.side {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !m.Sent {
		w.output = append(w.output, m.Text[:min(len(m.Text), mostOutput-len(w.output))]...)
	}
	text := m.Text
	if len(m.Arguments) > 0 {
		text = fmt.Appendf(nil, "%q %s", m.Arguments, m.Text)
	}
	for line := range bytes.Lines(text) {
		w.add(m.Sent, line)
	}
}

func (w *witness) add(sent bool, text []byte) {
	if last := len(w.lines) - 1; last >= 0 && w.lines[last].sent == sent && !bytes.HasSuffix(w.lines[last].text, []byte("\n")) {
		l := &w.lines[last]
		keep := min(len(text), max(0, mostLine-len(l.text)))
		l.text, l.more = append(l.text, text[:keep]...), l.more+len(text)-keep
		return
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return // what an answer before had left behind
	}
	if len(w.lines) == mostLines {
		w.lines = append(w.lines[:0], w.lines[1:]...)
	}
	keep := min(len(text), mostLine)
	w.lines = append(w.lines, exchanged{sent, bytes.Clone(text[:keep]), len(text) - keep})
}

// texts are the last lines for people.
func (w *witness) texts() (all []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, l := range w.lines {
		arrow := "< "
		if l.sent {
			arrow = "> "
		}
		text := strconv.Quote(string(bytes.TrimSuffix(l.text, []byte("\n"))))
		text = text[1 : len(text)-1]
		if l.more > 0 {
			text += fmt.Sprintf(" … (%d bytes more)", l.more)
		}
		all = append(all, arrow+text)
	}
	return all
}

// SetUp notes the program's set-up.
func (w *witness) SetUp(side game.Side, s game.SetUp, took time.Duration) {
	if side != w.side {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.setUp, w.setUpTook = s, took
}

// Moved notes how long the program took.
func (w *witness) Moved(before, _ game.Position, p referee.Played) {
	w.begun = true
	if before.Mover() != w.side {
		return
	}
	w.own++
	w.total += p.Took
	if w.own == 1 {
		w.first = p.Took
	} else {
		w.slowest = max(w.slowest, p.Took)
	}
}

// Refused has nothing to note: the ending says it.
func (w *witness) Refused(game.Position, game.Move, error) {}

// Ended notes whether the game ever had a position.
func (w *witness) Ended(pos game.Position, _ *referee.Ending) { w.begun = pos != nil }
