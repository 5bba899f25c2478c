package referee

import (
	"fmt"
	"strconv"
)

const (
	linesKept = 12  // how many of the last messages a foul shows
	talkKept  = 40  // how many lines of a program that talks to a person: two boards of the usual size
	lineKept  = 200 // bytes of each
)

// lines are the last messages in both directions, each cut.
type lines struct {
	ring  []line
	most  int // zero: linesKept
	count int
}

type line struct {
	sent bool
	text []byte
	more int // bytes that were cut
}

func (l *lines) add(sent bool, text []byte) {
	if l.ring == nil {
		l.ring = make([]line, max(l.most, linesKept))
	}
	slot := &l.ring[l.count%len(l.ring)]
	slot.sent, slot.more = sent, max(0, len(text)-lineKept)
	slot.text = append(slot.text[:0], text[:len(text)-slot.more]...)
	l.count++
}

// texts writes "> " before what the referee sent and "< " before what came back, quoted where it
// is not plain text.
func (l *lines) texts() (all []string) {
	for i := max(0, l.count-len(l.ring)); i < l.count; i++ {
		slot := l.ring[i%len(l.ring)]
		arrow := "< "
		if slot.sent {
			arrow = "> "
		}
		text := strconv.Quote(string(slot.text))
		text = text[1 : len(text)-1]
		if n := len(text); n > 2 && text[n-2:] == `\n` {
			text = text[:n-2]
		}
		if slot.more > 0 {
			text += fmt.Sprintf(" … (%d bytes more)", slot.more)
		}
		all = append(all, arrow+text)
	}
	return all
}
