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
	maxTaking    = 10_000           // workers that wait for a game
	maxSpeaking  = 64               // other requests
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
	ctx              context.Context // of taking games
	open             context.Context // of all the rest
	taking, speaking chan struct{}   // as many as are at it
	judging          chan struct{}
	work             sync.WaitGroup

	mu       sync.Mutex
	shut     bool
	consumer jetstream.Consumer // nil: not known
	warned   map[string]bool    // by name, of workers
	barred   map[string]bool
	partial  map[string]*partial // by a ticket's mark
	held     int                 // bytes of partial
}

// partial is a result of which parts have come.
type partial struct {
	text  []byte
	parts int
	last  time.Time
}

// Open lets workers in until shut is called; they get games until the context ends.
func (q *Queue) Open(ctx context.Context, g Gate) (shut func(), err error) {
	open, stop := context.WithCancel(context.WithoutCancel(ctx))
	at := &gate{
		Gate: g, queue: q, ctx: ctx, open: open, taking: make(chan struct{}, maxTaking), speaking: make(chan struct{}, maxSpeaking), judging: make(chan struct{}, runtime.GOMAXPROCS(0)),
		warned: map[string]bool{}, barred: map[string]bool{}, partial: map[string]*partial{},
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
	}
	for subject, handle := range map[string]func(*nats.Msg){
		subjectOf("*", "find"):              func(m *nats.Msg) { at.say(m, []byte(q.id)) },
		subjectOf("*", kindTake+"."+q.id):   func(m *nats.Msg) { at.start(at.taking, m, at.take) },
		subjectOf("*", kindKeep+"."+q.id):   func(m *nats.Msg) { at.start(at.speaking, m, at.keep) },
		subjectOf("*", kindReturn+"."+q.id): func(m *nats.Msg) { at.start(at.speaking, m, at.giveBack) },
		subjectOf("*", kindLeave+"."+q.id):  func(m *nats.Msg) { at.start(at.speaking, m, at.leave) },
		subjectOf("*", kindBring+"."+q.id):  func(m *nats.Msg) { at.start(at.speaking, m, at.bring) },
	} {
		s, err := q.client.conn.Subscribe(subject, handle)
		if err != nil {
			shut()
			return nil, fmt.Errorf("open the queue to workers: %w", err)
		}
		subs = append(subs, s)
	}
	return shut, nil
}

// nameOf is the worker that has sent a message: it can publish in no other name.
func nameOf(m *nats.Msg) string { return strings.Split(m.Subject, ".")[2] }

// start answers a request in a goroutine of its own, and waits with further ones while there are too many.
func (g *gate) start(room chan struct{}, m *nats.Msg, handle func(name string, r request, part []byte) answer) {
	name := nameOf(m)
	r, part, err := decodeRequest(m.Data)
	if err != nil {
		return
	}
	select {
	case room <- struct{}{}:
	case <-g.open.Done():
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut {
		return
	}
	g.work.Go(func() {
		defer func() { <-room }()
		text, err := json.Marshal(handle(name, r, part))
		if err == nil {
			g.say(m, text)
		}
	})
}

// say answers a message, but only where its sender hears answers: with our rights it could reach what the worker may not.
func (g *gate) say(m *nats.Msg, text []byte) {
	if strings.HasPrefix(m.Reply, inbox(nameOf(m))+".") {
		g.queue.client.conn.Publish(m.Reply, text) // what is lost is asked for again
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
	consumer, err := g.jobs()
	if err == nil {
		var m jetstream.Msg
		if m, err = next(g.ctx, consumer, min(max(time.Duration(r.Wait)*time.Millisecond, time.Millisecond), maxWait)); m != nil {
			return g.hand(name, r.Slot, m)
		}
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
	g.mu.Lock()
	told := g.warned[name] || len(g.warned) > maxTaking
	g.warned[name] = true
	g.mu.Unlock()
	if !told {
		g.complain(name, "it speaks of a game that it has not taken from this queue")
	}
	return false
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
	g.mu.Lock()
	told := g.barred[name]
	g.barred[name] = true
	g.mu.Unlock()
	if !told {
		g.complain(name, fmt.Sprintf("game %s: %v; it is offered to others, and this worker gets no further game", t.ID, err))
	}
	g.offerAgain(t)
	return answer{Refused: true, Error: "the result of game " + t.ID + " was refused: " + err.Error()}
}

// gather puts the parts of a result together; nil: it is not whole yet.
func (g *gate) gather(r *request, part []byte) ([]byte, answer) {
	if r.Parts <= 1 {
		return part, answer{}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for mark, p := range g.partial {
		if time.Since(p.last) > staleAfter {
			g.forget(mark)
		}
	}
	mark := string(r.Ticket.Mark)
	p := g.partial[mark]
	switch {
	case r.Part == 0:
		g.forget(mark)
		p = new(partial)
		g.partial[mark] = p
	case p == nil || p.parts != r.Part:
		return nil, answer{Again: true}
	}
	if len(p.text)+len(part) > maxResult || g.held+len(part) > maxPartial {
		g.forget(mark)
		return nil, answer{Error: fmt.Sprintf("results of up to %d bytes are taken, %d at a time", maxResult, maxPartial)}
	}
	p.text, p.parts, p.last = append(p.text, part...), p.parts+1, time.Now()
	g.held += len(part)
	if p.parts < r.Parts {
		return nil, answer{}
	}
	g.forget(mark)
	return p.text, answer{}
}

func (g *gate) forget(mark string) {
	if p := g.partial[mark]; p != nil {
		g.held -= len(p.text)
		delete(g.partial, mark)
	}
}
