package game

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"luzhanqi/text"
)

// LineDialogue is the protocol "plain" of a game: lines of text. The referee says which side the program plays,
// then each move of the opponent; the program answers with a move a line, or resigns. A move is told when its
// answer is asked for, and so the one that ends the game to nobody: the end of its input tells the program.
type LineDialogue struct {
	ProtocolDefaults
	Game    Game
	About   string                          // the summary
	Sides   [2]string                       // the first line
	Parse   func(line string) (Move, error) // takes more than the game's, if programs may write more
	MaxLine int                             // bytes of a line of the program
	TooLong error                           // refuses an answer that has more
	Refusal func(error) error               // words Parse's error for the program
	Force   func(Position, Move) bool       // whether a move that is illegal by our rules can be played all the same
	// FormatPosition writes a position in a line, as the program that plays side sees it, and ParsePosition reads it.
	FormatPosition func(p Position, side Side) string
	ParsePosition  func(line string, side Side) (Position, error)
}

const (
	resignWord   = "resign"
	illegalWord  = "illegal"
	openingWord  = "opening"
	positionWord = "position"
)

func (*LineDialogue) Name() string      { return "plain" }
func (d *LineDialogue) Summary() string { return d.About }
func (d *LineDialogue) RefereeEnd(side Side, _ Limits) RefereeEnd {
	return &refereeEnd{LineDialogue: d, side: side}
}

// PlayerEnd begins a conversation with a referee, which says the side; limit zero is the game's.
func (d *LineDialogue) PlayerEnd(rules Rules, _ Side, limit time.Duration) PlayerEnd {
	if limit <= 0 {
		limit = d.Game.Limits().Move
	}
	start, _ := d.Game.New(rules, [2]SetUp{}) // these games have no set-ups that could be illegal
	return &playerEnd{LineDialogue: d, limit: limit, start: start}
}

func (d *LineDialogue) format(m Move, side Side) string {
	return d.Game.FormatMove(InFrame(d.Game, m, side))
}

func (d *LineDialogue) parse(line string, side Side) (Move, error) {
	m, err := d.Parse(line)
	return InFrame(d.Game, m, side), err
}

type refereeEnd struct {
	*LineDialogue
	side    Side
	opening [][]byte // lines that are to be told before all else
	opened  bool     // its last move was told, which the first turn would tell again
}

// Open has an opening told, before the first line: a line "position" and the position, a line "opening" and a move for each.
func (r *refereeEnd) Open(o Opening, start Position) {
	if start != nil {
		r.opening = append(r.opening, []byte(positionWord+" "+r.FormatPosition(start, r.side)+"\n"))
	}
	for _, m := range o.Moves {
		r.opening = append(r.opening, []byte(openingWord+" "+r.format(m, r.side)+"\n"))
	}
	r.opened = len(o.Moves) > 0
}

func (r *refereeEnd) Tell(e Event, v View) [][]byte {
	switch e.Kind {
	case EventBegin:
		return append(r.opening, []byte(r.Sides[r.side]+"\n"))
	case EventTurn:
		if r.opened {
			r.opened = false
			return nil
		}
		if known, ok := v.(interface{ LastMove() (Move, bool) }); ok && e.Side == r.side {
			if m, moved := known.LastMove(); moved {
				return [][]byte{[]byte(r.format(m, r.side) + "\n")}
			}
		}
	case EventIllegal:
		if e.HasMove {
			return [][]byte{[]byte(illegalWord + " " + r.format(e.Move, r.side) + "\n")}
		}
	case EventMoved, EventEnd:
	}
	return nil
}

// Scan reads a line that is not blank; at the end of the output the newline may be missing.
func (r *refereeEnd) Scan(buf []byte, eof bool) (n int, a Answer, err error) {
	line, n, long := NextLine(buf, eof, r.MaxLine)
	switch {
	case long:
		err = r.TooLong
	case n == 0:
		return 0, a, nil
	case strings.EqualFold(string(line), resignWord):
		return n, Answer{Kind: AnswerResign}, nil
	default:
		m, wrong := r.parse(string(line), r.side)
		if wrong == nil {
			return n, Answer{Kind: AnswerMove, Move: m}, nil
		}
		err = r.Refusal(wrong)
	}
	return n, a, &UnreadableError{Found: string(text.Prefix(bytes.TrimLeft(line, " \t\r\v\f"), 60)), Err: err}
}

// playerEnd keeps the position by the moves it hears and says.
type playerEnd struct {
	*LineDialogue
	limit   time.Duration
	side    Side
	start   Position
	now     Position // nil before the first line
	placed  string   // the position that was told before the first line; empty: none
	opening []string // moves that were told before the first line
	before  Position // where an own move was played that nobody has answered; else nil
}

// Scan reads one line of the referee. The end of its input is the end of the game.
func (p *playerEnd) Scan(buf []byte, eof bool) (n int, prompt Prompt, err error) {
	line, n, long := NextLine(buf, eof, maxHeard)
	switch {
	case n > 0:
		prompt, err = p.hear(string(line))
		return n, prompt, err
	case long:
		return len(buf), PromptNone, fmt.Errorf("a line of more than %d bytes", maxHeard)
	case eof && p.now != nil:
		return len(buf), PromptEnd, nil
	}
	return 0, PromptNone, nil
}

func (p *playerEnd) hear(line string) (Prompt, error) {
	if p.now == nil {
		switch line {
		case p.Sides[First], p.Sides[Second]:
			if p.now = p.start; line == p.Sides[Second] {
				p.side = Second
			}
			if err := p.open(); err != nil {
				return PromptNone, err
			}
			return p.turn(), nil
		}
		if place, ok := strings.CutPrefix(line, positionWord+" "); ok && p.placed == "" && len(p.opening) == 0 {
			p.placed = place
			return PromptNone, nil
		}
		if move, ok := strings.CutPrefix(line, openingWord+" "); ok && len(p.opening) < maxOpening {
			p.opening = append(p.opening, move)
			return PromptNone, nil
		}
		return PromptNone, fmt.Errorf("first line %s: allowed are %s and %s", text.Quote(line, 40), p.Sides[First], p.Sides[Second])
	}
	if word, _, _ := strings.Cut(line, " "); word == illegalWord {
		if p.before == nil {
			return PromptNone, fmt.Errorf("%s, but no move was sent", text.Quote(line, 40))
		}
		p.now, p.before = p.before, nil
		return PromptMove, nil
	}
	m, err := p.parse(line, p.side)
	switch {
	case err != nil:
		return PromptNone, err
	case p.now.Mover() == p.side:
		return PromptNone, fmt.Errorf("%s, but it is our turn", text.Quote(line, 40))
	}
	next, err := p.play(m)
	if next == nil {
		return PromptNone, fmt.Errorf("the opponent's move cannot be played: %w", err)
	}
	p.now, p.before = next, nil
	if err != nil {
		err = fmt.Errorf("the opponent's move is illegal by our rules: %w", err)
	}
	return p.turn(), err
}

const (
	maxOpening = 1000    // far above the moves of any opening
	maxHeard   = 1 << 10 // far above the longest line of a referee, in bytes: a position
)

// open begins with the position of the opening and plays its moves, which are told as the program's side sees them.
func (p *playerEnd) open() error {
	if p.placed != "" {
		placed, err := p.ParsePosition(p.placed, p.side)
		if err != nil {
			return fmt.Errorf("the position of the opening: %w", err)
		}
		p.now = placed
	}
	for _, line := range p.opening {
		m, err := p.parse(line, p.side)
		var next Position
		if err == nil {
			next, err = p.play(m)
		}
		if next == nil {
			return fmt.Errorf("the move %s of the opening cannot be played: %w", text.Quote(line, 40), err)
		}
		p.now = next
	}
	return nil
}

// play returns the position after m, nil if there is none, and why m is illegal.
func (p *playerEnd) play(m Move) (next Position, illegal error) {
	illegal = ErrorInFrame(p.now.Check(m), p.side)
	if illegal == nil || p.Force(p.now, m) {
		next = p.now.Play(m)
	}
	return next, illegal
}

// turn asks for a move if it is our turn and the game is not over by our rules.
func (p *playerEnd) turn() Prompt {
	if _, over := p.now.Outcome(); over || p.now.Mover() != p.side {
		return PromptNone
	}
	return PromptMove
}

// Say plays the own move too, if it can be played.
func (p *playerEnd) Say(a Answer) []byte {
	if a.Kind != AnswerMove || p.now == nil {
		return []byte(resignWord + "\n")
	}
	if p.now.Mover() == p.side {
		if next, _ := p.play(a.Move); next != nil {
			p.now, p.before = next, p.now
		}
	}
	return []byte(p.format(a.Move, p.side) + "\n")
}

func (p *playerEnd) View() View {
	if p.now == nil {
		return nil
	}
	return p.now.View(p.side)
}

func (p *playerEnd) Limit() time.Duration { return p.limit }
