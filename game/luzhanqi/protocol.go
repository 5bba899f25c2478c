package luzhanqi

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/sexpr"
	"luzhanqi/text"
)

// What both dialects share: squares in the frame of one side, and answers as S-expressions.

// wireSquare writes a square in side's frame.
func wireSquare(sq game.Square, side game.Side) sexpr.Square {
	return sexpr.Square(SquareName(inFrame(sq, side)))
}

func wireMove(m game.Move, side game.Side) sexpr.Move {
	return sexpr.Move{From: wireSquare(m.From, side), To: wireSquare(m.To, side)}
}

// fromWire is the square that side calls by this name. The parser has checked the name.
func fromWire(name sexpr.Square, side game.Side) game.Square {
	return inFrame(squareByName[string(name)], side)
}

func moveFromWire(m sexpr.Move, side game.Side) game.Move {
	return game.Move{From: fromWire(m.From, side), To: fromWire(m.To, side)}
}

func setUpFromWire(placements sexpr.Initial) game.SetUp {
	var text strings.Builder
	for i, p := range placements {
		if i > 0 {
			text.WriteByte(' ')
		}
		fmt.Fprintf(&text, "%s:%c", p.Square, p.Piece)
	}
	return game.SetUp(text.String())
}

// setUpToWire writes a set-up that is legal.
func setUpToWire(s SetUp) sexpr.Initial {
	var placements sexpr.Initial
	for sq := range game.Square(ownSquares) {
		if rank := s.At(sq); rank != None {
			placements = append(placements, sexpr.Placement{Square: sexpr.Square(SquareName(sq)), Piece: sexpr.Piece(rank.Letter())})
		}
	}
	return placements
}

// refereeEnd frames and reads a player's S-expressions, in side's frame, in both dialects.
type refereeEnd struct {
	side   game.Side
	framer sexpr.Framer
}

func (s *refereeEnd) scan(buf []byte) (n int, a game.Answer, err error) {
	start, end, err := s.framer.Next(buf)
	switch {
	case errors.Is(err, sexpr.TooLong):
		return 0, a, &game.TooLongError{Max: sexpr.DefaultLimits.Bytes}
	case err != nil:
		return 0, a, &game.UnreadableError{Found: excerpt(buf, 0), Err: noExpression(err)}
	case end == 0:
		return 0, a, nil
	}
	text := buf[start:end]
	if m, ok := sexpr.LookupMove(text); ok {
		return end, game.Answer{Kind: game.AnswerMove, Move: moveFromWire(m, s.side)}, nil
	}
	message, err := sexpr.ParsePlayer(text)
	switch m := message.(type) {
	case sexpr.Move:
		a = game.Answer{Kind: game.AnswerMove, Move: moveFromWire(m, s.side)}
	case sexpr.Initial:
		a = game.Answer{Kind: game.AnswerSetUp, SetUp: setUpFromWire(m)}
	case sexpr.Resign:
		a = game.Answer{Kind: game.AnswerResign}
	default:
		at := 0
		if syntax := (*sexpr.SyntaxError)(nil); errors.As(err, &syntax) {
			at = syntax.Offset
		}
		return end, a, &game.UnreadableError{Found: excerpt(text, at), Err: err}
	}
	return end, a, nil
}

// excerpt cuts the answer around the byte at which it is wrong, up to the end of that line.
func excerpt(buf []byte, at int) string {
	const before, maxFound = 30, 60
	start := 0
	if at > before {
		start = at - before
	}
	found := strings.TrimLeft(string(buf[start:min(len(buf), start+200)]), " \t\r\n\v\f")
	if line, _, ok := strings.Cut(found, "\n"); ok && start == 0 {
		found = line
	}
	found = text.Prefix(found, maxFound)
	if start > 0 {
		found = "…" + found
	}
	return found
}

// noExpression explains a stray byte before an answer to the author of the program.
func noExpression(err error) error {
	var frame *sexpr.FrameError
	switch {
	case !errors.As(err, &frame) || frame.Kind != sexpr.Stray:
		return err
	case frame.Byte == 0xEF || frame.Byte == 0xFE || frame.Byte == 0xFF:
		return errors.New(`an answer begins with "(", this with a byte order mark: write plain text without it`)
	}
	return fmt.Errorf(`an answer begins with "(", this with %q; debugging output belongs on standard error`, string(rune(frame.Byte)))
}

// sayAnswer writes an answer as S-expression with a newline.
func sayAnswer(a game.Answer, side game.Side) []byte {
	var message sexpr.PlayerMessage = sexpr.Resign{}
	switch a.Kind {
	case game.AnswerMove:
		message = wireMove(a.Move, side)
	case game.AnswerSetUp:
		if s, err := ParseSetUp(string(a.SetUp)); err == nil {
			message = setUpToWire(s)
		}
	}
	return append(message.AppendTo(nil), '\n')
}

// signs are the outcomes as the mover sees them.
var signs = [...]sexpr.Compare{Quiet: "", Win: ">", Loss: "<", Tie: "="}

// playerEnd keeps the player's view up to date by the messages heard, in both dialects.
type playerEnd struct {
	side      game.Side
	limit     time.Duration
	minesStay bool
	view      *View
	flags     []Reveal // announced, and part of the outcome that follows
	last      game.Move
}

func (p *playerEnd) View() game.View {
	if p.view == nil {
		return nil // not a nil *View in an interface
	}
	return p.view
}

func (p *playerEnd) Limit() time.Duration { return p.limit }

func (p *playerEnd) said(a game.Answer) {
	switch a.Kind {
	case game.AnswerSetUp:
		if s, err := ParseSetUp(string(a.SetUp)); err == nil {
			p.view = NewView(p.side, s, p.minesStay)
		}
	case game.AnswerMove:
		p.last = a.Move
	}
}

func (p *playerEnd) turn(mover game.Side) game.Prompt {
	p.view = p.view.turn(mover)
	if mover == p.side {
		return game.PromptMove
	}
	return game.PromptNone
}

func (p *playerEnd) flag(owner game.Side, sq game.Square) {
	p.flags = append(p.flags, Reveal{Owner: owner, Square: sq})
}

func (p *playerEnd) outcome(mover game.Side, m game.Move, result Result) {
	p.view = p.view.Observe(Observation{Mover: mover, Move: m, Result: result, Flags: p.flags})
	p.flags = nil
}

// refuse asks for another move. Where one illegal move loses, the end follows and nobody reads it.
func (p *playerEnd) refuse() game.Prompt {
	p.view = p.view.Refused(p.last)
	return game.PromptMove
}
