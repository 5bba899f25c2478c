package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"sync"
	"time"
	"unicode/utf8"

	"luzhanqi/game"
	"luzhanqi/referee"
	"luzhanqi/text"
)

// Writer writes a record while the game goes on. Each ply is written as a whole, so that a crash
// of the machine tears at most one line.
type Writer struct {
	game  game.Game
	mu    sync.Mutex
	start time.Time
	out   *bufio.Writer
	json  *json.Encoder
	err   error // the first
}

// NewWriter begins the record of a game that begins now.
func NewWriter(to io.Writer, g *referee.Game) *Writer {
	w := &Writer{game: g.Game, start: time.Now(), out: bufio.NewWriter(to)}
	w.json = json.NewEncoder(w.out)
	w.json.SetEscapeHTML(false) // outcomes are full of < and >
	w.write(HeaderOf(g, w.start))
	w.flush()
	return w
}

// Err is the first error in writing. The game goes on without its record.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

func (w *Writer) write(line any) {
	if err := w.json.Encode(line); err != nil && w.err == nil {
		w.err = err
	}
}

func (w *Writer) flush() {
	if err := w.out.Flush(); err != nil && w.err == nil {
		w.err = err
	}
}

// add writes a line about what happened at a time. Messages and refused moves stay in the buffer until the ply is
// complete.
func (w *Writer) add(at time.Time, line Line) {
	w.mu.Lock()
	defer w.mu.Unlock()
	line.T = text.Milliseconds(at.Sub(w.start))
	w.write(line)
	switch line.Event {
	case "setup", "move", "end":
		w.flush()
	}
}

func (w *Writer) Message(m referee.Message) {
	line := Line{Event: "received", Side: m.Side.Number(), Args: m.Arguments, Heard: m.Heard}
	if m.Sent {
		line.Event = "sent"
	}
	if utf8.Valid(m.Text) {
		line.Text = string(m.Text)
	} else {
		line.Bytes = m.Text
	}
	w.add(m.At, line)
}

func (w *Writer) SetUp(side game.Side, s game.SetUp, took, starved time.Duration) {
	w.add(time.Now(), Line{Event: "setup", Side: side.Number(), SetUp: string(s), Took: text.Milliseconds(took), Starved: text.Milliseconds(starved)})
}

func (w *Writer) Moved(before, after game.Position, p referee.Played) {
	w.add(time.Now(), Line{
		Event: "move", Side: before.Mover().Number(), Ply: after.Ply(), Move: w.game.FormatMove(p.Move),
		Took: text.Milliseconds(p.Took), Starved: text.Milliseconds(p.Starved), Drawn: p.Drawn, Comment: p.Comment, Explanation: p.Why,
	})
}

func (w *Writer) Refused(pos game.Position, m game.Move, why error) {
	w.add(time.Now(), Line{
		Event: "illegal", Side: pos.Mover().Number(), Ply: pos.Ply() + 1, Move: w.game.FormatMove(m), Why: why.Error(),
	})
}

func (w *Writer) Ended(_ game.Position, e *referee.Ending) {
	w.add(time.Now(), Line{Event: "end", End: e})
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
	k.flush()
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
