package queue

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// ticket proves that a worker has taken a game: nobody else can make one, and nobody but that worker can use it. It
// holds all that must be known of a lease, so that it is still good when the coordinator was started again.
type ticket struct {
	ID         string `json:"id"` // of the game
	Attempt    int    `json:"attempt"`
	Deliveries int    `json:"deliveries"`
	Ack        string `json:"ack"` // where JetStream wants to hear of this delivery
	Mark       []byte `json:"mark"`
}

// mark is what makes a ticket of a worker's.
func (q *Queue) mark(name string, t *ticket) []byte {
	h := hmac.New(sha256.New, q.key)
	fmt.Fprintf(h, "%q %q %d %d %q", name, t.ID, t.Attempt, t.Deliveries, t.Ack)
	return h.Sum(nil)
}

// valid says whether a ticket is ours, and that worker's.
func (q *Queue) valid(name string, t *ticket) bool {
	return t != nil && hmac.Equal(t.Mark, q.mark(name, t))
}

// request is what a worker says: a line of JSON, and a part of a result after it.
type request struct {
	Wait   int     `json:"wait_ms,omitempty"` // take: for a game
	Slot   int     `json:"slot,omitempty"`    // of the worker's games at a time, from 1
	Ticket *ticket `json:"ticket,omitempty"`
	Part   int     `json:"part,omitempty"` // bring: from 0
	Parts  int     `json:"parts,omitempty"`
	came   time.Time
}

// The kinds of requests.
const (
	kindFind   = "find" // the tournaments
	kindTake   = "take"
	kindKeep   = "keep"   // the lease
	kindReturn = "return" // the game, unplayed
	kindLeave  = "leave"  // it to those that can read it
	kindBring  = "bring"
)

// answer is what the coordinator says.
type answer struct {
	Job     json.RawMessage `json:"job,omitempty"` // take; none: there is no game now
	Ticket  *ticket         `json:"ticket,omitempty"`
	Error   string          `json:"error,omitempty"`
	Refused bool            `json:"refused,omitempty"` // it makes no sense to try again
	Again   bool            `json:"again,omitempty"`   // bring: from the first part
}

func (r *request) encode(part []byte) []byte {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // it consists of strings and numbers
	}
	return append(append(text, '\n'), part...)
}

func decodeRequest(b []byte) (r request, part []byte, err error) {
	text, part, ok := bytes.Cut(b, []byte("\n"))
	if !ok || len(text) > maxRequest {
		return r, nil, errors.New("a request without a line")
	}
	return r, part, json.Unmarshal(text, &r)
}

// maxRequest bounds the line of a request.
const maxRequest = 4 << 10
