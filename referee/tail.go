package referee

import (
	"bytes"
	"strconv"

	"luzhanqi/text"
)

const (
	usualTail   = 12  // how many of the last messages a foul shows
	consoleTail = 40  // how many lines of a program that talks to a person: two boards of the usual size
	maxTailLine = 200 // bytes of each
)

// Tail keeps the last messages in both directions, each cut.
type Tail struct {
	Max   int  // how many; zero: as many as a foul shows
	Lines bool // messages are lines: pieces are joined up to the end of a line, and blank lines left out
	ring  []tailLine
	count int
}

type tailLine struct {
	sent bool
	open bool // the line goes on
	text []byte
	more int // bytes that were cut
}

// Add adds a message that the referee sent, or received.
func (t *Tail) Add(sent bool, message []byte) {
	if t.ring == nil {
		t.ring = make([]tailLine, max(t.Max, usualTail))
	}
	last := &t.ring[(t.count+len(t.ring)-1)%len(t.ring)]
	if !t.Lines || !last.open || last.sent != sent {
		if t.Lines && len(bytes.TrimSpace(message)) == 0 {
			return
		}
		last = &t.ring[t.count%len(t.ring)]
		last.sent, last.text, last.more = sent, last.text[:0], 0
		t.count++
	}
	kept := text.Prefix(message, max(0, maxTailLine-len(last.text)))
	last.text, last.more = append(last.text, kept...), last.more+len(message)-len(kept)
	last.open = !bytes.HasSuffix(message, []byte("\n"))
}

// Texts writes "> " before what the referee sent and "< " before what came back, quoted where it
// is not plain text.
func (t *Tail) Texts() (all []string) {
	for i := max(0, t.count-len(t.ring)); i < t.count; i++ {
		line := t.ring[i%len(t.ring)]
		arrow := "< "
		if line.sent {
			arrow = "> "
		}
		quoted := strconv.Quote(string(bytes.TrimSuffix(line.text, []byte("\n"))))
		all = append(all, arrow+quoted[1:len(quoted)-1]+text.More(line.more))
	}
	return all
}
