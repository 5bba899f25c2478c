package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"luzhanqi/tournament/store"
)

// Desk is where a worker takes the games of one tournament, one at a time, and brings their results.
type Desk struct {
	client *Client
	id     string // of the tournament
	slot   int
}

// Desk returns a worker's desk: the slot-th of its games at a time, from 1.
func (c *Client) Desk(tournament string, slot int) *Desk { return &Desk{c, tournament, slot} }

// Worker is the name that results from this desk carry.
func (d *Desk) Worker() string { return worker(d.client.name, d.slot) }

// Backoff waits for the queue.
func (d *Desk) Backoff() Backoff { return d.client.Backoff() }

// Errors of a desk. With all of them the queue itself works.
var (
	ErrUnreadable = errors.New("a job that this version cannot read") // it is left to others
	ErrGone       = errors.New("no coordinator answers")              // the tournament is over, or will go on later
	ErrRefused    = errors.New("refused")                             // and will be the next time
)

// ask sends a request and waits for its answer.
func (d *Desk) ask(ctx context.Context, kind string, r request, part []byte) (a answer, err error) {
	r.Slot = d.slot
	m, err := d.client.conn.RequestWithContext(ctx, subjectOf(d.client.name, kind+"."+d.id), r.encode(part))
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return a, ErrGone
	case errors.Is(err, nats.ErrReconnectBufExceeded): // nothing is kept to be sent later
		return a, errLost
	case err != nil:
		return a, err
	}
	if err := json.Unmarshal(m.Data, &a); err != nil {
		return a, fmt.Errorf("an answer of the coordinator: %w", err)
	}
	switch {
	case a.Refused:
		return a, fmt.Errorf("%w: %s", ErrRefused, a.Error)
	case a.Error != "":
		return a, errors.New(a.Error)
	}
	return a, nil
}

// Next waits for a job, but no longer than until the context ends or a time is over. Then there is neither a
// job nor an error. A job that this version cannot read is the error ErrUnreadable, and is left to others.
func (d *Desk) Next(ctx context.Context, wait time.Duration) (*Claim, error) {
	asking, stop := context.WithTimeout(ctx, wait+5*time.Second)
	defer stop()
	defer d.client.whenLost(stop)()
	a, err := d.ask(asking, kindTake, request{Wait: int(wait.Milliseconds())}, nil)
	if errors.Is(err, context.Canceled) && ctx.Err() == nil {
		err = errLost
	}
	if err != nil || a.Ticket == nil {
		if ctx.Err() != nil {
			err = nil
		}
		return nil, err
	}
	c := &Claim{Deliveries: a.Ticket.Deliveries, desk: d, ticket: a.Ticket}
	if err := json.Unmarshal(a.Job, &c.Job); err != nil || c.Job.Schema != store.Schema {
		d.ask(asking, kindLeave, request{Ticket: a.Ticket}, nil)
		return nil, fmt.Errorf("%w (game %s, schema %d; this program reads %d): use the same version everywhere", ErrUnreadable, a.Ticket.ID, c.Job.Schema, store.Schema)
	}
	return c, nil
}

// Claim is a job that a worker has taken. It stays in the queue, and is somebody else's if this process dies.
type Claim struct {
	Job        Job
	Deliveries int // to this worker, and to others that have vanished with it; Return does not count
	desk       *Desk
	ticket     *ticket
}

// Keep renews the lease on the job until stop is called.
func (t *Claim) Keep() (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(Lease / 3)
		defer ticker.Stop()
		for {
			select {
			case <-end:
				return
			case <-ticker.C:
				d := t.desk
				d.client.conn.Publish(subjectOf(d.client.name, kindKeep+"."+d.id), (&request{Ticket: t.ticket}).encode(nil))
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// Return gives the job back: somebody else may have it at once.
func (t *Claim) Return() {
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	t.desk.ask(ctx, kindReturn, request{Ticket: t.ticket}, nil)
}

// Bring brings the result. When it returns without an error the job is done.
func (t *Claim) Bring(ctx context.Context, r *store.Result) error {
	b, err := encode(r)
	if err != nil {
		return err
	}
	size := int(t.desk.client.conn.MaxPayload()) - 2*maxRequest
	if size <= 0 {
		return errUnconnected
	}
	parts := max(1, (len(b)+size-1)/size)
	for i := range parts {
		a, err := t.desk.ask(ctx, kindBring, request{Ticket: t.ticket, Part: i, Parts: parts}, b[i*size:min((i+1)*size, len(b))])
		if err != nil {
			return err
		}
		if a.Again {
			return errors.New("the coordinator has lost a part of the result")
		}
	}
	return nil
}
