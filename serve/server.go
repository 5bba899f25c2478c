package serve

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"luzhanqi/game"
	"luzhanqi/serve/live"
)

// Server is the daemon.
type Server struct {
	config  Config
	log     zerolog.Logger
	version string
	began   time.Time
	records *folders
	counts  counts
	newID   func() string // of games and of persons' seats

	ending  context.Context // done: no new game begins
	end     context.CancelFunc
	playing context.Context // done: games that are being played are void
	void    context.CancelFunc
	closing context.Context // done: streams end
	close   context.CancelFunc

	mu     sync.Mutex
	games  []*hosted // the newest last
	tables map[string]*hosted
	play   sync.WaitGroup // games and tables
	people int            // games that people play
}

// hosted is a game with what only the server knows of it.
type hosted struct {
	*live.Game
	table   string
	persons [2]*person
	people  bool
	kept    string // the name of its record, once it is kept
}

// person is who plays at a seat.
type person struct {
	seat *live.Person
	key  string // only the browser that has it plays
}

// kept is how many games that have ended are remembered.
const kept = 50

// New makes a server that does not serve yet.
func New(c Config, version string, log zerolog.Logger) (*Server, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	s := &Server{config: c, log: log, version: version, began: time.Now(), tables: map[string]*hosted{}, newID: newID}
	var err error
	if s.records, err = openFolders(c.Records, c.Keep); err != nil {
		return nil, err
	}
	s.ending, s.end = context.WithCancel(context.Background())
	s.playing, s.void = context.WithCancel(context.Background())
	s.closing, s.close = context.WithCancel(context.Background())
	return s, nil
}

func newID() string { return strings.ToLower(rand.Text()) }

// Run serves until ctx ends, and drains. ready is called once with the address of the pages.
func (s *Server) Run(ctx context.Context, ready func(address string)) error {
	pages, err := net.Listen("tcp", s.config.Listen)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", s.config.Listen, err)
	}
	servers := []*http.Server{s.server(s.Handler())}
	listeners := []net.Listener{pages}
	if s.config.Operators != "" {
		operators, err := net.Listen("tcp", s.config.Operators)
		if err != nil {
			pages.Close()
			return fmt.Errorf("listen on %s: %w", s.config.Operators, err)
		}
		servers, listeners = append(servers, s.server(s.operators())), append(listeners, operators)
	}
	failed := make(chan error, len(servers))
	var serving sync.WaitGroup
	for i, server := range servers {
		serving.Go(func() {
			if err := server.Serve(listeners[i]); !errors.Is(err, http.ErrServerClosed) {
				failed <- err
			}
		})
	}
	s.startTables()
	s.log.Info().Str("address", pages.Addr().String()).Msg("serving")
	ready("http://" + pages.Addr().String() + "/")
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	s.drain(servers)
	serving.Wait()
	s.records.close()
	return err
}

func (s *Server) server(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 16 << 10,
	}
}

// drain lets games end, ends those that do not, tells who watches, and closes.
func (s *Server) drain(servers []*http.Server) {
	began := time.Now()
	s.end()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.play.Wait()
	}()
	late := time.AfterFunc(time.Duration(s.config.Drain), s.void)
	<-ended
	late.Stop()
	s.void()
	s.close()
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Second)
	defer stop()
	for _, server := range servers {
		if server.Shutdown(ctx) != nil {
			server.Close()
		}
	}
	s.log.Info().Dur("took", time.Since(began)).Msg("drained")
}

// add takes a game into the list, and forgets old ones.
func (s *Server) add(h *hosted) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.games = append(s.games, h)
	over := 0
	for i := len(s.games) - 1; i >= 0; i-- {
		if !s.games[i].live() {
			if over++; over > kept {
				s.games = slices.Delete(s.games, i, i+1)
			}
		}
	}
}

func (h *hosted) live() bool {
	select {
	case <-h.Done():
		return false
	default:
		return true
	}
}

// find is the game of that id, or nil.
func (s *Server) find(id string) *hosted {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.games {
		if h.ID == id {
			return h
		}
	}
	return nil
}

// all are all games, the newest first.
func (s *Server) all() []*hosted {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.Clone(s.games)
	slices.Reverse(all)
	return all
}

// seat says which seat of a game a request comes from: that of the browser which has its key.
func (h *hosted) seat(r *http.Request) (live.Audience, *person) {
	for side, p := range h.persons {
		if p == nil {
			continue
		}
		if c, err := r.Cookie(cookieOf(h.ID)); err == nil && equal(c.Value, p.key) {
			return live.At(game.Side(side)), p
		}
	}
	return live.Watchers, nil
}

func cookieOf(id string) string { return "seat-" + id }

// counts are what is told to operators.
type counts struct {
	games, plies, requests, refused atomic.Int64
	streams                         atomic.Int64
	endingsMu                       sync.Mutex
	endings                         map[string]int64
}

func (c *counts) ended(code string) {
	c.endingsMu.Lock()
	defer c.endingsMu.Unlock()
	if c.endings == nil {
		c.endings = map[string]int64{}
	}
	c.endings[code]++
}
