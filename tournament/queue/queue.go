// Package queue hands the games of a tournament to workers, in this process and on other machines, and brings
// their results back. It is JetStream: a server embedded in this process, with its files in the tournament's
// directory, or a cluster that exists.
//
// [Embed] and [Dial] make a [Client]. The coordinator has the [Queue] of a tournament: it calls [Queue.Offer] and
// [Results.Next], and lets workers in by [Queue.Open]. A worker has a [Desk] there: it calls [Desk.Next], [Claim.Keep]
// and [Claim.Bring]. Only the coordinator speaks to JetStream; workers, also those in its own process, speak to it
// through a [Gate], which looks at all they bring.
//
// A job is taken out of the queue only after its result is in it, and a result only after [Batch.Ack]: whatever
// dies in between, a job is at worst delivered twice. Nothing in a queue is the truth: what is lost is offered again
// from the store.
package queue

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
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
	keyName      = "key" // of Queue.key among what is kept with the stream of jobs
)

// Lease is how long a worker may be silent before its game is given to another; it says that it lives
// three times as often.
const Lease = 6 * time.Second

// MaxLent is how many games may be with workers at one time.
const MaxLent = 20_000

// Queue is the streams of one tournament. Its methods may be used by many goroutines.
type Queue struct {
	client   *Client
	id       string // of the tournament
	replicas int
	key      []byte                           // of tickets; set by Ensure
	stream   atomic.Pointer[jetstream.Stream] // of jobs; nil: not known
}

// Queue is the queue of a tournament, which a cluster keeps on so many of its servers.
func (c *Client) Queue(id string, replicas int) *Queue {
	return &Queue{client: c, id: id, replicas: max(1, replicas)}
}

// Backoff waits for the queue.
func (q *Queue) Backoff() Backoff { return q.client.Backoff() }

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

// attemptOf is which attempt at the game it is; 0: the subject is none of ours.
func attemptOf(subject string) int {
	attempt, _ := strconv.Atoi(subject[strings.LastIndexByte(subject, '.')+1:])
	return attempt
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

// Ensure makes both streams, as far as they are not there. It must have been called before the others.
func (q *Queue) Ensure(ctx context.Context) error {
	if err := q.recallKey(ctx); err != nil {
		return err
	}
	for stream, kind := range map[string]string{q.jobs(): "job", q.done(): "done"} {
		config := jetstream.StreamConfig{
			Name: stream, Subjects: []string{fmt.Sprintf("luzhanqi.%s.%s.>", q.id, kind)},
			Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage, Replicas: q.replicas,
			Discard: jetstream.DiscardNew, MaxMsgsPerSubject: 1, DiscardNewPerSubject: true,
		}
		if kind == "job" {
			config.Metadata = map[string]string{keyName: hex.EncodeToString(q.key)}
		}
		if _, err := q.client.js.CreateOrUpdateStream(ctx, config); err != nil {
			return fmt.Errorf("make the stream %s: %w", stream, err)
		}
		if _, err := q.client.js.CreateOrUpdateConsumer(ctx, stream, jetstream.ConsumerConfig{
			Durable: consumerName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: Lease, MaxAckPending: MaxLent, MaxWaiting: 10_000,
		}); err != nil {
			return fmt.Errorf("make the consumer of %s: %w", stream, err)
		}
	}
	return nil
}

// recallKey reads the key of tickets, which is kept with the jobs: who has taken one before the coordinator died
// may bring its result.
func (q *Queue) recallKey(ctx context.Context) error {
	if q.key != nil {
		return nil
	}
	stream, err := q.client.js.Stream(ctx, q.jobs())
	if err == nil {
		q.key, _ = hex.DecodeString(stream.CachedInfo().Config.Metadata[keyName])
	} else if !errors.Is(err, jetstream.ErrStreamNotFound) {
		return fmt.Errorf("look for the stream %s: %w", q.jobs(), err)
	}
	if len(q.key) < 32 {
		q.key = make([]byte, 32)
		rand.Read(q.key)
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

// nothingYet says whether waiting for a message ended without one, and without an error.
func nothingYet(err error) bool {
	return errors.Is(err, nats.ErrTimeout) || errors.Is(err, jetstream.ErrNoMessages)
}
