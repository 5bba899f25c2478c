package serve

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/time/rate"

	"luzhanqi/game"
	"luzhanqi/player/daemon"
	"luzhanqi/referee"
	"luzhanqi/serve/courses"
	"luzhanqi/serve/live"
	"luzhanqi/serve/seat"
	"luzhanqi/serve/systemd"
	"luzhanqi/serve/tournaments"
)

// Server is the daemon.
type Server struct {
	config  Config
	log     zerolog.Logger
	version string
	began   time.Time
	records *folders
	counts  counts
	front   front
	newID   func() string // of games and of persons' seats
	slowly  time.Duration // how long who makes too many requests waits

	ending  context.Context // done: no new game begins
	end     context.CancelFunc
	playing context.Context // done: games that are being played are void
	void    context.CancelFunc
	closing context.Context // done: streams end
	close   context.CancelFunc

	mu          sync.Mutex
	games       []*hosted // the newest last
	tables      map[string]*hosted
	play        sync.WaitGroup // games and tables
	people      int            // games that people play, and invitations
	peopleOf    map[string]int // by owner
	lobby       map[string]chan *joined
	links       map[string]*seat.Link  // of programs elsewhere, by their secret
	invitations map[string]*invitation // that stand, by their id
	seated      int
	seatedOf    map[string]int // by owner
	crowds      crowds
	access      access
	tournaments []*tournaments.Watched
	courses     []*courses.Served
	largest     int64          // upload
	plain       sync.WaitGroup // the plain door, and connections that have not said who they are
}

// errEnded is why a game is void that the server did not wait for; who played or watched it is told so.
var errEnded = errors.New("the server has ended")

// hosted is a game with what only the server knows of it.
type hosted struct {
	*live.Game
	table   string
	persons [2]*person
	people  bool
	kept    string // the name of its record, once it is kept

	opponent referee.Entrant // of a person: a player of ours; of two persons none
	againMu  sync.Mutex
	again    *invitation   // of two persons: to a rematch; nil: nobody has asked
	wanted   chan struct{} // closed when again is set; nil in other games
}

// person is who plays at a seat.
type person struct {
	seat *live.Person
	key  string // only the browser that has it plays
	wish wish
}

// kept is how many games that have ended are remembered.
const kept = 50

// New makes a server that does not serve yet.
func New(c Config, version string, log zerolog.Logger) (*Server, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	s := &Server{config: c, log: log, version: version, began: time.Now(), tables: map[string]*hosted{}, peopleOf: map[string]int{}, seatedOf: map[string]int{}, newID: newID, slowly: slowly}
	s.counts.measured = newMeasured()
	s.access = access{
		tokens: c.Tokens, secure: c.Certificate != "" || len(c.Proxies) > 0, rate: c.Rate,
		signed: map[string]pass{}, links: map[string]pass{}, clients: map[string]*rate.Limiter{},
	}
	s.lobby, s.links, s.invitations = map[string]chan *joined{}, map[string]*seat.Link{}, map[string]*invitation{}
	for _, t := range c.Tables {
		s.lobby[t.Name] = make(chan *joined, c.Seats)
	}
	s.watchTournaments()
	var err error
	if err = s.openCourses(); err != nil {
		return nil, err
	}
	if s.records, err = openFolders(c.Records, c.Keep, len(c.Tokens) > 0); err != nil {
		return nil, err
	}
	s.ending, s.end = context.WithCancel(context.Background())
	playing, void := context.WithCancelCause(context.Background())
	s.playing, s.void = playing, func() { void(errEnded) }
	s.closing, s.close = context.WithCancel(context.Background())
	return s, nil
}

func newID() string { return strings.ToLower(rand.Text()) }

// Run serves until ctx ends, and drains. ready is called once with the address of the pages.
func (s *Server) Run(ctx context.Context, ready func(address string)) error {
	if s.config.Certificate != "" {
		if _, err := tls.LoadX509KeyPair(s.config.Certificate, s.config.Key); err != nil {
			return fmt.Errorf("certificate = %q, key = %q: %w", s.config.Certificate, s.config.Key, err)
		}
	}
	manager, err := systemd.Notify()
	if err != nil {
		return err
	}
	defer manager.Close()
	pages, err := s.listen()
	if err != nil {
		return err
	}
	servers := []*http.Server{s.server(s.Handler())}
	listeners := []net.Listener{&door{
		Listener: pages, most: s.config.Connections, proxies: s.config.Proxies, open: map[string]int{}, refused: func() { s.counts.refused.Add(1) },
	}}
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
			serve := server.Serve
			if i == 0 && s.config.Certificate != "" {
				serve = func(l net.Listener) error { return server.ServeTLS(l, s.config.Certificate, s.config.Key) }
			}
			if err := serve(listeners[i]); !errors.Is(err, http.ErrServerClosed) {
				failed <- err
			}
		})
	}
	var plain net.Listener
	if s.config.Plain != "" {
		if plain, err = daemon.Listen(s.config.Plain, false); err != nil {
			for _, l := range listeners {
				l.Close()
			}
			return fmt.Errorf("plain = %w", err)
		}
		s.plain.Go(func() { s.plainSeats(plain) })
	}
	s.startTables()
	s.gradeCourses()
	s.log.Info().Str("address", pages.Addr().String()).Msg("serving")
	scheme := "http://"
	if s.config.Certificate != "" {
		scheme = "https://"
	}
	ready(scheme + pages.Addr().String() + "/")
	defer s.report(manager, scheme+pages.Addr().String())()
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	if plain != nil {
		plain.Close()
	}
	if told := manager.Stopping("games end", time.Duration(s.config.Drain)+10*time.Second); told != nil {
		s.log.Warn().Err(told).Msg("the service manager was not told of the end")
	}
	s.drain(servers)
	serving.Wait()
	s.records.close()
	return err
}

func (s *Server) server(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 16 << 10, ErrorLog: log.New(quietly{s.log}, "", 0), TLSConfig: &tls.Config{NextProtos: []string{"http/1.1"}}, // seats take connections over
	}
}

// quietly logs what strangers can cause as often as they like, such as handshakes that fail, for who looks for it.
type quietly struct{ log zerolog.Logger }

func (q quietly) Write(line []byte) (int, error) {
	q.log.Debug().Msg(strings.TrimSpace(string(line)))
	return len(line), nil
}

// When the server has drained, programs that wait have so long to hear that there is no game, and connections to be closed.
const (
	farewell = time.Second
	shutdown = 1800 * time.Millisecond
)

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
	ctx, stop := context.WithDeadline(context.Background(), began.Add(time.Duration(s.config.Drain)+shutdown))
	defer stop()
	away := make(chan struct{})
	go func() {
		defer close(away)
		s.plain.Wait()
		s.empty()
	}()
	select {
	case <-away:
	case <-time.After(time.Until(began.Add(time.Duration(s.config.Drain) + farewell))):
	}
	s.void()
	s.close()
	for _, server := range servers {
		if server.Shutdown(ctx) != nil {
			server.Close()
		}
	}
	s.log.Info().Dur("took", time.Since(began)).Msg("drained")
}

// empty tells the programs that wait that there is no game any more.
func (s *Server) empty() {
	var all []*joined
	for _, waiting := range s.lobby {
		for len(waiting) > 0 {
			all = append(all, <-waiting)
		}
	}
	s.sendAway("the server ends", all...)
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

// seat says which seat of a game a request comes from: that of the browser, or the program, which has its key.
func (h *hosted) seat(r *http.Request) (live.Audience, *person) {
	for side, p := range h.persons {
		if p == nil {
			continue
		}
		c, err := r.Cookie(cookieOf(h.ID))
		if err == nil && equal(c.Value, p.key) || equal(r.Header.Get(HeaderSeat), p.key) {
			return live.At(game.Side(side)), p
		}
	}
	return live.Watchers, nil
}

func cookieOf(id string) string { return "seat-" + id }

// counts are what is told to operators.
type counts struct {
	games, plies, requests, refused atomic.Int64
	streams, resumed                atomic.Int64
	measured
}
