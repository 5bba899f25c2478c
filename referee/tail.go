package referee

import (
	"strconv"

	"luzhanqi/text"
)

const (
	usualTail   = 12  // how many of the last messages a foul shows
	consoleTail = 40  // how many lines of a program that talks to a person: two boards of the usual size
	maxTailLine = 200 // bytes of each
)

// tail is the last messages in both directions, each cut.
type tail struct {
	ring  []tailLine
	max   int // zero: usualTail
	count int
}

type tailLine struct {
	sent bool
	text []byte
	more int // bytes that were cut
}

func (t *tail) add(sent bool, message []byte) {
	if t.ring == nil {
		t.ring = make([]tailLine, max(t.max, usualTail))
	}
	kept := text.Prefix(message, maxTailLine)
	slot := &t.ring[t.count%len(t.ring)]
	slot.sent, slot.more = sent, len(message)-len(kept)
	slot.text = append(slot.text[:0], kept...)
	t.count++
}

// texts writes "> " before what the referee sent and "< " before what came back, quoted where it
// is not plain text.
func (t *tail) texts() (all []string) {
	for i := max(0, t.count-len(t.ring)); i < t.count; i++ {
		slot := t.ring[i%len(t.ring)]
		arrow := "< "
		if slot.sent {
			arrow = "> "
		}
		quoted := strconv.Quote(string(slot.text))
		quoted = quoted[1 : len(quoted)-1]
		if n := len(quoted); n > 2 && quoted[n-2:] == `\n` {
			quoted = quoted[:n-2]
		}
		all = append(all, arrow+quoted+text.More(slot.more))
	}
	return all
}
