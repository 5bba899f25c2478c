package serve

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"luzhanqi/referee"
	"luzhanqi/serve/courses"
)

// within are the bounds of the times of moves that are counted, in seconds.
var within = []float64{0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10, 30, 60}

// measured is what operators are told of games, besides what the server knows anyway.
type measured struct {
	moves   prometheus.Histogram
	starved prometheus.Counter
	endings *prometheus.CounterVec
}

func newMeasured() measured {
	m := measured{
		prometheus.NewHistogram(prometheus.HistogramOpts{Name: "luzhanqi_move_seconds", Help: "How long moves took, from the question to the answer.", Buckets: within}),
		prometheus.NewCounter(prometheus.CounterOpts{Name: "luzhanqi_starved_seconds_total", Help: "Time in turns in which others had the processors."}),
		prometheus.NewCounterVec(prometheus.CounterOpts{Name: "luzhanqi_endings_total", Help: "Games by how they ended."}, []string{"code"}),
	}
	for _, code := range referee.Codes {
		m.endings.WithLabelValues(string(code)) // there from the beginning
	}
	return m
}

// moved counts a move: how long it took, and what others took of that time.
func (m *measured) moved(took, starved time.Duration) {
	m.moves.Observe(took.Seconds())
	m.starved.Add(starved.Seconds())
}

func (m *measured) ended(code string) { m.endings.WithLabelValues(code).Inc() }

// metrics answers with all of it.
func (s *Server) metrics() http.Handler {
	all := prometheus.NewRegistry()
	gauge := func(name, help string, value func() float64) {
		all.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "luzhanqi_" + name, Help: help}, value))
	}
	counter := func(name, help string, of interface{ Load() int64 }) {
		all.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "luzhanqi_" + name, Help: help}, func() float64 { return float64(of.Load()) }))
	}
	// locked reads something under the lock.
	locked := func(read func() int) func() float64 {
		return func() float64 {
			s.mu.Lock()
			defer s.mu.Unlock()
			return float64(read())
		}
	}
	gauge("games_live", "Games that are being played.", locked(func() (n int) {
		for _, h := range s.games {
			if h.live() {
				n++
			}
		}
		return n
	}))
	gauge("people_playing", "Games that people play.", locked(func() int { return s.people }))
	gauge("watchers", "Streams of events that are open.", func() float64 { return float64(s.counts.streams.Load()) })
	gauge("seats", "Programs from elsewhere that play or wait.", locked(func() int { return s.seated }))
	gauge("queue", "Programs from elsewhere that wait for a game.", locked(func() (n int) {
		for _, waiting := range s.lobby {
			n += len(waiting)
		}
		return n
	}))
	counter("resumed_total", "Broken connections of programs that went on.", &s.counts.resumed)
	counter("games_total", "Games that have begun.", &s.counts.games)
	counter("plies_total", "Moves that were played.", &s.counts.plies)
	counter("requests_total", "Requests to pages.", &s.counts.requests)
	counter("refused_total", "Requests and connections that were refused.", &s.counts.refused)
	gauge("uptime_seconds", "Since the server began.", func() float64 { return time.Since(s.began).Seconds() })
	all.MustRegister(s.counts.moves, s.counts.starved, s.counts.endings, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if len(s.courses) > 0 {
		all.MustRegister(submissions{s.courses})
	}
	return promhttp.HandlerFor(all, promhttp.HandlerOpts{DisableCompression: true}) // the server compresses itself
}

// submissions are those of courses by how they stand.
type submissions struct{ courses []*courses.Served }

var submissionsKind = prometheus.NewDesc("luzhanqi_submissions", "Submissions by how they stand.", []string{"course", "state"}, nil)

// Describe implements [prometheus.Collector].
func (s submissions) Describe(kinds chan<- *prometheus.Desc) { kinds <- submissionsKind }

// Collect implements [prometheus.Collector].
func (s submissions) Collect(all chan<- prometheus.Metric) {
	for _, c := range s.courses {
		v, err := c.Look("")
		if err != nil {
			continue // the pages say it
		}
		count := map[courses.State]int{}
		for _, a := range v.Attempts {
			count[a.State]++
		}
		for _, state := range courses.States {
			all <- prometheus.MustNewConstMetric(submissionsKind, prometheus.GaugeValue, float64(count[state]), c.Name, string(state))
		}
	}
}
