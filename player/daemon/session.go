package daemon

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"luzhanqi/game"
	"luzhanqi/player"
)

// session is a conversation with one referee, and the connection as the player uses it.
type session struct {
	net.Conn
	daemon *Daemon
	log    zerolog.Logger
	begun  time.Time
	limit  atomic.Int64 // what it had for its latest answer, in nanoseconds; 0: nothing was asked
	asked  atomic.Int64 // until when it is in play, in nanoseconds of the system's clock; 0: nothing was asked

	heard   bool
	line    int // bytes since the latest line end or answer
	unasked int // bytes since the latest answer
	answers int
}

// inPlay is for how long after a question a session counts as one that will soon ask the next.
const inPlay = 10 * time.Second

func (s *session) plays() bool { return time.Now().UnixNano() < s.asked.Load() }

// play plays the game of a connection.
func (s *session) play() {
	s.begun = time.Now()
	defer func() { // a player that fails costs its own game alone
		if r := recover(); r != nil {
			s.log.Error().Interface("failed", r).Msg("the player failed")
		}
	}()
	var in io.Reader = s
	if !s.daemon.SpeaksFirst { // whoever says nothing gets no player
		first := make([]byte, 512)
		n, err := s.Read(first)
		if err != nil {
			s.end(err)
			return
		}
		in = io.MultiReader(bytes.NewReader(first[:n]), s)
	}
	c := s.daemon.Begin()
	s.end(player.Serve(in, s, c.End, slotted{c.Player, s}, c.Random, s.log))
}

// Read reads what the referee says, as long and as much as the limits allow.
func (s *session) Read(b []byte) (int, error) {
	l := &s.daemon.Limits
	wait := l.Idle
	if !s.heard {
		wait = l.First
	}
	s.SetReadDeadline(time.Now().Add(wait))
	n, err := s.Conn.Read(b)
	s.heard = s.heard || n > 0
	s.unasked += n
	if end := bytes.LastIndexByte(b[:n], '\n'); end >= 0 {
		s.line = n - end - 1
	} else {
		s.line += n
	}
	switch {
	case s.line > l.Line:
		return 0, fmt.Errorf("a line of more than %d bytes", l.Line)
	case s.unasked > l.Unasked:
		return 0, fmt.Errorf("more than %d bytes in which nothing is asked", l.Unasked)
	}
	return n, err
}

// Write sends an answer.
func (s *session) Write(b []byte) (int, error) {
	s.SetWriteDeadline(time.Now().Add(s.daemon.Limits.Patience))
	s.line, s.unasked = 0, 0
	s.answers++
	return s.Conn.Write(b)
}

// slotted is a player that thinks in a slot.
type slotted struct {
	player.Player
	session *session
}

func (p slotted) SetUp(r *rand.Rand) game.SetUp {
	p.session.asked.Store(time.Now().Add(inPlay).UnixNano())
	return p.Player.SetUp(r)
}

func (p slotted) Choose(v game.View, deadline time.Time, r *rand.Rand) game.Move {
	d := p.session.daemon
	p.session.asked.Store(math.MaxInt64)
	defer func() { p.session.asked.Store(time.Now().Add(inPlay).UnixNano()) }()
	if most := time.Now().Add(d.Limits.Think); deadline.After(most) {
		deadline = most
	}
	p.session.limit.Store(int64(max(least, time.Until(deadline))))
	d.slots.take(deadline)
	defer d.slots.give()
	if d.Timed {
		playing, shortest := d.active()
		deadline = share(time.Now(), deadline, shortest, playing, d.slots.all)
	}
	m := p.Player.Choose(v, deadline, r)
	if rester, ok := p.Player.(player.Rester); ok {
		rester.Rest() // while it has the slot: so many only have memory for a search
	}
	return m
}
