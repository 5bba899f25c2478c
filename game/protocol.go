package game

import (
	"errors"
	"fmt"
	"time"
)

// Protocol is one way of talking about a game: it turns events into bytes for one side and bytes
// into answers. Rules and conversation are two things; one game may have several protocols.
type Protocol interface {
	// Name is the word that selects the protocol, such as "5500".
	Name() string
	// Summary describes the protocol in one line.
	Summary() string
	// Kind is the shape of the conversation: which methods the ends have beside the common ones.
	Kind() Kind
	// Frame is the side in whose frame the program that plays side names squares.
	Frame(side Side) Side
	// Terminal says whether the program needs a terminal instead of pipes.
	Terminal() bool
	// Arguments are appended to a program's command line.
	Arguments(Side, Limits) []string
	// RefereeEnd begins a conversation with the program that plays side.
	RefereeEnd(Side, Limits) RefereeEnd
	// PlayerEnd begins a conversation with a referee. Side and limit come from the command line;
	// a protocol whose messages state them ignores them.
	PlayerEnd(rules Rules, side Side, limit time.Duration) PlayerEnd
}

// Kind is the shape of a conversation.
type Kind uint8

// The kinds of conversation.
const (
	Dialogue Kind = iota // one process reads messages and writes answers
	OneShot              // a process for each question; the referee's end is a OneShotEnd
	Console              // the program takes the referee for a person; the referee's end is a ConsoleEnd
)

func (k Kind) String() string { return [...]string{"dialogue", "one-shot", "console"}[k] }

// ProtocolDefaults is embedded in protocols: a dialogue over pipes, without arguments, in which the
// program names squares as its own side sees them.
type ProtocolDefaults struct{}

func (ProtocolDefaults) Kind() Kind                      { return Dialogue }
func (ProtocolDefaults) Frame(side Side) Side            { return side }
func (ProtocolDefaults) Terminal() bool                  { return false }
func (ProtocolDefaults) Arguments(Side, Limits) []string { return nil }

// RefereeEnd is the referee's end of a conversation with one program. It keeps the state of the
// framing, so it serves one game only, and one goroutine at a time.
type RefereeEnd interface {
	// Tell returns the messages that pass e on, each to be written in one write, and valid until
	// the next call; v is the receiver's view after the event (nil before there is a
	// position). None: the protocol says nothing here.
	Tell(e Event, v View) [][]byte
	// Scan looks for one whole answer at the start of buf, which begins with the same bytes as in
	// the call before until an answer or an error was returned. n is the number of bytes used;
	// zero without an error: more are needed. eof says that no more will come.
	Scan(buf []byte, eof bool) (n int, a Answer, err error)
}

// Adaptable is a protocol of programs that differ from one another in what they print and want to
// read, so that each may need an adapter: a small TOML file, or one that is built in.
type Adaptable interface {
	Protocol
	// Adapters are the names of the built-in adapters, the default first.
	Adapters() []string
	// Adapter returns the protocol as the built-in adapter of that name speaks it.
	Adapter(name string) (Protocol, error)
	// ReadAdapter returns the protocol as the adapter in a TOML file speaks it. It is strict: an
	// unknown key is an error with its line.
	ReadAdapter(text []byte) (Protocol, error)
	// Recognised lists the adapter's findings in a program's output, one a line, to help in writing
	// an adapter.
	Recognised(output []byte) []string
}

// ConsoleEnd is the referee's end of a conversation with a program that takes the referee for a person
// at a keyboard. Nothing may be typed before the program asks, and it is silence that tells a
// question from a line of talk; so Tell only notes what has happened, and Silent decides.
type ConsoleEnd interface {
	RefereeEnd
	// Silence is how long a program must have written nothing for Silent to be called.
	Silence() time.Duration
	// Silent reads all output that was not used yet, once the program has been silent; last: its
	// time is over. n is the number of bytes used up. Typed is the text to write now, in one
	// write; it may be empty. Found says that a holds an answer.
	Silent(buf []byte, last bool) (n int, typed []byte, a Answer, found bool, err error)
}

// OneShotEnd is the referee's end of a conversation in which a process is started for each
// question. Tell says nothing; Scan reads the whole output of one process, so it waits for eof.
type OneShotEnd interface {
	RefereeEnd
	// Question returns the arguments that follow those of the command line of a new process, and the
	// whole of its standard input.
	Question(kind AnswerKind, v View) (arguments []string, input []byte)
}

// PlayerEnd is the player's end: the same conversation seen by a program of ours.
type PlayerEnd interface {
	// Scan reads one message at the start of buf, by the rules of RefereeEnd.Scan, and says what
	// it asks for. A protocol in which the player speaks first prompts on an empty buf.
	Scan(buf []byte, eof bool) (n int, p Prompt, err error)
	// Say returns the bytes of an answer, to be written in one write.
	Say(Answer) []byte
	// View is the view by now, Limit the time for an answer (zero: unknown).
	View() View
	Limit() time.Duration
}

// Prompt says which answer a message asks of a player.
type Prompt uint8

// The prompts.
const (
	PromptNone  Prompt = iota // nothing: the message was news
	PromptSetUp               // a set-up
	PromptMove                // a move
	PromptEnd                 // nothing ever again: the game is over
)

// EventKind says what has happened.
type EventKind uint8

// The events of a game, in the order in which they can happen.
const (
	EventBegin   EventKind = iota // the game begins; a set-up is asked for if the game has any
	EventTurn                     // it is Side's turn to move
	EventMoved                    // Side has moved
	EventIllegal                  // Side's answer was against the rules; Err says why
	EventEnd                      // the game is over
)

// Event is a fact that is told to both sides or to one.
type Event struct {
	Kind    EventKind
	Side    Side
	Move    Move  // EventMoved; EventIllegal, if HasMove
	HasMove bool  // EventIllegal: the answer was a move
	Err     error // EventIllegal
	Draw    bool  // EventEnd
	Winner  Side  // EventEnd, unless Draw
}

// AnswerKind is the kind of an answer.
type AnswerKind uint8

// The answers.
const (
	AnswerMove AnswerKind = iota
	AnswerSetUp
	AnswerResign
	AnswerAny // any legal move: the referee draws one
)

func (k AnswerKind) String() string {
	return [...]string{"a move", "a set-up", "a resignation", "any move"}[k]
}

// Answer is a program's answer, in player 1's frame but for the set-up, which is in its own.
type Answer struct {
	Kind  AnswerKind
	Move  Move
	SetUp SetUp
	// Comment is text that the program adds to its move for spectators.
	Comment string
}

// ErrTooLong is in Scan's error when an answer exceeds the protocol's limit of bytes, which is in the
// [TooLongError].
var ErrTooLong = errors.New("answer too long")

// TooLongError holds the limit that an answer exceeds.
type TooLongError struct{ Max int } // bytes

func (e *TooLongError) Error() string {
	return fmt.Sprintf("%v: more than %d bytes", ErrTooLong, e.Max)
}

func (e *TooLongError) Unwrap() error { return ErrTooLong }

// UnreadableError is Scan's error for bytes that are no answer in its protocol.
type UnreadableError struct {
	Found string // what was sent, cut and printable
	Err   error  // what is wrong with it, and what is allowed
}

func (e *UnreadableError) Error() string { return fmt.Sprintf("cannot read %q: %v", e.Found, e.Err) }
func (e *UnreadableError) Unwrap() error { return e.Err }
