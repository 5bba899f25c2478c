package queue

import "sync"

// Bounds of what one worker may have waiting at a gate: more than an honest one has with a thousand games at a time. What is
// beyond is dropped unread; a worker that gets no answer asks again.
const (
	maxWaiting      = 4096      // requests
	maxWaitingBytes = 256 << 20 // of them
	maxTakingEach   = 64        // of them that wait for a game in JetStream
	maxSpeakingEach = 16        // of them that are answered, besides
	maxDropped      = 4096      // without a moment at which nothing waits: too much
)

// guests are the workers of which requests are at the gate. They take turns: whatever one of them sends, another's request
// waits for no more than maxTakingEach or maxSpeakingEach of its.
type guests struct {
	mu    sync.Mutex
	names map[string]*guest
	bytes int // of all that wait
}

type guest struct {
	waiting, bytes   int
	dropped          int
	taking, speaking chan struct{}
}

// enter lets a request wait; nil: its worker has too many, and has had for how many.
func (gs *guests) enter(name string, size int) (one *guest, dropped int) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	one = gs.names[name]
	if one == nil {
		one = &guest{taking: make(chan struct{}, maxTakingEach), speaking: make(chan struct{}, maxSpeakingEach)}
	}
	if one.waiting >= maxWaiting || one.bytes+size > maxWaitingBytes || gs.bytes+size > maxPartial {
		one.dropped++
		return nil, one.dropped
	}
	gs.names[name] = one
	one.waiting++
	one.bytes += size
	gs.bytes += size
	return one, 0
}

// leave forgets a request that was answered, and its worker with the last.
func (gs *guests) leave(name string, size int) {
	gs.mu.Lock()
	defer gs.mu.Unlock()
	one := gs.names[name]
	one.waiting--
	one.bytes -= size
	gs.bytes -= size
	if one.waiting == 0 {
		delete(gs.names, name)
	}
}
