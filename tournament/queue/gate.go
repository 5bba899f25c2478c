package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"luzhanqi/tournament/store"
)

// Started says that a worker has taken a game.
type Started struct{ ID, Worker string }

// Gate is where workers take games and bring their results. It trusts none of them: who brings what it had not taken, or
// a result that Judge does not accept, is refused, and the latter gets no further game.
type Gate struct {
	// Judge says why the result of a job, which another process brings, must not be stored; it may change the result.
	Judge   func(*Job, *store.Result) error
	Started func(Started)
	Warn    func(string) // receives who was refused, and why
}

// Bounds of what workers may have the coordinator do and keep at one time.
const (
	maxTaking    = 10_000 // workers that wait for a game
	maxSpeaking  = 64     // other requests
	minWait      = 50 * time.Millisecond
	maxWait      = 30 * time.Second // for a game
	maxResult    = 256 << 20        // bytes of a result, compressed
	maxPartial   = 512 << 20        // bytes of all results of which parts have come
	staleAfter   = time.Minute      // without a further part a result is forgotten
	maxComplaint = 400              // bytes of what is said about a worker
)

// gate is an open one.
type gate struct {
	Gate
	queue            *Queue
	conn             *nats.Conn
	ctx              context.Context // of taking games
	open             context.Context // of all the rest
	taking, speaking chan struct{}   // as many as are at it
	judging          chan struct{}
	guests           guests
	work             sync.WaitGroup

	mu       sync.Mutex
	shut     bool
	consumer jetstream.Consumer // nil: not known
	warned   map[string]bool    // by name of a worker, and what of
	barred   map[string]bool
	known    map[string]bool // names of workers that have been here
	away     map[string]bool // of those that were sent away
	insists  map[string]*insistence
	find     *nats.Subscription
	partial  map[string]*partial // by a ticket's mark
	held     int                 // bytes of partial
}

// newGate is a gate that nobody comes to yet.
func (q *Queue) newGate(ctx, open context.Context, g Gate) *gate {
	return &gate{
		Gate: g, queue: q, ctx: ctx, open: open, taking: make(chan struct{}, maxTaking), speaking: make(chan struct{}, maxSpeaking), judging: make(chan struct{}, runtime.GOMAXPROCS(0)),
		guests: guests{names: map[string]*guest{}},
		warned: map[string]bool{}, barred: map[string]bool{}, known: map[string]bool{}, away: map[string]bool{}, insists: map[string]*insistence{}, partial: map[string]*partial{},
	}
}

// Open lets workers in until shut is called; they get games until the context ends. over tells them that the tournament is played
// to its end.
func (q *Queue) Open(ctx context.Context, g Gate) (over, shut func(), err error) {
	open, stop := context.WithCancel(context.WithoutCancel(ctx))
	at := q.newGate(ctx, open, g)
	// Answers of JetStream must not wait behind what workers send, as they would on one connection.
	at.conn, err = q.client.dial(func(string) {})
	if err != nil {
		stop()
		return nil, nil, fmt.Errorf("open the queue to workers: %w", err)
	}
	var subs []*nats.Subscription
	shut = func() {
		for _, s := range subs {
			s.Unsubscribe()
		}
		stop()
		at.mu.Lock()
		at.shut = true
		at.mu.Unlock()
		at.work.Wait()
		at.conn.FlushTimeout(time.Second) // the last answers
		at.conn.Close()
	}
	for kind, handle := range map[string]func(string, request, []byte) answer{
		kindFind: nil, kindTake: at.take, kindKeep: at.keep, kindReturn: at.giveBack, kindLeave: at.leave, kindBring: at.bring,
	} {
		room, answer, what := at.speaking, asked(handle), kind+"."+q.id
		switch kind {
		case kindFind:
			answer, what = func(string, *nats.Msg, time.Time) []byte { return []byte(q.id) }, kind
		case kindTake:
			room = at.taking
		}
		s, err := at.conn.Subscribe(subjectOf("*", what), at.served(what, room, answer))
		if err != nil {
			shut()
			return nil, nil, fmt.Errorf("open the queue to workers: %w", err)
		}
		subs = append(subs, s)
		if kind == kindFind {
			at.find = s
		}
	}
	at.conn.FlushTimeout(time.Second) // who asks on another connection finds it open; servers that are not there yet hear of it later
	return at.over, shut, nil
}

// nameOf is the worker that has sent a message: it can publish in no other name.
func nameOf(m *nats.Msg) string { return strings.Split(m.Subject, ".")[2] }

// served answers each message of a kind in a goroutine of its own, as many at a time as there is room for, and drops what its
// worker sends beyond its bounds.
func (g *gate) served(kind string, room chan struct{}, answer func(name string, m *nats.Msg, came time.Time) []byte) nats.MsgHandler {
	echo, text := subjectOf(g.queue.client.name, kind), "echo of "+g.queue.id
	line := &line{came: map[string]int{}, send: func() error { return g.conn.Publish(echo, []byte(text)) }}
	return func(m *nats.Msg) {
		name, size, came := nameOf(m), len(m.Data), time.Now()
		if !g.know(name) {
			return
		}
		if m.Subject == echo && string(m.Data) == text {
			line.echoed()
			return
		}
		if line.losses == nil {
			line.losses = func() uint64 {
				dropped, _ := m.Sub.Dropped()
				return uint64(dropped) + g.conn.Stats().Reconnects
			}
		}
		if n := line.ahead(name); n > maxAhead && g.sendsTooMuch(name, "requests faster than they are read", n > maxFlood) {
			return
		}
		one, dropped := g.guests.enter(name, size)
		if one == nil {
			much := fmt.Sprintf("more than %d requests, or %d bytes, at a time", maxWaiting, maxWaitingBytes)
			g.warnOnce(name, "it sends "+much)
			if dropped%maxDropped == 0 {
				g.sendsTooMuch(name, much, false)
			}
			return
		}
		turn := one.speaking
		if room == g.taking {
			turn = one.taking
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.shut {
			g.guests.leave(name, size)
			return
		}
		g.work.Go(func() {
			defer g.guests.leave(name, size)
			for _, place := range []chan struct{}{turn, room} {
				select {
				case place <- struct{}{}:
					defer func() { <-place }()
				case <-g.open.Done():
					return
				}
			}
			if text := answer(name, m, came); text != nil {
				g.say(m, text)
			}
		})
	}
}

// asked reads a request and writes the answer.
func asked(handle func(name string, r request, part []byte) answer) func(string, *nats.Msg, time.Time) []byte {
	return func(name string, m *nats.Msg, came time.Time) []byte {
		r, part, err := decodeRequest(m.Data)
		if err != nil {
			return nil
		}
		r.came = came
		text, err := json.Marshal(handle(name, r, part))
		if err != nil {
			return nil
		}
		return text
	}
}

// say answers a message, but only where its sender hears answers: with our rights it could reach what the worker may not.
func (g *gate) say(m *nats.Msg, text []byte) {
	if strings.HasPrefix(m.Reply, inbox(nameOf(m))+".") {
		g.conn.Publish(m.Reply, text) // what is lost is asked for again
	}
}

// worker is how people know who plays a game.
func worker(name string, slot int) string { return fmt.Sprintf("%s:%d", shown(name), slot) }

// take waits for a game.
func (g *gate) take(name string, r request, _ []byte) (a answer) {
	g.mu.Lock()
	barred := g.barred[name]
	g.mu.Unlock()
	if barred {
		return answer{Refused: true, Error: "this worker gets no further game, since a result that it brought was refused"}
	}
	wait := min(max(time.Duration(r.Wait)*time.Millisecond, minWait), maxWait) - time.Since(r.came)
	if wait <= 0 {
		return answer{} // nobody waits for it any more, and a game would be lost for as long as a lease
	}
	consumer, err := g.jobs()
	if err == nil {
		var m jetstream.Msg
		if m, err = next(g.ctx, consumer, wait); m != nil {
			return g.hand(name, r.Slot, m)
		}
	}
	if g.ctx.Err() != nil {
		return answer{} // it is told that the tournament is over, or sees that its coordinator is gone
	}
	if err != nil {
		g.mu.Lock()
		g.consumer = nil
		g.mu.Unlock()
		return answer{Error: err.Error()}
	}
	return answer{}
}

// jobs is the consumer of jobs.
func (g *gate) jobs() (jetstream.Consumer, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.consumer == nil {
		ctx, stop := context.WithTimeout(g.ctx, 5*time.Second)
		defer stop()
		var err error
		if g.consumer, err = g.queue.client.js.Consumer(ctx, g.queue.jobs(), consumerName); err != nil {
			g.consumer = nil
			return nil, err
		}
	}
	return g.consumer, nil
}

// hand gives a game to a worker.
func (g *gate) hand(name string, slot int, m jetstream.Msg) answer {
	t := &ticket{ID: gameOf(m.Subject()), Attempt: attemptOf(m.Subject()), Ack: m.Reply()}
	if meta, err := m.Metadata(); err == nil {
		t.Deliveries = int(meta.NumDelivered)
	}
	t.Mark = g.queue.mark(name, t)
	a := answer{Job: m.Data(), Ticket: t}
	if !json.Valid(a.Job) {
		m.Term()
		return answer{Error: "a job that is not JSON was thrown away"}
	}
	g.Started(Started{ID: t.ID, Worker: worker(name, slot)})
	return a
}

// ack tells JetStream what has become of a delivery.
func (g *gate) ack(t *ticket, what string) error {
	return g.queue.client.conn.Publish(t.Ack, []byte(what))
}

// ticketed says whether a worker has the ticket that it shows; it is warned about once.
func (g *gate) ticketed(name string, r *request) bool {
	if g.queue.valid(name, r.Ticket) {
		return true
	}
	g.warnOnce(name, "it speaks of a game that it has not taken from this queue")
	return false
}

// warnOnce complains of a worker, unless it was complained of.
func (g *gate) warnOnce(name, why string) {
	g.mu.Lock()
	told := g.warned[name+why] || len(g.warned) > maxTaking
	g.warned[name+why] = true
	g.mu.Unlock()
	if !told {
		g.complain(name, why)
	}
}

func (g *gate) complain(name, why string) {
	text := fmt.Sprintf("refused what worker %s brought: %s", shown(name), why)
	g.Warn(text[:min(len(text), maxComplaint)])
}

var errNoTicket = answer{Refused: true, Error: "this worker has not taken that game from this queue"}

// keep renews a lease.
func (g *gate) keep(name string, r request, _ []byte) answer {
	if !g.ticketed(name, &r) {
		return errNoTicket
	}
	g.ack(r.Ticket, "+WPI") // lost with the connection; the result counts all the same
	return answer{}
}

// giveBack has a game taken by somebody else at once. It is put into the queue anew, so that it does not count among
// the deliveries after which nothing was heard. If it is lost in between, the coordinator finds it missing and
// offers it again.
func (g *gate) giveBack(name string, r request, _ []byte) answer {
	if !g.ticketed(name, &r) {
		return errNoTicket
	}
	g.offerAgain(r.Ticket)
	return answer{}
}

func (g *gate) offerAgain(t *ticket) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(g.open), time.Second)
	defer stop()
	j, _, err := g.queue.job(ctx, t.ID, t.Attempt)
	if err != nil || j == nil {
		return
	}
	if _, err := g.queue.client.conn.RequestWithContext(ctx, t.Ack, []byte("+ACK")); err != nil {
		g.ack(t, "-NAK")
		return
	}
	g.queue.Offer(ctx, j)
}

// leave has a game taken by others, since this worker cannot read it. It comes back later each time, or those that
// nobody can read would keep the workers from the others.
func (g *gate) leave(name string, r request, _ []byte) answer {
	if !g.ticketed(name, &r) {
		return errNoTicket
	}
	g.ack(r.Ticket, fmt.Sprintf(`-NAK {"delay": %d}`, Lease*time.Duration(max(1, min(r.Ticket.Deliveries, 10)))))
	return answer{}
}

// bring takes a part of a result, and after the last one the result.
func (g *gate) bring(name string, r request, part []byte) answer {
	if !g.ticketed(name, &r) {
		return errNoTicket
	}
	text, a := g.gather(&r, part)
	if text == nil {
		return a
	}
	result, err := decode(text)
	if err == nil && (result.ID != r.Ticket.ID || result.Attempt != r.Ticket.Attempt) {
		err = fmt.Errorf("it took game %s, and brings a result of %.40q", r.Ticket.ID, result.ID)
	}
	if err != nil {
		return g.refuse(name, r.Ticket, err)
	}
	result.Worker, result.Stored = worker(name, r.Slot), false
	ctx, stop := context.WithTimeout(context.WithoutCancel(g.open), 5*time.Second) // what was brought is taken, also at the end
	defer stop()
	j, over, err := g.queue.job(ctx, result.ID, result.Attempt)
	switch {
	case over:
		return answer{Refused: true, Error: "the tournament is over"}
	case err != nil:
		return answer{Error: err.Error()}
	case j == nil:
		return answer{} // another worker has brought it
	}
	if name != g.queue.client.name { // what this process has played itself it knows
		if err := g.judge(j, result); err != nil {
			return g.refuse(name, r.Ticket, err)
		}
	}
	if !j.Records {
		result.Record = nil
	}
	if err := g.queue.deliver(ctx, result); err != nil {
		return answer{Error: err.Error()}
	}
	g.ack(r.Ticket, "+ACK") // if that is lost it is delivered again, and the same result thrown away
	return answer{}
}

// judge judges a result when there is a processor for it.
func (g *gate) judge(j *Job, r *store.Result) error {
	select {
	case g.judging <- struct{}{}:
		defer func() { <-g.judging }()
		return g.Judge(j, r)
	case <-g.open.Done():
		return context.Cause(g.open)
	}
}

// refuse gives the game of a result that was refused to others, and its worker no further one.
func (g *gate) refuse(name string, t *ticket, err error) answer {
	if g.bar(name) {
		g.complain(name, fmt.Sprintf("game %s: %v; it is offered to others, and this worker gets no further game", t.ID, err))
	}
	g.offerAgain(t)
	return answer{Refused: true, Error: "the result of game " + t.ID + " was refused: " + err.Error()}
}

// bar gives a worker no further game; false: it was barred.
func (g *gate) bar(name string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	before := g.barred[name]
	g.barred[name] = true
	return !before
}
