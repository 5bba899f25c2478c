package tournament

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Serve plays the games of all tournaments that the queue at o.URL holds, until the context ends.
func Serve(ctx context.Context, o Options, version string) error {
	say := o.Say
	slots, err := slotsFor(o.Pin, o.Concurrency)
	if err != nil {
		return err
	}
	host, err := os.Hostname()
	if err != nil {
		host = "?"
	}
	conn, err := connect(o.URL, "luzhanqi worker "+host, say, append(withToken(o.Token), nats.RetryOnFailedConnect(true))...)
	if err != nil {
		return err
	}
	defer conn.Close()
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(5*time.Second))
	if err != nil {
		return err
	}
	var workers sync.WaitGroup
	for i, slot := range slots {
		w := &worker{name: fmt.Sprintf("%s:%d:%d", host, os.Getpid(), i+1), slot: slot, atATime: o.Concurrency, version: version, say: say}
		workers.Go(func() { w.serveAll(ctx, conn, js) })
	}
	workers.Wait()
	return ctx.Err()
}

// serveAll goes round the tournaments.
func (w *worker) serveAll(ctx context.Context, conn *nats.Conn, js jetstream.JetStream) {
	var trouble patience
	for ctx.Err() == nil {
		ids, err := tournaments(ctx, js)
		if !conn.IsConnected() {
			err = fmt.Errorf("no connection to the queue")
			if last := conn.LastError(); last != nil {
				err = fmt.Errorf("%w: %w", err, last)
			}
		}
		if err != nil || len(ids) == 0 {
			if err == nil {
				err = errors.New("there is no tournament")
			}
			trouble.wait(ctx, err, w.say)
			continue
		}
		trouble.over()
		for _, id := range ids {
			if q, err := openQueue(conn, id, 0); err == nil {
				w.serve(ctx, q, time.Second)
			}
		}
	}
}

// serve plays what the queue holds until the context ends, or there is no hope for the queue. wait is how long
// it waits for a game before it returns; zero: for ever.
func (w *worker) serve(ctx context.Context, q *queue, wait time.Duration) error {
	turn := wait
	if wait == 0 {
		turn = time.Second // so soon it sees that the context has ended
	}
	trouble := q.patience()
	for ctx.Err() == nil {
		consumer, err := q.js.Consumer(ctx, q.jobs(), consumerName)
		for err == nil && ctx.Err() == nil {
			var m jetstream.Msg
			if m, err = consumer.Next(jetstream.FetchMaxWait(turn)); err == nil {
				trouble.over()
				err = w.take(ctx, q, m)
			} else if nothingYet(err) {
				if wait > 0 {
					return nil
				}
				trouble.over()
				err = nil
			}
		}
		over := errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound)
		switch {
		case ctx.Err() != nil || over && wait > 0:
			return nil
		case errors.Is(err, errHopeless):
			return err
		}
		if err := trouble.wait(ctx, err, w.say); err != nil {
			return err
		}
	}
	return nil
}
