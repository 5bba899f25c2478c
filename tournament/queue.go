package tournament

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	neturl "net/url"
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

// lease is how long a worker may be silent before its game is given to another; it says that it lives
// three times as often.
const lease = 6 * time.Second

// queue is the connection to the streams of one tournament. Its methods may be used by many goroutines.
type queue struct {
	conn     *nats.Conn
	js       jetstream.JetStream
	id       string // of the tournament
	replicas int
	dead     func(failing time.Duration) error // see patience
}

func (q *queue) patience() patience { return patience{dead: q.dead} }

// connect opens a connection that never gives up on a server that goes away. say is told when it goes and
// when it is back.
func connect(url, name string, say func(string), more ...nats.Option) (*nats.Conn, error) {
	options := append([]nats.Option{
		nats.Name(name),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(250 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond),
		nats.IgnoreAuthErrorAbort(),
		nats.ReconnectBufSize(-1), // what cannot be sent is an error at once, and is tried again
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				say(fmt.Sprintf("the queue went away (%v); waiting for it", err))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { say("the queue is back") }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { say(fmt.Sprintf("the queue: %v", err)) }),
	}, more...)
	conn, err := nats.Connect(url, options...)
	if err != nil {
		var wrong *neturl.Error
		if errors.As(err, &wrong) {
			err = wrong.Err // without the URL, which may hold a token
		}
		return nil, fmt.Errorf("connect to the queue at %s: %w", WithoutToken(url), err)
	}
	return conn, nil
}

// WithoutToken hides what the URLs of servers have before their @.
func WithoutToken(urls string) string {
	var all []string
	for url := range strings.SplitSeq(urls, ",") {
		scheme, rest, ok := strings.Cut(strings.TrimSpace(url), "://")
		if !ok {
			scheme, rest = "nats", url
		}
		if at := strings.LastIndexByte(rest, '@'); at >= 0 {
			rest = rest[at+1:]
		}
		all = append(all, scheme+"://"+rest)
	}
	return strings.Join(all, ",")
}

func openQueue(conn *nats.Conn, id string, replicas int) (*queue, error) {
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(5*time.Second))
	if err != nil {
		return nil, err
	}
	return &queue{conn: conn, js: js, id: id, replicas: max(1, replicas)}, nil
}

func (q *queue) jobs() string { return streamPrefix + q.id + jobsSuffix }
func (q *queue) done() string { return streamPrefix + q.id + doneSuffix }

func (q *queue) jobSubject(id string, attempt int) string {
	return fmt.Sprintf("luzhanqi.%s.job.%s.%d", q.id, id, attempt)
}

func (q *queue) doneSubject(id string, attempt int) string {
	return fmt.Sprintf("luzhanqi.%s.done.%s.%d", q.id, id, attempt)
}

// gameOf is the id of the game that a job or a result is of.
func gameOf(subject string) string {
	if parts := strings.Split(subject, "."); len(parts) == 5 {
		return parts[3]
	}
	return ""
}

// liveSubject is where workers tell, for whoever watches, that a game has begun.
func (q *queue) liveSubject() string { return fmt.Sprintf("luzhanqi.%s.live", q.id) }

// ensure makes both streams, as far as they are not there.
func (q *queue) ensure(ctx context.Context) error {
	for stream, kind := range map[string]string{q.jobs(): "job", q.done(): "done"} {
		config := jetstream.StreamConfig{
			Name: stream, Subjects: []string{fmt.Sprintf("luzhanqi.%s.%s.>", q.id, kind)},
			Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage, Replicas: q.replicas,
			Discard: jetstream.DiscardNew, MaxMsgsPerSubject: 1, DiscardNewPerSubject: true,
		}
		if _, err := q.js.CreateOrUpdateStream(ctx, config); err != nil {
			return fmt.Errorf("make the stream %s: %w", stream, err)
		}
		if _, err := q.js.CreateOrUpdateConsumer(ctx, stream, jetstream.ConsumerConfig{
			Durable: consumerName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: lease, MaxAckPending: 20_000, MaxWaiting: 10_000,
		}); err != nil {
			return fmt.Errorf("make the consumer of %s: %w", stream, err)
		}
	}
	return nil
}

// offer puts a job into the queue, unless it is there.
func (q *queue) offer(ctx context.Context, j *Job) error {
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	_, err = q.js.Publish(ctx, q.jobSubject(j.ID, j.Header.Attempt), text)
	if isThere(err) {
		return nil
	}
	return err
}

// isThere says whether a message was refused because its subject has one: the same game's.
func isThere(err error) bool {
	var refused *jetstream.APIError
	if !errors.As(err, &refused) {
		return false
	}
	return strings.Contains(refused.Description, "maximum messages per subject")
}

// deliver puts a result into the queue, unless the same game's is there.
func (q *queue) deliver(ctx context.Context, r *Result) error {
	b, err := r.encode()
	if err != nil {
		return err
	}
	if int64(len(b)) > q.conn.MaxPayload()-1024 {
		objects, err := q.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: q.done(), Replicas: q.replicas})
		if err != nil {
			return fmt.Errorf("make the store of long records: %w", err)
		}
		if _, err := objects.PutBytes(ctx, objectName(r), r.Record); err != nil {
			return fmt.Errorf("store a record of %d bytes: %w", len(r.Record), err)
		}
		short := *r
		short.Stored, short.Record = true, nil
		if b, err = short.encode(); err != nil {
			return err
		}
	}
	_, err = q.js.Publish(ctx, q.doneSubject(r.ID, r.Attempt), b)
	if isThere(err) {
		return nil
	}
	return err
}

// games are the ids of the games whose job or result is in the queue.
func (q *queue) games(ctx context.Context) (map[string]bool, error) {
	there := map[string]bool{}
	// A worker delivers the result before it takes the job out: in this order no game is overlooked.
	for _, name := range []string{q.jobs(), q.done()} {
		stream, err := q.js.Stream(ctx, name)
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

func objectName(r *Result) string { return fmt.Sprintf("%s.%d", r.ID, r.Attempt) }

// fetchRecord adds a record that was stored apart.
func (q *queue) fetchRecord(ctx context.Context, r *Result) error {
	objects, err := q.js.ObjectStore(ctx, q.done())
	if err != nil {
		return err
	}
	r.Record, err = objects.GetBytes(ctx, objectName(r))
	return err
}

// dropRecord forgets a record that was stored apart. A failure only leaves it in the queue, which vanishes
// with the tournament.
func (q *queue) dropRecord(ctx context.Context, r *Result) {
	if objects, err := q.js.ObjectStore(ctx, q.done()); err == nil {
		objects.Delete(ctx, objectName(r))
	}
}

// remove deletes the streams of the tournament.
func (q *queue) remove(ctx context.Context) error {
	var failed error
	for _, stream := range []string{q.jobs(), q.done()} {
		if err := q.js.DeleteStream(ctx, stream); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			failed = errors.Join(failed, err)
		}
	}
	if err := q.js.DeleteObjectStore(ctx, q.done()); err != nil && !errors.Is(err, jetstream.ErrBucketNotFound) && !errors.Is(err, jetstream.ErrStreamNotFound) {
		failed = errors.Join(failed, err)
	}
	return failed
}

// tournaments lists the ids of the tournaments that have a queue of jobs.
func tournaments(ctx context.Context, js jetstream.JetStream) (ids []string, err error) {
	names := js.StreamNames(ctx)
	for name := range names.Name() {
		if id, ok := strings.CutPrefix(name, streamPrefix); ok {
			if id, ok = strings.CutSuffix(id, jobsSuffix); ok {
				ids = append(ids, id)
			}
		}
	}
	return ids, names.Err()
}

// nothingYet says whether waiting for a message ended without one, and without an error.
func nothingYet(err error) bool {
	return errors.Is(err, nats.ErrTimeout) || errors.Is(err, jetstream.ErrNoMessages)
}
