package player

import (
	"time"

	"luzhanqi/clock"
)

// Due is when an answer should be given: at nine tenths of the announced limit. The rest covers the
// way through two pipes and a referee that shares the processor with two programs.
func Due(start time.Time, limit time.Duration) time.Time { return start.Add(limit * 9 / 10) }

// Margin is how long before its deadline a search stops. It covers what no clock check of the search
// sees: the scheduler and the garbage collector. What they have cost lately they may cost again, so a
// busy machine gets more. The zero value is ready to use.
type Margin struct {
	overrun time.Duration // by which searches have lately missed their time to stop
}

// Stop is when a search that begins at start has to stop.
func (m *Margin) Stop(start, deadline time.Time) time.Time {
	limit := deadline.Sub(start)
	return deadline.Add(-min(min(3*time.Millisecond+limit/20, 20*time.Millisecond)+m.overrun, limit/2))
}

// Stopped is told when a search ends that was to stop at a time, and had the time up to limit in all.
// A freeze of the whole machine is not remembered at its full length.
func (m *Margin) Stopped(stop time.Time, limit time.Duration) {
	m.overrun = max(m.overrun*15/16, min(clock.Since(stop), limit/2), 0)
}
