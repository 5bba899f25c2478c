package console

import (
	"fmt"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/gastank"
)

// PlayerName is the name of our player at the terminal; the assignment wants one.
const PlayerName = "Last Drop"

const (
	greeting = "This is " + PlayerName + ". Let us play GasTank chess!\n" + gastank.SideQuestion

	howToMove = "Type two squares, from and to, such as A3D6; small letters and blanks are taken. A piece's digit is its gas:\n" +
		"a move costs 1, a capture, of an own piece too, fills the tank to 3, and without gas it cannot move.\n"
)

// playerEnd is our player as the assignment wants it: the computer above, a person below. To
// print more than its moves it prompts with PromptSetUp, which this game does not use otherwise: Say then
// returns the text whatever the answer is.
type playerEnd struct {
	limit  time.Duration
	speech string // to be said next
	view   gastank.View
	begun  bool
	ended  bool
}

func (p *playerEnd) Scan(buf []byte, eof bool) (n int, prompt game.Prompt, err error) {
	switch {
	case p.speech != "":
		return 0, game.PromptSetUp, nil
	case p.ended:
		return len(buf), game.PromptEnd, nil
	case p.begun && p.view.Mover() == p.view.Side():
		return 0, game.PromptMove, nil
	}
	line, n, long := game.NextLine(buf, eof, gastank.MaxLine)
	switch {
	case long:
		return 0, game.PromptNone, gastank.ErrLongLine
	case n == 0 && eof:
		return len(buf), game.PromptEnd, nil
	case n == 0:
		return 0, game.PromptNone, nil
	}
	p.hear(string(line))
	return n, game.PromptNone, nil
}

func (p *playerEnd) hear(line string) {
	if !p.begun {
		p.begin(line)
		return
	}
	if gastank.IsHelp(line) {
		p.speech = howToMove + gastank.MovePrompt
		return
	}
	m, err := gastank.ParseTypedMove(line)
	if err == nil {
		m = programFrame(m, p.view.Side())
		err = game.ErrorInFrame(p.view.Check(m), p.view.Side().Other())
	}
	if err != nil {
		p.speech = fmt.Sprintf("You cannot play %v.\n%s", err, gastank.MovePrompt)
		return
	}
	p.view = p.view.Next(m)
	p.speech = p.picture() + p.verdict()
}

// begin hears who moves first: the person may also say 1 or 2.
func (p *playerEnd) begin(line string) {
	person, err := gastank.Game{}.ReadSide(line)
	if err != nil {
		p.speech = fmt.Sprintf("%v.\n%s", err, gastank.SideQuestion)
		return
	}
	side := person.Other()
	p.view, p.begun = gastank.NewView(side), true
	p.speech = p.picture()
	if side == game.Second {
		p.speech += gastank.MovePrompt
	}
}

// picture is the board as the assignment shows it, the person below.
func (p *playerEnd) picture() string {
	return "\n" + gastank.Draw(p.view.Board(), p.view.Side().Other(), [2]string{"human", "computer"}, game.DrawStyle{}) + "\n"
}

// verdict announces the end of the game, if it has come.
func (p *playerEnd) verdict() string {
	outcome, over := p.view.Outcome()
	if !over {
		return ""
	}
	p.ended = true
	loser := "You have"
	winner := PlayerName + " (the computer) wins"
	if outcome.Winner != p.view.Side() {
		loser, winner = PlayerName+" has", "You win"
	}
	if outcome.Reason == gastank.NoLegalMoves {
		return fmt.Sprintf("%s no legal moves. %s!\n", loser, winner)
	}
	return fmt.Sprintf("%s lost the king. %s!\n", loser, winner)
}

// Say returns what is to be said, else writes a move, the board after it, and who has won or the prompt.
func (p *playerEnd) Say(a game.Answer) []byte {
	if speech := p.speech; speech != "" {
		p.speech = ""
		return []byte(speech)
	}
	if a.Kind != game.AnswerMove || !p.begun || p.view.Check(a.Move) != nil {
		p.ended = true
		return []byte(PlayerName + " gives up. You win!\n")
	}
	p.view = p.view.Next(a.Move)
	text := fmt.Sprintf("%s plays %s\n%s", PlayerName, gastank.MoveName(programFrame(a.Move, p.view.Side())), p.picture())
	if verdict := p.verdict(); verdict != "" {
		return []byte(text + verdict)
	}
	return []byte(text + gastank.MovePrompt)
}

func (p *playerEnd) View() game.View {
	if !p.begun {
		return nil
	}
	return p.view
}

func (p *playerEnd) Limit() time.Duration { return p.limit }
