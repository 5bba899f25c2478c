package daemon

import (
	"slices"
	"sync"
	"time"
)

// slots are places to think. Who has to answer first gets the next that is free.
type slots struct {
	mu      sync.Mutex
	all     int
	free    int
	waiting []waiting // the earliest deadline first
}

type waiting struct {
	deadline time.Time
	turn     chan struct{}
}

// take waits for a slot.
func (s *slots) take(deadline time.Time) {
	s.mu.Lock()
	if s.free > 0 {
		s.free--
		s.mu.Unlock()
		return
	}
	w := waiting{deadline, make(chan struct{})}
	at, _ := slices.BinarySearchFunc(s.waiting, deadline, func(w waiting, d time.Time) int {
		if w.deadline.After(d) {
			return 1
		}
		return -1 // who came first goes first
	})
	s.waiting = slices.Insert(s.waiting, at, w)
	s.mu.Unlock()
	<-w.turn
}

// give gives a slot back.
func (s *slots) give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		s.free++
		return
	}
	close(s.waiting[0].turn)
	s.waiting = slices.Delete(s.waiting, 0, 1)
}

// least is what a search is given even if its time is over: it has to answer something.
const least = time.Millisecond

// share is until when one of so many sessions that play at a time may think: if all were asked at once, each would
// answer before its deadline. The shortest limit is that of those who play: who has it can be asked while others think.
func share(now, deadline time.Time, shortest time.Duration, playing, slots int) time.Time {
	limit := min(deadline.Sub(now), shortest)
	rounds := max(1, (playing+slots-1)/slots)
	end := now.Add(limit / time.Duration(rounds))
	if end.After(deadline) {
		end = deadline
	}
	if soonest := now.Add(least); end.Before(soonest) {
		return soonest
	}
	return end
}
