package referee

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"luzhanqi/game"
	"luzhanqi/player"
)

// Schema is the version of the record format. docs/record.md describes it.
const Schema = 1

// Header is the first line of a record: all that is needed to play the game again.
type Header struct {
	Event       string          `json:"event"` // "header"
	Schema      int             `json:"schema"`
	Version     string          `json:"version"` // of this program
	Game        string          `json:"game"`
	Rules       string          `json:"rules"` // of the game, every option written out
	Retries     int             `json:"illegal_retries"`
	Limits      RecordLimits    `json:"limits"`
	Players     [2]RecordPlayer `json:"players"`
	Seed        uint64          `json:"seed"`   // of the series
	Number      int             `json:"number"` // of the game in the series, from 1
	Attempt     int             `json:"attempt"`
	Started     time.Time       `json:"started"`
	Concurrency int             `json:"concurrency"`
}

// RecordLimits are game.Limits in milliseconds.
type RecordLimits struct {
	SetUp    float64 `json:"setup_ms"`
	First    float64 `json:"first_ms,omitempty"`
	Move     float64 `json:"move_ms"`
	Start    float64 `json:"start_ms,omitempty"`
	Grace    float64 `json:"grace_ms"`
	MaxPlies int     `json:"max_plies"`
}

// RecordPlayer is who sat at one seat.
type RecordPlayer struct {
	Name     string   `json:"name"`
	Command  []string `json:"command,omitempty"` // of a program, without what the protocol adds
	Protocol string   `json:"protocol,omitempty"`
	Adapter  *Adapter `json:"adapter,omitempty"`
	Level    string   `json:"level,omitempty"` // of a built-in player
	Nodes    int      `json:"nodes,omitempty"`
	Person   bool     `json:"person,omitempty"` // at a terminal, without a clock
	// Limits are its own, instead of the game's but for the cap of plies.
	Limits *RecordLimits `json:"limits,omitempty"`
}

func (e Entrant) record() RecordPlayer {
	p := RecordPlayer{Name: e.Name}
	if e.Level != nil {
		p.Level, p.Nodes = e.Level.Name, e.Options.Nodes
	} else {
		p.Command, p.Protocol, p.Adapter = e.Command.Args, e.Protocol.Name(), e.Adapter
	}
	if e.Limits != nil {
		own := recordLimits(*e.Limits)
		p.Limits = &own
	}
	return p
}

// Line is any later line of a record; which members it has depends on Event.
type Line struct {
	Event   string   `json:"event"`          // "sent", "received", "setup", "move", "illegal", "end"
	T       float64  `json:"t_ms"`           // since the header
	Side    int      `json:"side,omitempty"` // 1 or 2
	Ply     int      `json:"ply,omitempty"`  // of a move: 1 for the first
	Text    string   `json:"text,omitempty"` // sent, received: the bytes, if they are UTF-8
	Bytes   []byte   `json:"base64,omitempty"`
	Args    []string `json:"arguments,omitempty"` // sent: of a process started for this question
	Heard   Heard    `json:"heard,omitempty"`     // received
	SetUp   string   `json:"setup,omitempty"`
	Move    string   `json:"move,omitempty"` // in player 1's frame
	Took    float64  `json:"took_ms,omitempty"`
	Drawn   bool     `json:"drawn,omitempty"`   // move: by the referee
	Comment string   `json:"comment,omitempty"` // move: the program's
	Why     string   `json:"why,omitempty"`
	// Explanation of a move by a player of ours; its format is that of luzhanqi player --explain.
	Explanation *player.Explanation `json:"explanation,omitempty"`
	End         *Ending             `json:"end,omitempty"`
}

// recorder writes a record while the game goes on. Each ply is written as a whole, so that a crash
// of the machine tears at most one line.
type recorder struct {
	game  game.Game
	mu    sync.Mutex
	start time.Time
	out   *bufio.Writer
	json  *json.Encoder
	err   error // the first; the game goes on, and the series reports it
}

func newRecorder(w io.Writer, g game.Game, h Header) *recorder {
	r := &recorder{game: g, start: time.Now(), out: bufio.NewWriter(w)}
	r.json = json.NewEncoder(r.out)
	r.json.SetEscapeHTML(false) // outcomes are full of < and >
	h.Event, h.Schema = "header", Schema
	r.write(h)
	r.flush()
	return r
}

func (r *recorder) write(line any) {
	if err := r.json.Encode(line); err != nil && r.err == nil {
		r.err = err
	}
}

func (r *recorder) flush() {
	if err := r.out.Flush(); err != nil && r.err == nil {
		r.err = err
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (r *recorder) since(t time.Time) float64 { return milliseconds(t.Sub(r.start)) }

func (r *recorder) Message(m Message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	line := Line{Event: "received", T: r.since(m.At), Side: m.Side.Number(), Args: m.Arguments, Heard: m.Heard}
	if m.Sent {
		line.Event = "sent"
	}
	if utf8.Valid(m.Text) {
		line.Text = string(m.Text)
	} else {
		line.Bytes = m.Text
	}
	r.write(line)
}

func (r *recorder) SetUp(side game.Side, s game.SetUp, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.write(Line{Event: "setup", T: r.since(time.Now()), Side: side.Number(), SetUp: string(s), Took: milliseconds(took)})
	r.flush()
}

func (r *recorder) Moved(before, after game.Position, p Played) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.write(Line{
		Event: "move", T: r.since(time.Now()), Side: before.Mover().Number(), Ply: after.Ply(),
		Move: r.game.FormatMove(p.Move), Took: milliseconds(p.Took), Drawn: p.Drawn, Comment: p.Comment,
		Explanation: p.Why,
	})
	r.flush()
}

func (r *recorder) Refused(pos game.Position, m game.Move, why error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.write(Line{
		Event: "illegal", T: r.since(time.Now()), Side: pos.Mover().Number(), Ply: pos.Ply() + 1,
		Move: r.game.FormatMove(m), Why: why.Error(),
	})
}

func (r *recorder) Ended(_ game.Position, e *Ending) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.write(Line{Event: "end", T: r.since(time.Now()), End: e})
	r.flush()
}

// observers pass everything on to each of several.
type observers []Observer

func (all observers) Message(m Message) {
	for _, o := range all {
		o.Message(m)
	}
}

func (all observers) SetUp(side game.Side, s game.SetUp, took time.Duration) {
	for _, o := range all {
		o.SetUp(side, s, took)
	}
}

func (all observers) Moved(before, after game.Position, p Played) {
	for _, o := range all {
		o.Moved(before, after, p)
	}
}

func (all observers) Refused(pos game.Position, m game.Move, why error) {
	for _, o := range all {
		o.Refused(pos, m, why)
	}
}

func (all observers) Ended(pos game.Position, e *Ending) {
	for _, o := range all {
		o.Ended(pos, e)
	}
}

// limits are those of a side.
func (h *Header) limits(side game.Side) game.Limits {
	if own := h.Players[side].Limits; own != nil {
		return own.limits()
	}
	return h.Limits.limits()
}

// limits turns the limits of a record back.
func (l RecordLimits) limits() game.Limits {
	d := func(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
	return game.Limits{SetUp: d(l.SetUp), First: d(l.First), Move: d(l.Move), Start: d(l.Start), Grace: d(l.Grace), MaxPlies: l.MaxPlies}
}

func recordLimits(l game.Limits) RecordLimits {
	return RecordLimits{
		SetUp: milliseconds(l.SetUp), First: milliseconds(l.First), Move: milliseconds(l.Move),
		Start: milliseconds(l.Start), Grace: milliseconds(l.Grace), MaxPlies: l.MaxPlies,
	}
}

func (h Header) String() string {
	return fmt.Sprintf("%s: %s – %s, game %d of seed %d", h.Game, h.Players[0].Name, h.Players[1].Name, h.Number, h.Seed)
}
