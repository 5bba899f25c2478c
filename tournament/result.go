package tournament

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/referee"
)

// schema is the version of jobs and results in the queue.
const schema = 1

// Job is one game in the queue: all that a worker needs to play it, wherever it runs.
type Job struct {
	Schema  int            `json:"schema"`
	ID      string         `json:"id"`
	Round   int            `json:"round"`
	Pair    int            `json:"pair"`
	Players [2]int         `json:"players"` // at seats 1 and 2, by their place in the plan
	Header  referee.Header `json:"header"`
	Seats   [2]JobSeat     `json:"seats"`
	Records bool           `json:"records"`
	Explain bool           `json:"explain,omitempty"`
}

// JobSeat is what a record does not say of a program.
type JobSeat struct {
	Dir     string              `json:"dir,omitempty"`
	Env     []string            `json:"env,omitempty"` // added to the worker's
	Confine process.Confinement `json:"confine"`
}

// Result is what a worker says of one game.
type Result struct {
	Schema  int             `json:"schema"`
	ID      string          `json:"id"`
	Attempt int             `json:"attempt"`
	Round   int             `json:"round"`
	Pair    int             `json:"pair"`
	Players [2]int          `json:"players"`
	Ending  *referee.Ending `json:"ending"`
	Took    float64         `json:"took_ms"`
	Ended   time.Time       `json:"ended"`
	Worker  string          `json:"worker"`
	Sides   [2]Effort       `json:"sides"`
	Stored  bool            `json:"stored,omitempty"` // the record is in the object store, being too long for a message
	Record  []byte          `json:"-"`                // zstd; empty: none
}

// Effort is what one side's thinking took.
type Effort struct {
	Times  Times         `json:"times"`             // of its moves
	CPU    time.Duration `json:"cpu_ns,omitempty"`  // of a program, with the children that it waited for
	MaxRSS int64         `json:"max_rss,omitempty"` // bytes
}

// Void says whether the game does not count.
func (r *Result) Void() bool { return r.Ending.Code == referee.Void }

// Points is what the game was worth to the player at seat 1.
func (r *Result) Points() float64 {
	switch {
	case r.Ending.Winner == nil:
		return 0.5
	case *r.Ending.Winner == 0:
		return 1
	}
	return 0
}

// mostText bounds the JSON of a result: an ending keeps some kilobytes of what was said.
const mostText = 1 << 20

// encode writes the length of the JSON, the JSON, and the record.
func (r *Result) encode() ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	b := binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(text)+len(r.Record)), uint32(len(text)))
	return append(append(b, text...), r.Record...), nil
}

// decodeResult reads what encode wrote; anybody can write to a queue.
func decodeResult(b []byte) (*Result, error) {
	if len(b) < 4 {
		return nil, fmt.Errorf("a result of %d bytes", len(b))
	}
	n := int(binary.BigEndian.Uint32(b))
	if n > mostText || n > len(b)-4 {
		return nil, fmt.Errorf("a result of %d bytes says that %d of them are its text", len(b), n)
	}
	r := new(Result)
	if err := json.Unmarshal(b[4:4+n], r); err != nil {
		return nil, fmt.Errorf("a result that is not JSON: %w", err)
	}
	switch {
	case r.Schema != schema:
		return nil, fmt.Errorf("a result of schema %d, from worker %q; this program reads schema %d", r.Schema, r.Worker, schema)
	case r.ID == "" || r.Attempt < 1 || r.Ending == nil:
		return nil, fmt.Errorf("a result without id, attempt or ending, from worker %q", r.Worker)
	}
	if err := r.sound(); err != nil {
		return nil, fmt.Errorf("game %s from worker %q: %w", r.ID, r.Worker, err)
	}
	r.Record = b[4+n:]
	return r, nil
}

// sound says what cannot be in a result, whoever sent it.
func (r *Result) sound() error {
	e := r.Ending
	side := func(s *game.Side) bool { return s == nil || *s == game.First || *s == game.Second }
	switch {
	case !slices.Contains(referee.Codes, e.Code):
		return fmt.Errorf("there is no ending %q", e.Code)
	case e.Plies < 0 || !(r.Took >= 0):
		return fmt.Errorf("%d plies in %v ms", e.Plies, r.Took)
	case !side(e.Winner) || !side(e.Fault):
		return errors.New("a winner or a fault of no player")
	case e.Code == referee.Void && e.Winner != nil, (e.Code == referee.Won || e.Fault != nil) && e.Winner == nil:
		return fmt.Errorf("the ending %s with or without a winner", e.Code)
	}
	return nil
}
