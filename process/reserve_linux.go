package process

import (
	"encoding/json"
	"sync"
	"time"
)

// Reserve has everything made ready for programs that will be started again: whenever a command that holds it is started,
// the same is made ready for the next time, namespaces, view and process 1, so that only the program itself is left to be
// started. Each is used once. Where programs are not isolated, nothing is ready beforehand.
type Reserve struct {
	more    func() bool
	mu      sync.Mutex
	ready   map[string][]*stayed // by command
	closed  bool
	getting sync.WaitGroup
}

// NewReserve makes one, which is to be closed. more says whether a program that has just been started will be again.
func NewReserve(more func() bool) *Reserve {
	return &Reserve{more: more, ready: map[string][]*stayed{}}
}

// Close ends what is ready and was not used.
func (r *Reserve) Close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.getting.Wait()
	for _, all := range r.ready {
		for _, s := range all {
			s.kill()
		}
	}
	var failed error
	for _, all := range r.ready {
		for _, s := range all {
			if err := s.release(); err != nil && failed == nil {
				failed = err
			}
		}
	}
	return failed
}

// reserveKey tells apart what is made ready. Processors are known when the program starts.
func (c Command) reserveKey() string {
	c.Confine.CPUs = nil
	key, _ := json.Marshal(c) // texts and numbers: it cannot fail
	return string(key)
}

// take returns what is ready for a command; nil: nothing is.
func (r *Reserve) take(c Command) *stayed {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	key := c.reserveKey()
	all := r.ready[key]
	if len(all) == 0 {
		return nil
	}
	s := all[len(all)-1]
	r.ready[key] = all[:len(all)-1]
	return s
}

// again has the same made ready for a command that was started, if it will be again. What is kept of a program goes to a
// place of its own for each game, and a copy of its directory would be too old.
func (r *Reserve) again(c Command, s *stayed) {
	if r == nil || c.Sandbox.Keep != "" || s.copies || !r.more() {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	r.getting.Go(func() {
		c.Confine.CPUs = nil
		path, err := c.path()
		if err != nil {
			return // the next start says so
		}
		order, env, err := orderFor(Isolation().By, c, path)
		if err != nil || !order.canStay() {
			return
		}
		next, err := beforehand(c, env, order)
		if err != nil {
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		key := c.reserveKey()
		r.ready[key] = append(r.ready[key], next)
	})
}

// Conclude has what supervises programs end, and waits until it is gone: a main function that calls [Reexec] calls it last, when no
// program runs any more. Without it that ends by itself, a little after this process.
func Conclude() {
	hosts.Lock()
	h := hosts.current
	hosts.current = nil
	hosts.Unlock()
	if h == nil {
		return
	}
	h.socket.Close()
	gone := make(chan struct{})
	go func() { children.wait(h.cmd); close(gone) }()
	select {
	case <-gone:
	case <-time.After(killTimeout):
	}
}
