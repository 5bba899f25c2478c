// Package queue hands the games of a tournament to workers, in this process and on other machines, and brings
// their results back. It is JetStream: a server embedded in this process, with its files in the tournament's
// directory, or a cluster that exists.
//
// [Embed] and [Dial] make a [Client]; [Client.Queue] is the queue of one tournament. The coordinator calls
// [Queue.Offer] and [Results.Next], a worker [Jobs.Next], [Claim.Keep], [Queue.Deliver] and [Claim.Done].
//
// A job is taken out of the queue only after its result is in it, and a result only after [Batch.Ack]: whatever
// dies in between, a job is at worst delivered twice. Nothing in a queue is the truth: what is lost is offered again
// from the store.
package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Names in JetStream. A tournament has two work queues, of jobs and of results, and an object store for
// records that are too long for a message.
const (
	streamPrefix = "LUZHANQI_"
	jobsSuffix   = "_JOBS"
	doneSuffix   = "_DONE"
	consumerName = "all"
)

// Lease is how long a worker may be silent before its game is given to another; it says that it lives
// three times as often.
const Lease = 6 * time.Second

// Queue is the streams of one tournament. Its methods may be used by many goroutines.
type Queue struct {
	client   *Client
	id       string // of the tournament
	replicas int
	dead     func(failing time.Duration) error // see Backoff
}

// Queue is the queue of a tournament, which a cluster keeps on so many of its servers.
func (c *Client) Queue(id string, replicas int) *Queue {
	q := &Queue{client: c, id: id, replicas: max(1, replicas)}
	if c.server != nil {
		q.dead = c.dead
	}
	return q
}

// Backoff waits for the queue.
func (q *Queue) Backoff() Backoff { return Backoff{dead: q.dead} }

func (q *Queue) jobs() string { return streamPrefix + q.id + jobsSuffix }
func (q *Queue) done() string { return streamPrefix + q.id + doneSuffix }

// subject is where the message of a kind, job or done, on a game's attempt is published.
func (q *Queue) subject(kind, id string, attempt int) string {
	return fmt.Sprintf("luzhanqi.%s.%s.%s.%d", q.id, kind, id, attempt)
}

// gameOf is the id of the game that a job or a result is of.
func gameOf(subject string) string {
	if parts := strings.Split(subject, "."); len(parts) == 5 {
		return parts[3]
	}
	return ""
}

// publish puts a message into a stream, unless the same game's is there.
func (q *Queue) publish(ctx context.Context, kind, id string, attempt int, text []byte) error {
	_, err := q.client.js.Publish(ctx, q.subject(kind, id, attempt), text)
	var refused *jetstream.APIError
	if errors.As(err, &refused) && strings.Contains(refused.Description, "maximum messages per subject") {
		return nil
	}
	return err
}

// Ensure makes both streams, as far as they are not there.
func (q *Queue) Ensure(ctx context.Context) error {
	for stream, kind := range map[string]string{q.jobs(): "job", q.done(): "done"} {
		config := jetstream.StreamConfig{
			Name: stream, Subjects: []string{fmt.Sprintf("luzhanqi.%s.%s.>", q.id, kind)},
			Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage, Replicas: q.replicas,
			Discard: jetstream.DiscardNew, MaxMsgsPerSubject: 1, DiscardNewPerSubject: true,
		}
		if _, err := q.client.js.CreateOrUpdateStream(ctx, config); err != nil {
			return fmt.Errorf("make the stream %s: %w", stream, err)
		}
		if _, err := q.client.js.CreateOrUpdateConsumer(ctx, stream, jetstream.ConsumerConfig{
			Durable: consumerName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: Lease, MaxAckPending: 20_000, MaxWaiting: 10_000,
		}); err != nil {
			return fmt.Errorf("make the consumer of %s: %w", stream, err)
		}
	}
	return nil
}

// Games are the ids of the games whose job or result is in the queue.
func (q *Queue) Games(ctx context.Context) (map[string]bool, error) {
	there := map[string]bool{}
	// A worker delivers the result before it takes the job out: in this order no game is overlooked.
	for _, name := range []string{q.jobs(), q.done()} {
		stream, err := q.client.js.Stream(ctx, name)
		if err != nil {
			return nil, err
		}
		info, err := stream.Info(ctx, jetstream.WithSubjectFilter(">"))
		if err != nil {
			return nil, err
		}
		for subject := range info.State.Subjects {
			there[gameOf(subject)] = true
		}
	}
	return there, nil
}

// Remove deletes the streams of the tournament.
func (q *Queue) Remove(ctx context.Context) error {
	var failed error
	for _, stream := range []string{q.jobs(), q.done()} {
		if err := q.client.js.DeleteStream(ctx, stream); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			failed = errors.Join(failed, err)
		}
	}
	if err := q.client.js.DeleteObjectStore(ctx, q.done()); err != nil && !errors.Is(err, jetstream.ErrBucketNotFound) && !errors.Is(err, jetstream.ErrStreamNotFound) {
		failed = errors.Join(failed, err)
	}
	return failed
}

// Started announces that a worker has begun a game.
type Started struct {
	ID     string `json:"id"`
	Worker string `json:"worker"`
}

// live returns the subject on which workers announce that a game has begun.
func (q *Queue) live() string { return fmt.Sprintf("luzhanqi.%s.live", q.id) }

// Announce publishes a message for those that watch; it may be lost.
func (q *Queue) Announce(b Started) {
	if text, err := json.Marshal(b); err == nil {
		q.client.conn.Publish(q.live(), text)
	}
}

// Watch passes on what workers announce.
func (q *Queue) Watch(watch func(Started)) error {
	_, err := q.client.conn.Subscribe(q.live(), func(m *nats.Msg) {
		var b Started
		if json.Unmarshal(m.Data, &b) == nil {
			watch(b)
		}
	})
	return err
}

// nothingYet says whether waiting for a message ended without one, and without an error.
func nothingYet(err error) bool {
	return errors.Is(err, nats.ErrTimeout) || errors.Is(err, jetstream.ErrNoMessages)
}

// IsOver says whether an error means that the tournament is over: its queue is gone.
func IsOver(err error) bool {
	return errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound)
}
