package serve

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// within are the bounds of the times of moves that are counted.
var within = [...]time.Duration{
	time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second,
	10 * time.Second, 30 * time.Second, time.Minute,
}

// moveTimes counts moves by how long they took, as a histogram of Prometheus has it, and what others took of that time.
type moveTimes struct {
	mu      sync.Mutex
	counts  [len(within) + 1]int64 // the last: longer than all bounds
	sum     time.Duration
	starved time.Duration
}

func (m *moveTimes) add(took, starved time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := 0
	for at < len(within) && took > within[at] {
		at++
	}
	m.counts[at]++
	m.sum += took
	m.starved += starved
}

func (m *moveTimes) write(b *strings.Builder) {
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprint(b, "# HELP luzhanqi_move_seconds How long moves took, from the question to the answer.\n# TYPE luzhanqi_move_seconds histogram\n")
	total := int64(0)
	for i, bound := range within {
		total += m.counts[i]
		fmt.Fprintf(b, "luzhanqi_move_seconds_bucket{le=\"%g\"} %d\n", bound.Seconds(), total)
	}
	total += m.counts[len(within)]
	fmt.Fprintf(b, "luzhanqi_move_seconds_bucket{le=\"+Inf\"} %[1]d\nluzhanqi_move_seconds_sum %[2]g\nluzhanqi_move_seconds_count %[1]d\n", total, m.sum.Seconds())
	fmt.Fprintf(b, "# HELP luzhanqi_starved_seconds_total Time in turns in which others had the processors.\n# TYPE luzhanqi_starved_seconds_total counter\nluzhanqi_starved_seconds_total %g\n",
		m.starved.Seconds())
}
