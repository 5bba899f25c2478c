package quagmire

import (
	"fmt"

	"luzhanqi/game"
)

var _ game.PersonGame = Game{}

// SharedScreen is true: the assignment is two people at one screen.
func (Game) SharedScreen() bool { return true }

// SideQuestion is empty: nothing is asked, and a person who plays against a level plays O by default.
func (Game) SideQuestion() string { return "" }

func (Game) ReadSide(line string) (game.Side, error) { return game.ParseSide(line) }

func (Game) PersonEnd(people [2]bool, _ [2]string, style game.DrawStyle) game.PersonEnd {
	return personEnd{people, style}
}

// personEnd prints what the assignment asks for: the board exactly as it has it, whose turn it is, 0
// for an illegal move, and at the end the board, the winner's piece and 1.
type personEnd struct {
	people [2]bool
	style  game.DrawStyle
}

func (p personEnd) Tell(e game.Event, v game.View) string {
	known, ok := v.(*View)
	if !ok {
		return ""
	}
	b := known.Board()
	switch e.Kind {
	case game.EventTurn:
		if known.Ply() == 0 {
			return p.picture(known) + TurnLine(&b, e.Side)
		}
		return TurnLine(&b, e.Side)
	case game.EventMoved:
		said := p.picture(known)
		if !p.people[e.Side] {
			said = string(Letter(e.Side)) + " plays " + MoveName(e.Move) + "\n" + said
		}
		return said
	case game.EventIllegal:
		return Refusal(e.Err)
	case game.EventBegin, game.EventEnd:
	}
	return ""
}

func (p personEnd) picture(v *View) string {
	style := p.style
	if last, moved := v.LastMove(); moved && style.Color {
		style.Last = &last
	}
	b := v.Board()
	return b.Draw(style)
}

func (personEnd) Prompt(game.View) string                              { return "" }
func (personEnd) ReadMove(line string, _ game.View) (game.Move, error) { return ReadMove(line) }
func (personEnd) Unreadable(err error) string                          { return Refusal(err) }
func (personEnd) End(o game.Outcome, _ game.View) string               { return Announce(o) }

// TurnLine says in a line whose turn it is, which pieces in Quagmire must move first, and which
// piece may not move again.
func TurnLine(b *Board, mover game.Side) string {
	line := fmt.Sprintf("%c to move", Letter(mover))
	if stuck := b.mustMove(mover); stuck != 0 {
		line += ", out of Quagmire first: " + either(squareNames(stuck))
	} else if last := b.Last(mover); last != NoSquare {
		line += ", but not " + SquareName(last) + " again"
	}
	return line + "\n"
}

// Refusal answers a move that cannot be read or played: 0, and on the next line why.
func Refusal(why error) string { return fmt.Sprintf("0\n%v\n", why) }

// Announce names, below the last board, the winner and the reason, then 1: the winner's piece alone on its
// line. A draw has no winner's line.
func Announce(o game.Outcome) string {
	if o.Draw {
		return fmt.Sprintf("draw: %s\n1\n", o.Reason)
	}
	return fmt.Sprintf("%s\n%c\n1\n", o.Reason, Letter(o.Winner))
}
