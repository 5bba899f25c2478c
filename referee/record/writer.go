package record

import (
	"bytes"
	"io"
	"os"
	"sync"
	"time"
	"unicode/utf8"

	"luzhanqi/game"
	"luzhanqi/referee"
	"luzhanqi/text"
)

// Writer writes a record while the game goes on. Whole lines are written, so that a crash of the machine tears at most one.
// A ply is written at once if the last write is [Behind] ago; else it waits for others, until then.
type Writer struct {
	game    game.Game
	mu      sync.Mutex
	start   time.Time
	to      io.Writer
	waiting []byte // lines that are not yet written
	written time.Time
	timer   *time.Timer // writes what waits; nil: nothing ever had to wait
	timed   bool        // it will
	err     error       // the first
}

const (
	// Behind is how far a record may be behind its game. A system call for each ply of a fast game costs more than the ply.
	Behind = 10 * time.Millisecond
	// most is how much waits at most, in bytes: some thirty plies.
	most = 16 << 10
)

// NewWriter begins the record of a game that begins now.
func NewWriter(to io.Writer, g *referee.Game) *Writer {
	w := &Writer{game: g.Game, start: time.Now(), to: to}
	w.waiting = appendJSON(nil, HeaderOf(g, w.start))
	w.flush(w.start)
	return w
}

// Err is the first error in writing. The game goes on without its record.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// flush writes what waits.
func (w *Writer) flush(now time.Time) {
	if len(w.waiting) > 0 {
		if _, err := w.to.Write(w.waiting); err != nil && w.err == nil {
			w.err = err
		}
	}
	w.waiting, w.written = w.waiting[:0], now
}

// add writes a line about what happened at a time; said is the text of a message. Messages and refused moves wait until the
// ply is complete.
func (w *Writer) add(at time.Time, line Line, said []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	line.T = text.Milliseconds(at.Sub(w.start))
	w.waiting = line.appendTo(w.waiting, said)
	switch {
	case line.Event == "setup" || line.Event == "end" || len(w.waiting) >= most:
		w.flush(at)
	case line.Event != "move":
	case at.Sub(w.written) >= Behind:
		w.flush(at)
	default:
		w.later()
	}
}

// later writes what waits when that may wait no longer.
func (w *Writer) later() {
	switch {
	case w.timed:
		return
	case w.timer == nil:
		w.timer = time.AfterFunc(Behind, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.timed = false
			w.flush(time.Now())
		})
	default:
		w.timer.Reset(Behind)
	}
	w.timed = true
}

// end writes what waits; the timer has nothing to do after it.
func (w *Writer) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flush(time.Now())
	if w.timer != nil {
		w.timer.Stop()
	}
}

func (w *Writer) Message(m referee.Message) {
	line := Line{Event: "received", Side: m.Side.Number(), Args: m.Arguments, Heard: m.Heard}
	if m.Sent {
		line.Event = "sent"
	}
	said := m.Text
	if !utf8.Valid(said) {
		line.Bytes, said = said, nil
	}
	w.add(m.At, line, said)
}

func (w *Writer) SetUp(side game.Side, s game.SetUp, took, starved time.Duration) {
	w.add(time.Now(), Line{Event: "setup", Side: side.Number(), SetUp: string(s), Took: text.Milliseconds(took), Starved: text.Milliseconds(starved)}, nil)
}

func (w *Writer) Moved(before, after game.Position, p referee.Played) {
	var left *float64
	if p.Left != nil {
		ms := text.Milliseconds(*p.Left)
		left = &ms
	}
	w.add(time.Now(), Line{
		Event: "move", Side: before.Mover().Number(), Ply: after.Ply(), Move: w.game.FormatMove(p.Move),
		Took: text.Milliseconds(p.Took), Starved: text.Milliseconds(p.Starved), Drawn: p.Drawn, Opening: p.Opening, Comment: p.Comment, Explanation: p.Why, Value: p.Value, Left: left,
		RoundTrip: text.Milliseconds(p.RoundTrip), Broken: text.Milliseconds(p.Broken),
	}, nil)
}

func (w *Writer) Refused(pos game.Position, m game.Move, why error) {
	w.add(time.Now(), Line{
		Event: "illegal", Side: pos.Mover().Number(), Ply: pos.Ply() + 1, Move: w.game.FormatMove(m), Why: why.Error(),
	}, nil)
}

func (w *Writer) Ended(_ game.Position, e *referee.Ending) {
	w.add(time.Now(), Line{Event: "end", End: e}, nil)
}

// Buffer is a Writer that also keeps the record in memory, so that it can be saved at any time.
type Buffer struct {
	*Writer
	memory bytes.Buffer
}

// NewBuffer begins a record that is written to to, too, unless that is nil.
func NewBuffer(to io.Writer, g *referee.Game) *Buffer {
	k := &Buffer{}
	if to == nil {
		to = io.Discard
	}
	k.Writer = NewWriter(io.MultiWriter(&k.memory, to), g)
	return k
}

// Save writes all of the record that is there to a file, which must not exist yet.
func (k *Buffer) Save(file string) error {
	k.mu.Lock()
	k.flush(time.Now())
	soFar := bytes.Clone(k.memory.Bytes())
	k.mu.Unlock()
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	if _, err := f.Write(soFar); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
