// Package daemon lets a player of ours play many games at a time for referees that connect to it: each connection is one
// conversation, as on standard input and output.
//
// [Listen] takes an address, [Daemon.Serve] serves what connects there until its context ends, and then drains. What
// strangers can do is bounded by [Limits]; all sessions think in the same slots, one for each processor, so that two
// hundred games do not take two hundred processors' time at once.
package daemon

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"luzhanqi/game"
	"luzhanqi/player"
)

// Limits bound what who connects can take.
type Limits struct {
	Sessions int           // at a time; whoever comes then is hung up on
	Line     int           // bytes of a line
	Unasked  int           // bytes that ask for no answer, in a row
	First    time.Duration // until the first byte of a conversation
	Idle     time.Duration // from one byte to the next: a person on the other side may think
	Patience time.Duration // for the other side to read an answer
	Think    time.Duration // about one move, however long the announced limit is
	Drain    time.Duration // how long conversations may go on after the end was asked for
	Slots    int           // who may think at a time
}

// Usual are limits that no referee should meet, with a slot for each of so many processors.
func Usual(processors int) Limits {
	return Limits{
		Sessions: 256, Line: 64 << 10, Unasked: 1 << 20, First: 30 * time.Second, Idle: time.Hour, Patience: 10 * time.Second,
		Think: time.Minute, Drain: 10 * time.Second, Slots: processors,
	}
}

// Conversation is what one connection gets: a player and its end of the protocol.
type Conversation struct {
	End    game.PlayerEnd
	Player player.Player
	Random *rand.Rand
}

// Daemon plays. Its fields do not change while it serves.
type Daemon struct {
	Limits Limits
	// Begin begins a conversation, once its first byte has come. The player should think on one processor at a time.
	Begin func() Conversation
	// SpeaksFirst: the player says something before it is asked, so that a conversation begins with its connection.
	SpeaksFirst bool
	// Timed: the player thinks as long as it may, so that those who play at a time are given equal shares.
	Timed bool
	Log   zerolog.Logger

	slots slots
	mu    sync.Mutex
	open  map[*session]struct{}
}

// atTheEnd is how long who thinks when the drain is over is waited for.
const atTheEnd = 2 * time.Second

// Serve serves until ctx ends, and drains: nobody is let in, conversations have Limits.Drain to come to their end, and the
// rest is hung up on. It closes the listener. An error is one of the listener.
func (d *Daemon) Serve(ctx context.Context, l net.Listener) error {
	d.open = map[*session]struct{}{}
	d.slots.free, d.slots.all = d.Limits.Slots, d.Limits.Slots
	closed := context.AfterFunc(ctx, func() { l.Close() })
	defer closed()
	defer l.Close()
	var sessions sync.WaitGroup
	err := d.accept(ctx, l, &sessions)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		sessions.Wait()
	}()
	if !passes(ended, d.Limits.Drain) {
		d.hangUp()
		if !passes(ended, atTheEnd) {
			d.Log.Warn().Msg("who still thinks is not waited for")
		}
	}
	return err
}

// passes says whether something ends within a time.
func passes(ended <-chan struct{}, within time.Duration) bool {
	late := time.NewTimer(within)
	defer late.Stop()
	select {
	case <-ended:
		return true
	case <-late.C:
		return false
	}
}

// accept lets in who comes.
func (d *Daemon) accept(ctx context.Context, l net.Listener, sessions *sync.WaitGroup) error {
	for {
		conn, err := l.Accept()
		switch {
		case ctx.Err() != nil:
			if err == nil {
				conn.Close()
			}
			return nil
		case errors.Is(err, net.ErrClosed):
			return err
		case err != nil: // no more files, say: those who play go on
			d.Log.Error().Err(err).Msg("a connection could not be taken")
			passes(ctx.Done(), time.Second)
			continue
		}
		s := &session{daemon: d, Conn: conn, log: d.Log.With().Str("from", conn.RemoteAddr().String()).Logger()}
		if !d.add(s) {
			s.log.Warn().Int("sessions", d.Limits.Sessions).Msg("hung up: as many as may play already")
			conn.Close()
			continue
		}
		sessions.Go(func() {
			defer d.remove(s)
			defer conn.Close()
			s.play()
		})
	}
}

func (d *Daemon) add(s *session) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.open) >= d.Limits.Sessions {
		return false
	}
	d.open[s] = struct{}{}
	return true
}

func (d *Daemon) remove(s *session) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open, s)
}

func (d *Daemon) hangUp() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for s := range d.open {
		s.Conn.Close()
	}
}

// active is how many sessions are in the middle of a game, and the shortest limit among them.
func (d *Daemon) active() (n int, shortest time.Duration) {
	shortest = d.Limits.Think
	d.mu.Lock()
	defer d.mu.Unlock()
	for s := range d.open {
		if s.plays() {
			n++
			if limit := time.Duration(s.limit.Load()); limit > 0 {
				shortest = min(shortest, limit)
			}
		}
	}
	return n, shortest
}

// end says in the log how a conversation ended.
func (s *session) end(err error) {
	switch took := time.Since(s.begun).Round(time.Millisecond); {
	case err == nil:
		s.log.Info().Int("answers", s.answers).Dur("took", took).Msg("played a game to its end")
	case errors.Is(err, player.ErrHungUp), errors.Is(err, io.EOF):
		s.log.Info().Int("answers", s.answers).Dur("took", took).Msg(err.Error())
	default:
		s.log.Warn().Err(err).Int("answers", s.answers).Dur("took", took).Msg("a conversation was broken off")
	}
}
