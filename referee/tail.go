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
	tailEnd     = 50  // of these, bytes of its end, where it is longer
)

// What is kept of what one side says without an answer, where it is lines: what matters comes first, such as the last move and
// the number of legal ones, and a list of these goes on for long.
const (
	headLines = 4
	endLines  = 2
)

// Tail keeps the last messages in both directions, each shortened in the middle.
type Tail struct {
	Max   int  // how many; zero: as many as a foul shows
	Lines bool // messages are lines: pieces are joined up to the end of a line, and blank lines left out; the first ones are kept, too
	ring  []tailBlock
	count int
	first *tailBlock // of lines: what was said at the beginning
}

// tailBlock is what one side says: a message, or lines up to those of the other side.
type tailBlock struct {
	sent  bool
	open  bool       // its last line goes on
	lines int        // in all
	head  []tailLine // the first ones
	end   []tailLine // the last ones of those after them
}

type tailLine struct {
	text []byte // its beginning
	end  []byte // the last bytes of the rest
	rest int    // bytes after its beginning
}

// Add adds a message that the referee sent, or received.
func (t *Tail) Add(sent bool, message []byte) {
	if t.ring == nil {
		t.ring = make([]tailBlock, max(t.Max, usualTail))
	}
	b := &t.ring[(t.count+len(t.ring)-1)%len(t.ring)]
	switch goesOn := t.count > 0 && t.Lines && b.sent == sent; {
	case goesOn && b.open:
		b.last().add(message)
	case t.Lines && len(bytes.TrimSpace(message)) == 0:
		return
	case goesOn:
		b.begin().add(message)
	default:
		if t.Lines && t.count == 1 {
			t.first = b.clone()
		}
		b = &t.ring[t.count%len(t.ring)]
		b.sent, b.lines, b.head, b.end = sent, 0, b.head[:0], b.end[:0]
		t.count++
		b.begin().add(message)
	}
	b.open = !bytes.HasSuffix(message, []byte("\n"))
}

func (b *tailBlock) clone() *tailBlock {
	c := *b
	c.head, c.end = nil, nil
	for _, l := range b.head {
		c.head = append(c.head, tailLine{bytes.Clone(l.text), bytes.Clone(l.end), l.rest})
	}
	return &c
}

// begin makes room for a line.
func (b *tailBlock) begin() *tailLine {
	b.lines++
	if len(b.head) < headLines {
		b.head = grown(b.head)
		return &b.head[len(b.head)-1]
	}
	if len(b.end) == endLines {
		oldest := b.end[0]
		copy(b.end, b.end[1:])
		b.end[endLines-1] = oldest
	} else {
		b.end = grown(b.end)
	}
	l := &b.end[len(b.end)-1]
	l.text, l.end, l.rest = l.text[:0], l.end[:0], 0
	return l
}

// grown is one line longer, and uses the memory of one that was there before.
func grown(lines []tailLine) []tailLine {
	if len(lines) == cap(lines) {
		return append(lines, tailLine{})
	}
	lines = lines[:len(lines)+1]
	l := &lines[len(lines)-1]
	l.text, l.end, l.rest = l.text[:0], l.end[:0], 0
	return lines
}

func (b *tailBlock) last() *tailLine {
	if len(b.end) > 0 {
		return &b.end[len(b.end)-1]
	}
	return &b.head[len(b.head)-1]
}

func (l *tailLine) add(message []byte) {
	kept := text.Prefix(message, max(0, maxTailLine-len(l.text)))
	if l.rest > 0 {
		kept = kept[:0] // a character that did not fit comes before
	}
	l.text = append(l.text, kept...)
	rest := message[len(kept):]
	l.rest += len(rest)
	l.end = append(l.end, rest[max(0, len(rest)-tailEnd):]...)
	l.end = l.end[max(0, len(l.end)-tailEnd):]
}

// said is the line as it is shown: quoted where it is no plain text.
func (l *tailLine) said() string {
	whole := func(b []byte) string {
		quoted := strconv.Quote(string(b))
		return quoted[1 : len(quoted)-1]
	}
	if l.rest == 0 {
		return whole(bytes.TrimSuffix(l.text, []byte("\n")))
	}
	if l.rest <= tailEnd { // what is left out would be shorter than the words for it
		return whole(l.text) + whole(bytes.TrimSuffix(l.end, []byte("\n")))
	}
	begin, end := text.Prefix(l.text, maxTailLine-tailEnd), text.Suffix(bytes.TrimSuffix(l.end, []byte("\n")), tailEnd)
	return whole(begin) + text.More(len(l.text)+l.rest-len(begin)-len(end)) + " " + whole(end)
}

// Texts writes "> " before what the referee sent and "< " before what came back, quoted where it
// is not plain text.
func (t *Tail) Texts() (all []string) {
	from := max(0, t.count-len(t.ring))
	if t.Lines { // as many as fill the room, and one at least
		room := max(t.Max, usualTail)
		at := t.count
		for at > from {
			n := t.ring[(at-1)%len(t.ring)].shown()
			if n > room && at < t.count {
				break
			}
			room -= n
			at--
		}
		if from = at; from > 0 {
			first := t.first
			n := min(2, len(first.head))
			all = append(all, first.texts(first.head[:n])...)
			all = append(all, "…")
		}
	}
	for i := from; i < t.count; i++ {
		b := &t.ring[i%len(t.ring)]
		all = append(all, b.texts(b.head)...)
		if left := b.lines - len(b.head) - len(b.end); left > 0 {
			all = append(all, "  … ("+text.Count(left, "line")+" more)")
		}
		all = append(all, b.texts(b.end)...)
	}
	return all
}

// shown is how many lines Texts writes.
func (b *tailBlock) shown() int { return min(b.lines, headLines+endLines+1) }

func (b *tailBlock) texts(lines []tailLine) (all []string) {
	arrow := "< "
	if b.sent {
		arrow = "> "
	}
	for i := range lines {
		all = append(all, arrow+lines[i].said())
	}
	return all
}
