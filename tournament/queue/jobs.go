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

// job is one that was offered and has no result yet; nil: there is none. over says that there is no queue.
func (q *Queue) job(ctx context.Context, id string, attempt int) (j *Job, over bool, err error) {
	stream := q.stream.Load()
	if stream == nil {
		found, err := q.client.js.Stream(ctx, q.jobs())
		if err != nil {
			return nil, errors.Is(err, jetstream.ErrStreamNotFound), err
		}
		stream = &found
		q.stream.Store(stream)
	}
	m, err := (*stream).GetLastMsgForSubject(ctx, q.subject("job", id, attempt))
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return nil, false, nil
	case errors.Is(err, jetstream.ErrStreamNotFound):
		q.stream.Store(nil)
		return nil, true, err
	}
	if err == nil {
		j = new(Job)
		err = json.Unmarshal(m.Data, j)
	}
	return j, false, err
}

// next returns the next message of a consumer; nil without an error: none came in time.
func next(ctx context.Context, consumer jetstream.Consumer, wait time.Duration) (jetstream.Msg, error) {
	waiting, stop := context.WithTimeout(ctx, wait)
	defer stop()
	options := []jetstream.FetchOpt{jetstream.FetchContext(waiting)}
	if wait >= 10*time.Second { // the client's own default is a heartbeat every 5 s to each who waits so long
		options = append(options, jetstream.FetchHeartbeat(wait*2/5))
	}
	m, err := consumer.Next(options...)
	if nothingYet(err) || err != nil && waiting.Err() != nil {
		return nil, nil
	}
	return m, err
}

// deliver puts a result into the queue, unless the same game's is there.
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
