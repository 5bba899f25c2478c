package queue

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"luzhanqi/process"
	"luzhanqi/referee/record"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

// Job is one game in the queue: all that a worker needs to play it, wherever it runs.
type Job struct {
	Schema int `json:"schema"`
	schedule.Place
	Header  record.Header `json:"header"`
	Seats   [2]Seat       `json:"seats"`
	Records bool          `json:"records"`
	Explain bool          `json:"explain,omitempty"`
}

// Seat is what a record does not say of a program.
type Seat struct {
	Dir     string              `json:"dir,omitempty"`
	Own     bool                `json:"own,omitempty"` // the program may write into it
	Env     []string            `json:"env,omitempty"` // added to the worker's
	Confine process.Confinement `json:"confine"`
}

// maxText bounds the JSON of a result: an ending keeps some kilobytes of what was said.
const maxText = 1 << 20

// encode writes the length of the JSON, the JSON, and the record.
func encode(r *store.Result) ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	b := binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(text)+len(r.Record)), uint32(len(text)))
	return append(append(b, text...), r.Record...), nil
}

// decode reads what encode wrote; anybody can write to a queue.
func decode(b []byte) (*store.Result, error) {
	if len(b) < 4 {
		return nil, fmt.Errorf("a result of %d bytes", len(b))
	}
	n := int(binary.BigEndian.Uint32(b))
	if n > maxText || n > len(b)-4 {
		return nil, fmt.Errorf("a result of %d bytes says that %d of them are its text", len(b), n)
	}
	r := new(store.Result)
	if err := json.Unmarshal(b[4:4+n], r); err != nil {
		return nil, fmt.Errorf("a result that is not JSON: %w", err)
	}
	if r.Schema != store.Schema {
		return nil, fmt.Errorf("a result of schema %d, from worker %q; this program reads schema %d", r.Schema, r.Worker, store.Schema)
	}
	if err := r.Check(0); err != nil {
		return nil, fmt.Errorf("game %q from worker %q: %w", r.ID, r.Worker, err)
	}
	r.Record = b[4+n:]
	return r, nil
}
