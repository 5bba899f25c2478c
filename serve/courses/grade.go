package courses

import (
	"context"
	"errors"
	"fmt"
	"time"

	"luzhanqi/grading"
	"luzhanqi/grading/course"
	"luzhanqi/process/sandbox"
	"luzhanqi/tournament/store"
)

const (
	inUse   = 2 * time.Second // after which it is tried again to grade where another process does
	retry   = time.Minute     // after which a submission is that could not be graded; twice as long each time
	longest = time.Hour
	often   = 250 * time.Millisecond // at least between two counts of games that are told
)

// Grade grades what waits, until ctx ends: what then is being graded goes on in the next run.
func (s *Served) Grade(ctx context.Context) {
	if !s.Rules.Uploads || s.unsealed != "" {
		return
	}
	pages := true // those of the class may be older than the marks: the server may have been killed
	for ctx.Err() == nil {
		pause := s.round(ctx, &pages)
		if pause == 0 {
			continue
		}
		wait := time.NewTimer(pause)
		select {
		case <-ctx.Done():
		case <-s.wake:
		case <-wait.C:
		}
		wait.Stop()
	}
}

// round grades what comes next, or writes the pages of the class when nothing waits, and says how long there is nothing to do.
func (s *Served) round(ctx context.Context, pages *bool) (pause time.Duration) {
	select {
	case s.Turn <- struct{}{}:
		defer func() { <-s.Turn }()
	case <-ctx.Done():
		return 0
	}
	c, batch, pause, err := s.next(*pages)
	if err != nil {
		s.Warn(err)
	}
	if pause > 0 {
		return pause
	}
	outcome, err := grading.Run(ctx, c, grading.Options{
		Only: batch, Pages: len(batch) == 0, Out: s.Out, Version: s.Version, Sandbox: sandbox.Sealed, OwnSeeds: true, Concurrency: s.Rules.Concurrency,
		Events: s.happened, Played: s.played,
	})
	*pages = len(batch) > 0 || err != nil
	return s.ended(ctx, outcome, err)
}

// next are the submissions that are graded next, at a time, which then count as being graded; none: the pages of the class are
// written. pause: for so long there is neither to be done.
func (s *Served) next(pages bool) (c *course.Course, batch []string, pause time.Duration, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c = s.now()
	handed, err := grading.HandedIn(c)
	if err != nil {
		return c, nil, retry, err
	}
	pause = longest
	for _, h := range s.line(handed) {
		if left := time.Until(s.trouble[h.Name].again); left > 0 {
			pause = min(pause, left)
		} else if len(batch) < s.Rules.Concurrency {
			batch = append(batch, h.Name)
			s.grading[h.Name] = &progress{}
		}
	}
	if s.all = pages && len(batch) == 0 && len(handed) > 0; s.all || len(batch) > 0 {
		pause = 0
		s.change()
	}
	return c, batch, pause, nil
}

// ended notes what has come of a run of the grader, and says how long to wait before the next.
func (s *Served) ended(ctx context.Context, outcome grading.Outcome, err error) (pause time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.grading)
	s.all = false
	s.change()
	if ctx.Err() != nil {
		return 0
	}
	failed := map[string]bool{}
	for _, f := range outcome.Failures {
		failed[f.Name] = true
		t := s.trouble[f.Name]
		t.err, t.again = f.Err, time.Now().Add(min(longest, retry<<min(t.times, 10)))
		t.times++
		s.trouble[f.Name] = t
		s.Warn(fmt.Errorf("%s could not be graded: %w", f.Name, f.Err))
	}
	for _, sheet := range outcome.Sheets {
		if !failed[sheet.Name] {
			delete(s.trouble, sheet.Name)
		}
	}
	switch {
	case errors.Is(err, store.ErrRunning):
		return inUse
	case err != nil:
		s.Warn(err)
		return retry
	}
	return 0
}

// happened is told of events while grading.
func (s *Served) happened(e grading.Event) {
	if e.Event != "stage" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.grading[e.Submission]; p != nil {
		p.steps = append(p.steps, Step{e.Stage, e.Text})
		p.against, p.games = "", 0
		s.change()
	}
}

// played is told how many games against a level are over.
func (s *Served) played(name, level string, games int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.grading[name]; p != nil {
		p.against, p.games = level, games
		if time.Since(p.told) > often { // some programs play hundreds in a second
			p.told = time.Now()
			s.change()
		}
	}
}
