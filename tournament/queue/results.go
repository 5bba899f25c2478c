package queue

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"luzhanqi/tournament/store"
)

// Results returns the results that the coordinator may take.
func (q *Queue) Results(ctx context.Context) (*Results, error) {
	consumer, err := q.client.js.Consumer(ctx, q.done(), consumerName)
	if err != nil {
		return nil, err
	}
	return &Results{q, consumer}, nil
}

// Results hands out results.
type Results struct {
	queue    *Queue
	consumer jetstream.Consumer
}

// Batch holds results that were taken, but stay in the queue until they are acknowledged.
type Batch struct {
	Results  []*store.Result
	queue    *Queue
	messages []jetstream.Msg
}

// Next takes at most so many results: it waits for the first, and not for the others. It passes what is no result to
// unusable and throws it away: the coordinator waits for its game, and will offer it again.
func (results *Results) Next(ctx context.Context, limit int, wait time.Duration, unusable func(error)) (b Batch, err error) {
	b.queue = results.queue
	if wait > 0 {
		m, err := next(ctx, results.consumer, wait)
		if m == nil || err != nil {
			return b, err
		}
		b.take(ctx, m, unusable)
		limit--
	}
	fetched, err := results.consumer.FetchNoWait(limit)
	if err != nil {
		return b, err
	}
	for m := range fetched.Messages() {
		b.take(ctx, m, unusable)
	}
	if err := fetched.Error(); err != nil && !nothingYet(err) && b.Empty() {
		return b, err
	}
	return b, nil
}

// Empty says that nothing was in the queue, not even what could not be used.
func (b *Batch) Empty() bool { return len(b.messages) == 0 }

func (b *Batch) take(ctx context.Context, m jetstream.Msg, unusable func(error)) {
	b.messages = append(b.messages, m)
	r, err := decode(m.Data())
	if err == nil && r.Stored {
		r.Record, err = b.queue.record(ctx, r)
	}
	if err != nil {
		unusable(err)
		m.Term()
		return
	}
	b.Results = append(b.Results, r)
}

// Ack takes the results out of the queue, with the records that were stored apart. What fails only comes again
// and is known then, or stays in the queue, which vanishes with the tournament.
func (b *Batch) Ack(ctx context.Context) {
	for _, m := range b.messages {
		m.Ack()
	}
	for _, r := range b.Results {
		if !r.Stored {
			continue
		}
		if objects, err := b.queue.client.js.ObjectStore(ctx, b.queue.done()); err == nil {
			objects.Delete(ctx, objectName(r))
		}
	}
}

// record is one that was stored apart.
func (q *Queue) record(ctx context.Context, r *store.Result) ([]byte, error) {
	objects, err := q.client.js.ObjectStore(ctx, q.done())
	if err != nil {
		return nil, err
	}
	return objects.GetBytes(ctx, objectName(r))
}
