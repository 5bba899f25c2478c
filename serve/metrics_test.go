package serve

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// Metrics say how games go: their moves and endings, and who waits.
func TestMetrics(t *testing.T) {
	s, server := started(t, nil)
	s.counts.moved(20*time.Millisecond, 5*time.Millisecond)
	s.counts.moved(2*time.Minute, 0)
	s.counts.ended("won")
	_, text := get(t, http.DefaultClient, server+"/metrics")
	for _, line := range []string{
		`luzhanqi_move_seconds_bucket{le="0.01"} 0`, `luzhanqi_move_seconds_bucket{le="0.1"} 1`, `luzhanqi_move_seconds_bucket{le="60"} 1`,
		`luzhanqi_move_seconds_bucket{le="+Inf"} 2`, "luzhanqi_move_seconds_sum 120.02", "luzhanqi_move_seconds_count 2", "luzhanqi_starved_seconds_total 0.005",
		`luzhanqi_endings_total{code="won"} 1`, `luzhanqi_endings_total{code="void"} 0`, "luzhanqi_queue 0", "luzhanqi_seats 0", "luzhanqi_watchers 0",
		"luzhanqi_games_live 0", "luzhanqi_games_total 0", "luzhanqi_plies_total 0", "# TYPE go_goroutines gauge", "# TYPE process_resident_memory_bytes gauge",
	} {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("there is no line %s in\n%s", line, text)
		}
	}
}
