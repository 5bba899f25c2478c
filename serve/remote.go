package serve

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/referee"
	"luzhanqi/serve/live"
	"luzhanqi/serve/seat"
	"luzhanqi/text"
)

// Elsewhere is the player of a seat that a program elsewhere may take.
const Elsewhere = "remote"

// joined is a program elsewhere that waits for its game, or plays it.
type joined struct {
	link  *seat.Link
	name  string
	table string
	owner string // whose token has taken the seat: see [Server.owner]
}

// remotes says which seats of a table are for programs elsewhere.
func (t *Table) remotes() (some bool) {
	return t.Players[0] == Elsewhere || t.Players[1] == Elsewhere
}

// dialogue is the conversation with programs elsewhere: the game's first that can be held over a connection.
func (t *Table) dialogue() (game.Protocol, error) {
	g, err := games.Find(t.Game)
	if err != nil {
		return nil, err
	}
	for _, p := range g.Protocols() {
		if p.Kind() == game.Dialogue && (t.Dialect == "" || p.Name() == t.Dialect) {
			return p, nil
		}
	}
	return nil, fmt.Errorf("dialect %q of %s: programs elsewhere need a dialogue, which it is not or has not", t.Dialect, t.Game)
}

// join seats a program, or lets one that has lost its connection go on.
func (s *Server) join(w http.ResponseWriter, r *http.Request) {
	t := s.table(r.PathValue("name"))
	switch {
	case t == nil || !t.remotes():
		s.missing(w, r, "there is no table of that name with a seat for a program elsewhere")
	case r.Header.Get("Sec-WebSocket-Protocol") != seat.Protocol || r.Header.Get("Origin") != "": // a page of a browser
		w.Header().Set("Upgrade", "websocket")
		s.refuse(w, r, http.StatusUpgradeRequired, "seats are taken by luzhanqi join")
	case r.Header.Get(seat.HeaderLink) != "":
		s.resume(w, r)
	default:
		name, err := url.QueryUnescape(r.Header.Get(seat.HeaderName))
		if err != nil {
			name = ""
		}
		j := &joined{link: seat.NewLink(), name: name, table: t.Name, owner: s.owner(r)}
		if err := s.wait(j); err != nil {
			s.refuse(w, r, http.StatusServiceUnavailable, err.Error())
			return
		}
		id := s.newID()
		s.mu.Lock()
		s.links[id] = j.link
		s.mu.Unlock()
		s.connect(w, r, j.link, j.link.Detach(), id, 0)
	}
}

// wait lets a program wait for its game.
func (s *Server) wait(j *joined) error {
	if j.name = text.Printable(text.Cut(strings.TrimSpace(j.name), maxName)); j.name == "" {
		j.name = "somebody"
	}
	if s.ending.Err() != nil {
		return errors.New("the server is about to end, and begins no more games")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seated >= s.config.Seats {
		return fmt.Errorf("%d programs from elsewhere play or wait already, and no more can", s.config.Seats)
	}
	if j.owner != "" && s.seatedOf[j.owner] >= quarter(s.config.Seats) {
		return fmt.Errorf("%d programs by your token play or wait already, and no more can", s.seatedOf[j.owner])
	}
	s.seated++
	s.seatedOf[j.owner]++
	s.lobby[j.table] <- j // it has room for all that may be seated
	return nil
}

// resume goes on over a new connection.
func (s *Server) resume(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(seat.HeaderLink)
	received, err := strconv.ParseUint(r.Header.Get(seat.HeaderReceived), 10, 64)
	s.mu.Lock()
	l := s.links[id]
	s.mu.Unlock()
	if l == nil || err != nil {
		s.refuse(w, r, http.StatusGone, "its game is over, or its connection was broken for too long")
		return
	}
	s.counts.resumed.Add(1)
	s.connect(w, r, l, l.Detach(), id, received)
}

// connect makes a request the connection of a link.
func (s *Server) connect(w http.ResponseWriter, r *http.Request, l *seat.Link, t seat.Ticket, id string, received uint64) {
	clear(w.Header()) // what is said of pages is nothing to a program
	w.Header().Set(seat.HeaderLink, id)
	w.Header().Set(seat.HeaderReceived, strconv.FormatUint(t.Received, 10))
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{seat.Protocol}})
	if err != nil {
		s.log.Debug().Err(err).Msg("a seat was not taken")
		return
	}
	l.Attach(t, seat.NewSocket(ws), received)
}

// table is the configuration of a table; nil: there is none.
func (s *Server) table(name string) *Table {
	for i := range s.config.Tables {
		if s.config.Tables[i].Name == name {
			return &s.config.Tables[i]
		}
	}
	return nil
}

// sweep is how often those who wait are looked at, whether they are still there.
const sweep = 500 * time.Millisecond

// runRemote seats those who wait, and plays, several games at a time.
func (s *Server) runRemote(t *Table) {
	room := make(chan struct{}, max(1, t.Games))
	look := time.NewTicker(sweep)
	defer look.Stop()
	for s.ending.Err() == nil {
		select {
		case room <- struct{}{}:
		case <-look.C:
			s.forgetGone(t)
			continue
		case <-s.ending.Done():
			return
		}
		both, ok := s.gather(t, look.C)
		if !ok {
			s.sendAway("the server ends", both[:]...)
			return
		}
		s.play.Go(func() {
			s.playRemote(t, both)
			<-room
		})
	}
}

// gather waits for those who play the next game, each of whom is there when it begins; false: the server ends.
func (s *Server) gather(t *Table, look <-chan time.Time) (both [2]*joined, ok bool) {
	for {
		missing := -1
		for side, j := range both {
			if j != nil && !t.has(j) {
				s.play.Go(func() { s.leave(j, "") })
				both[side] = nil
			}
			if both[side] == nil && t.Players[side] == Elsewhere && missing < 0 {
				missing = side
			}
		}
		if missing < 0 {
			return both, true
		}
		select {
		case both[missing] = <-s.lobby[t.Name]:
		case <-look:
		case <-s.ending.Done():
			return both, false
		}
	}
}

// has says whether a program that waits is still there.
func (t *Table) has(j *joined) bool {
	state := j.link.State()
	return !state.Ended && state.Now < time.Duration(t.Grace)
}

// forgetGone lets go of those who wait and are not there any more: others may have their places.
func (s *Server) forgetGone(t *Table) {
	s.mu.Lock()
	defer s.mu.Unlock()
	waiting := s.lobby[t.Name]
	for range len(waiting) {
		if j := <-waiting; t.has(j) {
			waiting <- j
		} else {
			s.play.Go(func() { s.leave(j, "") })
		}
	}
}

// sendAway lets programs go, all at once: each may take its time to hear of it.
func (s *Server) sendAway(why string, all ...*joined) {
	var leaving sync.WaitGroup
	for _, j := range all {
		leaving.Go(func() { s.leave(j, why) })
	}
	leaving.Wait()
}

// leave forgets a program: after a while, in which it may still come for the end of what was said.
func (s *Server) leave(j *joined, why string) {
	if j == nil {
		return
	}
	j.link.End(why)
	s.mu.Lock()
	s.seated--
	if s.seatedOf[j.owner]--; s.seatedOf[j.owner] == 0 {
		delete(s.seatedOf, j.owner)
	}
	s.mu.Unlock()
	forget := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for id, l := range s.links {
			if l == j.link {
				delete(s.links, id)
			}
		}
	}
	if s.ending.Err() != nil {
		forget()
		return
	}
	grace := time.Duration(5 * time.Second)
	if t := s.table(j.table); t != nil {
		grace = time.Duration(t.Grace)
	}
	time.AfterFunc(grace, forget)
}

// playRemote plays a game in which programs elsewhere take part.
func (s *Server) playRemote(t *Table, both [2]*joined) {
	g, _ := games.Find(t.Game)
	protocol, err := t.dialogue()
	entrants, wrong := t.entrants()
	if err = errors.Join(err, wrong); err != nil {
		return // the configuration was checked
	}
	grace := time.Duration(t.Grace)
	for side, j := range both {
		if j == nil {
			continue
		}
		entrants[side] = referee.Entrant{
			Name: j.name, Protocol: protocol, Remote: &grace,
			Seat: func(_ context.Context, g *referee.Game, side game.Side, message func(referee.Message)) (referee.Seat, error) {
				return seat.New(j.link, protocol, side, g.Limits, grace, message), nil
			},
		}
	}
	if entrants[0].Name == entrants[1].Name {
		referee.Number(&entrants)
	}
	played := &referee.Game{
		Conditions: referee.Conditions{Game: g, Limits: g.Limits()}, Entrants: entrants,
		Seed: rand.Uint64() >> 1, Number: 1, Attempt: 1, Version: s.version, Concurrency: max(1, t.Games),
	}
	if t.Time > 0 {
		played.Limits.Move, played.Limits.First = time.Duration(t.Time), 0
	}
	if err := played.SetRules(""); err != nil {
		return
	}
	l := live.New(s.newID(), played, true)
	h := &hosted{Game: l, table: t.Name}
	s.mu.Lock()
	s.tables[t.Name] = h
	s.mu.Unlock()
	s.add(h)
	s.run(h, played)
	s.sendAway("", both[:]...)
}

// maxStrangers is how many plain connections may not have said yet who they are.
const maxStrangers = 100

// plainSeats takes in programs that connect without HTTP: their first line says who they are and where they want to sit.
func (s *Server) plainSeats(l net.Listener) {
	strangers := make(chan struct{}, maxStrangers)
	for {
		c, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // no more files, say: those who play go on
			s.log.Error().Err(err).Msg("a plain connection could not be taken")
			select {
			case <-time.After(100 * time.Millisecond):
			case <-s.ending.Done():
			}
			continue
		}
		select {
		case strangers <- struct{}{}:
		default:
			s.counts.refused.Add(1)
			c.Close()
			continue
		}
		s.plain.Go(func() {
			defer func() { <-strangers }()
			if err := s.plainSeat(c); err != nil {
				s.counts.refused.Add(1)
				c.SetWriteDeadline(time.Now().Add(time.Second))
				fmt.Fprintf(c, "luzhanqi: %v\n", err)
				c.Close()
			}
		})
	}
}

// first is the first line of a plain connection, for people.
const first = "luzhanqi 1 TOKEN NAME TABLE"

func (s *Server) plainSeat(c net.Conn) error {
	stop := context.AfterFunc(s.ending, func() { c.SetReadDeadline(time.Now()) })
	c.SetReadDeadline(time.Now().Add(10 * time.Second))
	line, err := readLine(c)
	stop()
	if err != nil {
		return fmt.Errorf("the first line, %s, did not come: %w", first, err)
	}
	words := strings.Fields(line)
	if len(words) != 5 || words[0] != "luzhanqi" || words[1] != "1" {
		return fmt.Errorf("the first line is %s; allowed is %s, with - for no token", text.Quote(line, 60), first)
	}
	if !s.access.allowed(words[2]) {
		return fmt.Errorf("the token in the first line is none of this server that allows to play")
	}
	t := s.table(words[4])
	if t == nil || !t.remotes() {
		return fmt.Errorf("there is no table %s with a seat for a program elsewhere", text.Quote(words[4], 60))
	}
	c.SetReadDeadline(time.Time{})
	return s.wait(&joined{link: seat.NewPlain(c), name: words[3], table: t.Name, owner: s.ownerOf(words[2])})
}

// readLine reads a short line and nothing after it.
func readLine(c net.Conn) (string, error) {
	var line []byte
	for one := make([]byte, 1); len(line) < 300; {
		if _, err := c.Read(one); err != nil {
			return "", err
		}
		if one[0] == '\n' {
			return strings.TrimRight(string(line), "\r"), nil
		}
		line = append(line, one[0])
	}
	return "", bufio.ErrTooLong
}
