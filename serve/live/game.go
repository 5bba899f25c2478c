// Package live holds games while they are played, for those who watch and for people who play.
//
// A [Game] is an observer of the referee's game: what happens is handed over without waiting, and one goroutine makes
// films of it, encodes each event once for each audience, and wakes who follows. Watchers of a game in which a person or
// a program from elsewhere plays see what both sides see, and everything once it has ended; a [Person] sees what its own
// seat is told, and its film is made of nothing else. [Game.Follow] is the stream of events of an audience.
package live

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"luzhanqi/game"
	"luzhanqi/referee"
	"luzhanqi/serve/film"
	"luzhanqi/serve/page"
	"luzhanqi/text"
)

// Audience is who looks at a game.
type Audience int

// The audiences: those at a seat see what their side sees.
const (
	Watchers Audience = iota
	AtFirst
	AtSecond
)

// At is the audience at a side's seat.
func At(side game.Side) Audience { return Audience(side.Number()) }

// Game is a game that is being played, or has been.
type Game struct {
	ID      string
	Game    game.Game
	Players [2]string
	Next    string // where the next game of the same table can be seen; empty: there is none
	Began   time.Time

	limit float64 // of a move
	mu    sync.Mutex
	open  [3]*show // by audience; nil: there is none
	whole *film.Film
	views [2][]game.View // by side and ply
	minds [2][2]mind     // by side; by what was observed, and by opinion
	wake  chan struct{}  // capacity 1: something waits

	waitingMu sync.Mutex
	waiting   []func()
	over      bool // no more is handed over
	done      chan struct{}

	watchers atomic.Int64
	took     [2]atomic.Int64 // nanoseconds: the latest move of a side, for its seat
}

// show is what one audience gets: a film, and the events by which a page follows it.
type show struct {
	film *film.Film
	play *page.Play // of a person
	now  atomic.Pointer[events]
}

// events is never changed; the list only grows beyond what anybody has seen of it.
type events struct {
	list    [][]byte
	changed chan struct{} // closed when there is a next
	end     bool
}

// event is what a page gets: whatever is new.
type event struct {
	Film   *film.Film               `json:"film,omitempty"`
	Ply    *film.Ply                `json:"ply,omitempty"`
	Mover  int                      `json:"mover,omitempty"`
	Faces  []film.Face              `json:"faces,omitempty"`
	Frames map[film.Eyes]film.Frame `json:"frames,omitempty"`
	Play   *page.Play               `json:"play,omitempty"`
	End    *film.End                `json:"end,omitempty"`
	Next   string                   `json:"next,omitempty"`
}

// New makes room for a game that is about to be played. Persons are the sides played by people here; secret: watchers
// may see only what both sides see, until it has ended. Close ends it.
func New(id string, g *referee.Game, secret bool, persons ...game.Side) *Game {
	l := &Game{
		ID: id, Game: g.Game, Players: [2]string{g.Entrants[0].Name, g.Entrants[1].Name}, Began: time.Now(),
		limit: text.Milliseconds(g.Limits.Move), wake: make(chan struct{}, 1), done: make(chan struct{}),
	}
	eyes := []film.Eyes{film.All, film.First, film.Second}
	for _, e := range g.Entrants {
		if e.Person { // who has no limit; what a player of ours has is not said of them
			l.limit = 0
		}
	}
	l.whole = film.New(l.Game, l.Players, l.limit, eyes...)
	if secret {
		eyes = []film.Eyes{film.Open}
	}
	l.open[Watchers] = l.show(nil, eyes...)
	for _, side := range persons {
		l.open[At(side)] = l.show(&page.Play{Side: side.Number(), Legal: []film.Choice{}}, film.Of(side))
	}
	go l.work()
	return l
}

func (l *Game) show(play *page.Play, eyes ...film.Eyes) *show {
	s := &show{film: film.New(l.Game, l.Players, l.limit, eyes...), play: play}
	s.now.Store(&events{changed: make(chan struct{})})
	return s
}

// hand hands something over to the goroutine that makes films. It never waits for it.
func (l *Game) hand(do func()) {
	l.waitingMu.Lock()
	if !l.over {
		l.waiting = append(l.waiting, do)
	}
	l.waitingMu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Close says that nothing more will happen, and waits until all of it can be seen.
func (l *Game) Close() {
	l.waitingMu.Lock()
	l.over = true
	l.waitingMu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
	<-l.done
}

// Done is closed when nothing more will happen.
func (l *Game) Done() <-chan struct{} { return l.done }

// work does what was handed over, in its order.
func (l *Game) work() {
	defer close(l.done)
	for range l.wake {
		l.waitingMu.Lock()
		all, over := l.waiting, l.over
		l.waiting = nil
		l.waitingMu.Unlock()
		l.mu.Lock()
		for _, do := range all {
			do()
		}
		if over {
			for _, s := range l.open {
				s.end()
			}
		}
		l.mu.Unlock()
		if over {
			return
		}
	}
}

// add adds an event to a show and wakes who follows it.
func (s *show) add(e event) {
	encoded, err := json.Marshal(e)
	if err != nil {
		panic(err) // a mistake in the types above
	}
	old := s.now.Load()
	message := fmt.Appendf(nil, "id: %d\ndata: %s\n\n", len(old.list)+1, encoded)
	s.now.Store(&events{list: append(old.list, message), changed: make(chan struct{})})
	close(old.changed)
}

// end ends the streams of a show.
func (s *show) end() {
	if s == nil {
		return
	}
	old := s.now.Load()
	s.now.Store(&events{list: old.list, changed: make(chan struct{}), end: true})
	close(old.changed)
}

// begin adds the beginning to a show.
func (s *show) begin(begin func(*film.Film)) {
	begin(s.film)
	s.add(event{Film: s.film, Play: s.play})
}

// move adds a move to a show.
func (s *show) move(move func(*film.Film)) {
	f := s.film
	faces := len(f.Faces)
	move(f)
	last := f.Last()
	e := event{Ply: &f.Plies[last-1], Mover: f.Mover, Faces: slices.Clone(f.Faces[faces:]), Frames: map[film.Eyes]film.Frame{}}
	for _, eyes := range f.Eyes {
		e.Frames[eyes] = f.Frames[eyes][last]
	}
	if s.play != nil && f.Mover != s.play.Side {
		s.play.Turn, s.play.Legal = false, []film.Choice{}
		e.Play = s.play
	}
	s.add(e)
}

// Match is the page of the game for an audience: what it may see of what has happened so far. The caller sets what
// depends on the request.
func (l *Game) Match(who Audience, fill func(*page.Match)) ([]byte, error) {
	var html []byte
	var err error
	l.Show(who, func(m *page.Match) {
		fill(m)
		html, err = m.HTML()
	})
	return html, err
}

// Show calls see with what an audience may see of the game; what it gets may not be kept.
func (l *Game) Show(who Audience, see func(*page.Match)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.open[who]
	m := page.Match{Film: s.film, Play: s.play, Seq: len(s.now.Load().list)}
	if s.play != nil {
		play := *s.play
		m.Play = &play
	}
	see(&m)
}

// beginning is how long the page of who plays waits for the first position.
const beginning = time.Second

// AwaitBegin waits until there is a position to see for an audience, for a second at most: a page that shows none has to be loaded again.
func (l *Game) AwaitBegin(ctx context.Context, who Audience) {
	now := l.open[who].now.Load()
	if len(now.list) > 0 {
		return
	}
	ctx, stop := context.WithTimeout(ctx, beginning)
	defer stop()
	select {
	case <-now.changed:
	case <-ctx.Done():
	}
}

// Glance is what the list of games shows of a game.
type Glance struct {
	Film *film.Film // to be drawn before the next event: see Look
	Live bool
}

// Look calls see with what watchers may see of the game; what it gets may not be kept.
func (l *Game) Look(see func(Glance)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.open[Watchers].film
	see(Glance{Film: f, Live: f.End == nil})
}

// Has says whether there is such an audience.
func (l *Game) Has(who Audience) bool { return l.open[who] != nil }

// Watching is how many follow the game.
func (l *Game) Watching() int64 { return l.watchers.Load() }
