package gastank

import (
	"errors"
	"fmt"
	"strings"

	"luzhanqi/game"
	"luzhanqi/text"
)

var (
	_ game.PersonGame = Game{}
	_ game.Framed     = Game{}
)

func (Game) InFrame(m game.Move, side game.Side) game.Move { return InFrame(m, side) }

// SharedScreen is false: the assignment's game is a person against the computer.
func (Game) SharedScreen() bool { return false }

func (Game) SideQuestion() string { return SideQuestion }

// ReadSide reads first or second; f, s, 1 and 2 are taken too. The answer to ? is an explanation.
func (Game) ReadSide(line string) (game.Side, error) {
	if IsHelp(line) {
		return 0, errSides
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "first", "f", "1":
		return game.First, nil
	case "second", "s", "2":
		return game.Second, nil
	}
	return 0, fmt.Errorf("%s: allowed are first and second; ? explains", text.Quote(line, 40))
}

// errSides explains the choice of sides when a person asks for help.
var errSides = errors.New(`"first" (f, 1): you make the first move; "second" (s, 2): the computer makes it. Either way you sit below,
with the small letters on ranks 1 and 2, and move with two squares such as D2E4`)

// IsHelp says whether a person asks for help.
func IsHelp(line string) bool {
	line = strings.ToLower(strings.TrimSpace(line))
	return line == "?" || line == "help"
}

// The questions to a person.
const (
	SideQuestion = "Do you want to move first or second? "
	MovePrompt   = "Enter your move: "
)

// PersonEnd begins a game at the terminal, each person seeing the own side below.
func (Game) PersonEnd(people [2]bool, names [2]string, style game.DrawStyle) game.PersonEnd {
	return personEnd{people, names, style}
}

// personEnd prints what the assignment asks for: the board before and after each move, moves such as
// A3D6 in the person's frame, why a move is illegal, and who has won.
type personEnd struct {
	people [2]bool
	names  [2]string
	style  game.DrawStyle
}

func (p personEnd) Tell(e game.Event, v game.View) string {
	side := v.Side()
	switch e.Kind {
	case game.EventTurn:
		if known, ok := v.(View); ok && known.Ply() == 0 {
			return p.picture(v)
		}
	case game.EventMoved:
		return fmt.Sprintf("\n%s: %s\n%s", p.names[e.Side], MoveName(InFrame(e.Move, side)), p.picture(v))
	case game.EventIllegal:
		return fmt.Sprintf("You cannot play %v.\n", game.ErrorInFrame(e.Err, side))
	case game.EventBegin, game.EventEnd:
	}
	return ""
}

// picture is the board with the viewing side below, labelled as in the assignment.
func (p personEnd) picture(v game.View) string {
	known, ok := v.(View)
	if !ok {
		return ""
	}
	label := func(side game.Side) string {
		switch {
		case p.people[0] && p.people[1]:
			return p.names[side]
		case p.people[side]:
			return "human"
		}
		return "computer"
	}
	style := p.style
	if last, moved := known.LastMove(); moved {
		style.Last = &last
	}
	labels := [2]string{label(known.side), label(known.side.Other())}
	return "\n" + Draw(known.board, known.side, labels, style) + "\n"
}

func (personEnd) Prompt(game.View) string { return MovePrompt }

func (personEnd) ReadMove(line string, v game.View) (game.Move, error) {
	m, err := ParseTypedMove(line)
	return InFrame(m, v.Side()), err
}

func (personEnd) Unreadable(err error) string {
	return fmt.Sprintf("This cannot be read: %v.\n", err)
}

func (personEnd) End(o game.Outcome, _ game.View) string { return o.Reason + "\n" }
