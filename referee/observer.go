package referee

import (
	"time"

	"luzhanqi/game"
	"luzhanqi/player"
)

// Observer watches a game. Message may be called by two goroutines at once.
type Observer interface {
	Message(Message)
	SetUp(side game.Side, s game.SetUp, took, starved time.Duration)
	Moved(before, after game.Position, p Played)
	Refused(pos game.Position, m game.Move, why error)
	Ended(pos game.Position, e *Ending) // pos is nil if the game never had a position
}

// Recorder is an observer that keeps a game; package record has the one that writes files.
type Recorder interface {
	Observer
	// Name says where the game is kept.
	Name() string
	// Close is called after the end of the game. Its error is the first in keeping it.
	Close() error
	// Discard is called instead if the game counts for nothing: its program could not be started at all.
	Discard()
}

// Message is something said in either direction between the referee and a program.
type Message struct {
	Side game.Side // the program's
	Sent bool      // by the referee; else by the program
	Text []byte    // borrowed: valid during the call only
	// Arguments are those with which a process was started for the question Text.
	Arguments []string
	Heard     Heard
	At        time.Time
}

// Heard says when an answer was sought in a received text, where its bytes alone do not tell.
type Heard string

// The values of Heard.
const (
	HeardPause Heard = "pause" // the program was silent for a while after it
	HeardLast  Heard = "last"  // no more was to come in time
	HeardEnd   Heard = "end"   // the program's output was at its end
	HeardCut   Heard = "cut"   // none was sought: the output was still open, too long or interrupted
)

// Played is a legal move and how it came about.
type Played struct {
	Move    game.Move
	Took    time.Duration // by the wall clock
	Starved time.Duration // of it, what others took: it is not the mover's
	Drawn   bool          // any move was answered, and the referee drew this one
	Opening bool          // nobody has chosen it
	// RoundTrip is the latest of the mover's connection, and Broken for how long there was none in this turn; of a program elsewhere.
	RoundTrip, Broken time.Duration
	Comment           string // what the mover added for people who watch
	Why               *player.Explanation
	Left              *time.Duration // on the mover's total clock, the increment added; nil: it has none
	Value             *float64       // of the position before it, as the mover sees it, by the adjudicating level; nil: none was asked for
}

// NoObserver does nothing, to be embedded by observers that care for some events only.
type NoObserver struct{}

func (NoObserver) Message(Message)                                     {}
func (NoObserver) SetUp(_ game.Side, _ game.SetUp, _, _ time.Duration) {}
func (NoObserver) Moved(_, _ game.Position, _ Played)                  {}
func (NoObserver) Refused(game.Position, game.Move, error)             {}
func (NoObserver) Ended(game.Position, *Ending)                        {}

// Observers pass everything on to each of several.
type Observers []Observer

func (all Observers) each(call func(Observer)) {
	for _, o := range all {
		call(o)
	}
}

func (all Observers) Message(m Message) { all.each(func(o Observer) { o.Message(m) }) }

func (all Observers) SetUp(side game.Side, s game.SetUp, took, starved time.Duration) {
	all.each(func(o Observer) { o.SetUp(side, s, took, starved) })
}

func (all Observers) Moved(before, after game.Position, p Played) {
	all.each(func(o Observer) { o.Moved(before, after, p) })
}

func (all Observers) Refused(pos game.Position, m game.Move, why error) {
	all.each(func(o Observer) { o.Refused(pos, m, why) })
}

func (all Observers) Ended(pos game.Position, e *Ending) {
	all.each(func(o Observer) { o.Ended(pos, e) })
}
