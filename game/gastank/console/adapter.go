package console

import (
	"regexp"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/gastank"
)

// Adapter describes how one program talks to the person for whom it takes the referee: what it asks,
// what its moves and boards look like, and what it wants typed. A value is made by ReadAdapter, which
// compiles its patterns; adapters/hatchback.toml explains every key.
type Adapter struct {
	about     string
	pty       bool
	silence   time.Duration
	newline   string
	questions []question
	prompt    []*regexp.Regexp // each ends where the output ends; none: a move is followed by silence
	prompts   []*regexp.Regexp // the same anywhere, for Trial
	typing    typing
	moves     []movePattern
	examples  []*regexp.Regexp // of moves that are none
	which     whichMove
	mirrored  bool // moves are printed as if the program played up
	board     *boardPattern
	refusals  []*regexp.Regexp
	ends      []*regexp.Regexp
}

// question is one that a program asks beside moves, with the line that answers it when the other
// program moves first, and when it moves second.
type question struct {
	atEnd, anywhere *regexp.Regexp
	first, second   string
}

// typing is how a move is typed.
type typing struct {
	format   string // holds {from} and {to}
	lower    bool
	example  bool // small letters if the prompt's example of a move has some
	mirrored bool // squares as if the program played up
	echo     bool // what was typed comes back at the start of the output
}

// movePattern finds a printed move: from and to are numbers of groups; equal ones hold both squares.
type movePattern struct {
	re       *regexp.Regexp
	from, to int
}

// whichMove says which of several printed moves is the program's.
type whichMove uint8

const (
	lastMove  whichMove = iota // the last one
	firstMove                  // the first one
	legalMove                  // the last legal one; if none is, the last
)

// boardPattern finds a printed board: one line a rank.
type boardPattern struct {
	row         *regexp.Regexp
	rank, cells int // numbers of groups; zero: no such group
	cell        *regexp.Regexp
	small       bool // the program's pieces are the small letters
	mirrored    bool // the program draws itself on ranks 1 and 2
}

// promptTail is how much of the end of the output, in bytes, questions and prompts are looked for in.
const promptTail = 4 << 10

// atEnd returns where a match that ends the text begins; false if no pattern has one.
func atEnd(text []byte, patterns ...*regexp.Regexp) (int, bool) {
	skipped := max(0, len(text)-promptTail)
	for _, re := range patterns {
		if span := re.FindIndex(text[skipped:]); span != nil && span[0] < span[1] {
			return skipped + span[0], true
		}
	}
	return 0, false
}

// asks returns the question at the end of the text, and where it begins; nil if there is none.
func (a *Adapter) asks(text []byte) (*question, int) {
	for i := range a.questions {
		if at, ok := atEnd(text, a.questions[i].atEnd); ok {
			return &a.questions[i], at
		}
	}
	return nil, 0
}

// answer returns the reply to type to a question, without a newline.
func (q *question) answer(otherMovesFirst bool) string {
	if otherMovesFirst {
		return q.first
	}
	return q.second
}

// smallExample is an example of a move in a prompt, such as "in the format like a3d6".
var smallExample = regexp.MustCompile(`\b[a-h][1-7]\W?[a-h][1-7]\b`)

// typed is a move in the program's frame (itself playing down) as the program wants it typed after a prompt.
func (a *Adapter) typed(m game.Move, prompt []byte) string {
	if a.typing.mirrored {
		m = gastank.MirrorMove(m)
	}
	text := strings.NewReplacer("{from}", gastank.SquareName(m.From), "{to}", gastank.SquareName(m.To)).Replace(a.typing.format)
	if a.typing.lower || a.typing.example && smallExample.Match(prompt) {
		return strings.ToLower(text)
	}
	return text
}
