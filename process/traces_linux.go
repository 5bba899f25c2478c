package process

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"luzhanqi/process/sandbox"
	"luzhanqi/text"
)

// report tells the referee, when everything is dead, what the program was refused and has changed, and keeps its layer
// where that was asked for.
func (s *supervisor) report() {
	if s.inside == nil || s.inside.Layer == nil {
		return
	}
	fmt.Fprintln(s.control, "removing")
	for _, r := range s.tried.all() {
		line, _ := json.Marshal(r)
		fmt.Fprintf(s.control, "tried %s\n", line)
	}
	if s.full() {
		fmt.Fprintln(s.control, "full")
	}
	changed, err := s.inside.Changes()
	for _, name := range changed {
		line, _ := json.Marshal(name) // a text
		fmt.Fprintf(s.control, "changed %s\n", line)
	}
	if err == nil && s.inside.Keep != nil {
		err = s.inside.Kept(s.order.View)
	}
	if err != nil {
		fmt.Fprintln(s.control, "remains", strings.ReplaceAll(err.Error(), "\n", " "))
	}
}

// refusals collects what the program was refused.
type refusals struct {
	enough chan struct{} // closed when everything is dead: lets the restricted thread end
	served chan struct{} // closed when no more comes
	mu     sync.Mutex
	kinds  map[[2]string]sandbox.Refusal
}

func newRefusals() *refusals {
	return &refusals{enough: make(chan struct{}), served: make(chan struct{}), kinds: map[[2]string]sandbox.Refusal{}}
}

func (t *refusals) serve(restricted sandbox.Restriction) {
	defer close(t.served)
	runtime.LockOSThread()
	restricted.Refusals(func(r sandbox.Refusal) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.kinds[[2]string{r.Call, r.Detail}] = r
	})
}

// all are the refusals, in the order of their times, once everything is dead. The last counts may be missing when the
// kernel does not tell in time that nobody is left.
func (t *refusals) all() []sandbox.Refusal {
	close(t.enough)
	select {
	case <-t.served:
	case <-time.After(time.Second):
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.SortedFunc(maps.Values(t.kinds), func(a, b sandbox.Refusal) int { return a.At.Compare(b.At) })
}

// full says whether nothing more could be written at the end.
func (s *supervisor) full() bool {
	_, _, full := s.inside.Written(s.order.View)
	return full || s.overfull.Load()
}

// watchDisk kills everything when its private disks hold more files than they may, where the kernel does not see to that.
func (s *supervisor) watchDisk() {
	for !s.killing.Load() {
		if s.inside.Overfull(s.order.View) {
			s.overfull.Store(true)
			s.end(NoLimit)
		}
		time.Sleep(watchInterval)
	}
}

// told is what a supervisor has told of a program.
type told struct {
	program string            // its name, for people
	disk    int64             // bytes that it may write where its writes are thrown away
	full    bool              // and could write no more
	refused []sandbox.Refusal // system calls
	changed []string          // files of its working directory
}

// trace reads a line about what the program has left behind.
func (s *told) trace(word, rest string) error {
	switch word {
	case "tried":
		var r sandbox.Refusal
		if err := json.Unmarshal([]byte(rest), &r); err != nil {
			return fmt.Errorf("supervisor of %q: %w", s.program, err)
		}
		s.refused = append(s.refused, r)
	case "full":
		s.full = true
	case "changed":
		var name string
		if err := json.Unmarshal([]byte(rest), &name); err != nil {
			return fmt.Errorf("supervisor of %q: %w", s.program, err)
		}
		s.changed = append(s.changed, name)
	case "remains":
		return errors.New(rest)
	}
	return nil
}

// traces adds to an exit what the program was refused and what it has changed.
func (s *told) traces(e *Exit) {
	e.Refused, e.Changed = s.refused, s.changed
	if s.full && e.Exceeded == NoLimit && (e.Code != 0 || e.Signal != 0) {
		e.Exceeded, e.Of = LimitDisk, fmt.Sprintf("more than %s of disk", text.Bytes(s.disk))
	}
}

// startError is what a supervisor says instead of starting the program.
func startError(word, rest string) error {
	switch word {
	case "failed":
		errno, _ := strconv.Atoi(rest)
		return syscall.Errno(errno)
	case "unavailable":
		return sandbox.Unavailable{Why: rest}
	}
	return errors.New(rest)
}

// exitOf reads a supervisor's line about the end of the program.
func exitOf(word, rest string, confined func(Exit, Limit) Exit) Exit {
	var number, user, system, rss int64
	var exceeded Limit
	fmt.Sscan(rest, &number, &user, &system, &rss, &exceeded)
	exit := Exit{Code: int(number), User: time.Duration(user), System: time.Duration(system), MaxRSS: rss}
	if word == "signaled" {
		exit.Code, exit.Signal = -1, syscall.Signal(number)
	}
	return confined(exit, exceeded)
}
