package referee

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"luzhanqi/game"
)

// maxTries is how many illegal moves people may try in one turn: more than anyone will.
const maxTries = 1_000_000

// Interactive is one game in which people play at a terminal, against each other or a player of ours. Its
// Retries do not count: people may try as often as they like.
type Interactive struct {
	Conditions
	Players  [2]Entrant // without a level: a person
	SetUps   [2]string  // of people, as they would type them; empty: they are asked
	Terminal *Terminal
	Style    game.Style
	Seed     uint64
	Version  string    // written into the record
	Record   io.Writer // may be nil
}

// Play plays the game to its end, which it prints.
func (s *Interactive) Play(ctx context.Context) (*Ending, error) {
	var names [2]string
	var people [2]bool
	var header Header
	for side, e := range s.Players {
		names[side], people[side] = e.Name, e.Level == nil
		header.Players[side] = RecordPlayer{Name: e.Name, Person: true}
		if e.Level != nil {
			header.Players[side] = e.record()
		}
	}
	if people == [2]bool{} {
		return nil, errNoPeople
	}
	record := &keptRecord{to: s.Record}
	header.Version, header.Game, header.Rules = s.Version, s.Game.Name(), s.Rules.String()
	header.Retries, header.Limits, header.Seed = maxTries, recordLimits(s.Limits), s.Seed
	header.Number, header.Attempt, header.Started, header.Concurrency = 1, 1, time.Now().UTC(), 1
	recorder := newRecorder(record, s.Game, header)
	end := newTextUI(s.Game, people, names, s.Style)
	closing := &closing{played: s, end: end, watcher: game.Second}
	if people[game.First] {
		closing.watcher = game.First
	}
	l := &loop{Conditions: s.Conditions, entrants: s.Players, draws: drawsOf(s.Seed, 1), observer: observers{recorder, closing}}
	l.Retries = maxTries
	for i, e := range s.Players {
		side := game.Side(i)
		if e.Level != nil {
			l.seats[side] = newBuiltin(&s.Conditions, e, s.Seed, 1, side)
			continue
		}
		l.seats[side] = &person{
			terminal: s.Terminal, game: s.Game, side: side, end: end, setUp: s.SetUps[side],
			random: rand.New(rand.NewPCG(s.Seed, uint64(side))), // that of a built-in player in game 1
			mute:   side != closing.watcher,
			save:   func(file string) error { return writeNew(file, record.soFar(recorder)) },
		}
	}
	if people == [2]bool{true, true} { // both would be asked at once for their set-ups
		asked := make(chan struct{})
		l.seats[game.First].(*person).done = asked
		l.seats[game.Second].(*person).after = asked
	}
	ending := l.play(ctx)
	if recorder.err != nil {
		return ending, fmt.Errorf("write the record: %w", recorder.err)
	}
	return ending, nil
}

// keptRecord keeps a record, so that it can be saved at any time, and passes it on.
type keptRecord struct {
	text bytes.Buffer
	to   io.Writer // may be nil
}

func (k *keptRecord) Write(b []byte) (int, error) {
	k.text.Write(b)
	if k.to == nil {
		return len(b), nil
	}
	return k.to.Write(b)
}

// soFar is all of the record that is there.
func (k *keptRecord) soFar(r *recorder) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.flush()
	return bytes.Clone(k.text.Bytes())
}

// closing prints the end of a game for the people who played.
type closing struct {
	observers // none: all but the end is printed by the seats
	played    *Interactive
	end       game.PersonEnd
	watcher   game.Side // whose view it is
}

func (c *closing) Ended(pos game.Position, e *Ending) {
	var v game.View
	if pos != nil {
		v = pos.View(c.watcher)
	}
	out := c.played.Terminal.Out
	if e.Code == Void || v == nil {
		fmt.Fprintf(out, "%s\n", sentence(e.Reason))
		return
	}
	o := game.Outcome{Draw: e.Draw(), Reason: e.Reason}
	if !o.Draw {
		o.Winner = *e.Winner
	}
	fmt.Fprint(out, c.end.End(o, v))
	if _, own := c.played.Game.(game.PersonGame); own {
		return
	}
	if whole := pos.Draw(c.played.Style); whole != v.Draw(c.played.Style) {
		fmt.Fprintf(out, "The whole board, player 1 below:\n%s\n", whole)
	}
}
