package clock

import (
	"testing"
	"time"
)

// TestRound: what was measured on machines where 150 processes computed is no stop, with and without a pause by Ctrl-Z; a stop is one.
func TestRound(t *testing.T) {
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		round
		resumed bool
		want    time.Duration
	}{
		"nothing": {round: round{took: 51 * ms, counted: true}, resumed: true},
		"the thread waited in the queue, and a pause began then": {
			round{late: 100 * ms, took: 152 * ms, waited: 102 * ms, counted: true}, true, 0,
		},
		"it waited in the queue when a pause was over": {
			round{late: 480 * ms, took: 1017 * ms, waited: 272 * ms, paused: 730 * ms, counted: true}, true, 0,
		},
		"it waited for Go's scheduler when a pause was over": {
			round{late: 480 * ms, took: 1017 * ms, paused: 730 * ms, counted: true}, true, 0,
		},
		"it waited for Go's scheduler, and Go told late of a pause before": {
			round{took: 237 * ms, before: 730 * ms, counted: true}, true, 0,
		},
		"it waited for Go's scheduler":                  {round: round{took: 237 * ms, counted: true}},
		"the queue, where the kernel does not count it": {round: round{late: 200 * ms, took: 250 * ms}},
		"a stop":                                 {round{late: 200 * ms, took: 250 * ms, counted: true}, true, 200 * ms},
		"a stop by a debugger":                   {round{late: 200 * ms, took: 250 * ms, counted: true}, false, 200 * ms},
		"a stop, and the queue":                  {round{late: 300 * ms, took: 350 * ms, waited: 100 * ms, counted: true}, true, 200 * ms},
		"a stop before it slept":                 {round{took: 250 * ms, counted: true}, true, 200 * ms},
		"a stop before it slept, and the queue":  {round{took: 350 * ms, waited: 100 * ms, counted: true}, true, 200 * ms},
		"a stop where the kernel does not count": {round{late: 200 * ms, took: 250 * ms}, true, 200 * ms},
		"a stop beside a pause":                  {round{late: 900 * ms, took: 950 * ms, paused: 700 * ms, counted: true}, true, 200 * ms},
		"the machine slept":                      {round{machine: time.Hour, took: 51 * ms, counted: true}, false, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.stopped(func() bool { return c.resumed }); got != c.want {
				t.Errorf("stopped for %v, want %v", got, c.want)
			}
		})
	}
}
