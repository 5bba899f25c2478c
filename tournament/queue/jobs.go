package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"luzhanqi/tournament/store"
)

// Offer puts a job into the queue, unless it is there.
func (q *Queue) Offer(ctx context.Context, j *Job) error {
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	return q.publish(ctx, "job", j.ID, j.Header.Attempt, text)
}

// ErrUnreadable is the error of [Jobs.Next] for a job of another version. The queue itself works.
var ErrUnreadable = errors.New("a job that this version cannot read")

// Jobs returns the jobs that workers may take.
func (q *Queue) Jobs(ctx context.Context) (*Jobs, error) {
	consumer, err := q.client.js.Consumer(ctx, q.jobs(), consumerName)
	if err != nil {
		return nil, err
	}
	return &Jobs{q, consumer}, nil
}

// Jobs hands out jobs.
type Jobs struct {
	queue    *Queue
	consumer jetstream.Consumer
}

// Next waits for a job, but no longer than until the context ends or a time is over. Then there is neither a
// job nor an error. A job that this version cannot read is the error ErrUnreadable, and is left to others.
func (jobs *Jobs) Next(ctx context.Context, wait time.Duration) (*Claim, error) {
	m, err := next(ctx, jobs.consumer, wait)
	if m == nil || err != nil {
		return nil, err
	}
	t := &Claim{queue: jobs.queue, message: m}
	if meta, err := m.Metadata(); err == nil {
		t.Deliveries = int(meta.NumDelivered)
	}
	if err := json.Unmarshal(m.Data(), &t.Job); err != nil || t.Job.Schema != store.Schema {
		// It comes back later each time, or those that nobody can read would keep the workers from the others.
		m.NakWithDelay(Lease * time.Duration(max(1, min(t.Deliveries, 10))))
		return nil, fmt.Errorf("%w (%s, schema %d; this program reads %d): use the same version everywhere", ErrUnreadable, m.Subject(), t.Job.Schema, store.Schema)
	}
	return t, nil
}

// next returns the next message of a consumer; nil without an error: none came in time.
func next(ctx context.Context, consumer jetstream.Consumer, wait time.Duration) (jetstream.Msg, error) {
	waiting, stop := context.WithTimeout(ctx, wait)
	defer stop()
	m, err := consumer.Next(jetstream.FetchContext(waiting))
	if nothingYet(err) || err != nil && waiting.Err() != nil {
		return nil, nil
	}
	return m, err
}

// Claim is a job that a worker has taken. It stays in the queue, and is somebody else's if this process dies.
type Claim struct {
	Job        Job
	Deliveries int // to this worker, and to others that have vanished with it; Return does not count
	queue      *Queue
	message    jetstream.Msg
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
				t.message.InProgress() // lost with its connection; the result counts all the same
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// Return gives the job back: somebody else may have it at once. It is put into the queue anew, so that it
// does not count among the deliveries after which nothing was heard. If it is lost in between, the
// coordinator finds it missing and offers it again.
func (t *Claim) Return() {
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	if t.message.DoubleAck(ctx) != nil {
		t.message.Nak()
		return
	}
	t.queue.Offer(ctx, &t.Job)
}

// Done takes the job out of the queue. If that is lost it is delivered again, and the same result refused.
func (t *Claim) Done() error { return t.message.Ack() }

// Deliver puts a result into the queue, unless the same game's is there. over says that the queue is gone: the
// tournament is over, or was reset.
func (q *Queue) Deliver(ctx context.Context, r *store.Result) (over bool, err error) {
	if err = q.deliver(ctx, r); errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, jetstream.ErrStreamNotFound) {
		_, gone := q.client.js.Stream(ctx, q.jobs())
		over = errors.Is(gone, jetstream.ErrStreamNotFound)
	}
	return over, err
}

func (q *Queue) deliver(ctx context.Context, r *store.Result) error {
	b, err := encode(r)
	if err != nil {
		return err
	}
	if int64(len(b)) > q.client.conn.MaxPayload()-1024 {
		objects, err := q.client.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: q.done(), Replicas: q.replicas})
		if err != nil {
			return fmt.Errorf("make the store of long records: %w", err)
		}
		if _, err := objects.PutBytes(ctx, objectName(r), r.Record); err != nil {
			return fmt.Errorf("store a record of %d bytes: %w", len(r.Record), err)
		}
		short := *r
		short.Stored, short.Record = true, nil
		if b, err = encode(&short); err != nil {
			return err
		}
	}
	return q.publish(ctx, "done", r.ID, r.Attempt, b)
}

func objectName(r *store.Result) string { return fmt.Sprintf("%s.%d", r.ID, r.Attempt) }
