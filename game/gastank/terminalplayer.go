package gastank

import (
	"fmt"
	"strings"
	"time"

	"luzhanqi/game"
)

// PlayerName is what our player calls itself at the terminal; the assignment wants a name.
const PlayerName = "Last Drop"

const (
	greeting = "This is " + PlayerName + ". Let us play GasTank chess!\n" + whoFirst
	whoFirst = "Do you want to move first or second? "
	yourMove = "Enter your move: "

	howToMove = "Type two squares, from and to, such as A3D6; small letters and blanks are taken. A piece's digit is its gas:\n" +
		"a move costs 1, a capture, of an own piece too, fills the tank to 3, and without gas it cannot move.\n"
)

// terminalPlayer is our player as the assignment wants it: the computer above, a person below. What it
// has to say beside its moves it asks for leave to say with PromptSetUp, there being no set-up in this
// game: Say then returns it whatever the answer is.
type terminalPlayer struct {
	limit  time.Duration
	speech string // to be said next
	view   View
	begun  bool
	ended  bool
}

func (p *terminalPlayer) Scan(buf []byte, eof bool) (n int, prompt game.Prompt, err error) {
	switch {
	case p.speech != "":
		return 0, game.PromptSetUp, nil
	case p.ended:
		return len(buf), game.PromptEnd, nil
	case p.begun && p.view.Mover() == p.view.side:
		return 0, game.PromptMove, nil
	}
	start, end, long := game.NextLine(buf, eof, mostLine)
	switch {
	case long:
		return 0, game.PromptNone, errLongLine
	case end == 0 && eof:
		return len(buf), game.PromptEnd, nil
	case end == 0:
		return 0, game.PromptNone, nil
	}
	p.hear(strings.TrimSpace(string(buf[start:end])))
	return end, game.PromptNone, nil
}

func (p *terminalPlayer) hear(line string) {
	if !p.begun {
		p.begin(line)
		return
	}
	if isHelp(line) {
		p.speech = howToMove + yourMove
		return
	}
	m, err := parseHasty(line)
	if err == nil {
		m = programFrame(m, p.view.side)
		err = p.view.check(m, p.view.side.Other())
	}
	if err != nil {
		p.speech = fmt.Sprintf("You cannot play %v.\n%s", err, yourMove)
		return
	}
	p.view = p.view.play(m)
	p.speech = p.picture() + p.verdict()
}

// begin hears who moves first: the person may also say 1 or 2.
func (p *terminalPlayer) begin(line string) {
	person, err := Game{}.ReadSide(line)
	if err != nil {
		p.speech = fmt.Sprintf("%v.\n%s", err, whoFirst)
		return
	}
	side := person.Other()
	p.view, p.begun = View{position: NewPosition(), side: side}, true
	p.speech = p.picture()
	if side == game.Second {
		p.speech += yourMove
	}
}

// picture is the board as the assignment shows it, the person below.
func (p *terminalPlayer) picture() string {
	board := p.view.Board()
	if p.view.side == game.First {
		board = board.Mirror()
	}
	return "\n" + Draw(board, [2]string{"human", "computer"}, game.Style{}) + "\n"
}

// verdict announces the end of the game, if it has come.
func (p *terminalPlayer) verdict() string {
	outcome, over := p.view.Outcome()
	if !over {
		return ""
	}
	p.ended = true
	loser := "You have"
	winner := PlayerName + " (the computer) wins"
	if outcome.Winner != p.view.side {
		loser, winner = PlayerName+" has", "You win"
	}
	if outcome.Reason == noLegalMoves {
		return fmt.Sprintf("%s no legal moves. %s!\n", loser, winner)
	}
	return fmt.Sprintf("%s lost the king. %s!\n", loser, winner)
}

// Say returns what is to be said, else writes a move, the board after it, and who has won or the prompt.
func (p *terminalPlayer) Say(a game.Answer) []byte {
	if speech := p.speech; speech != "" {
		p.speech = ""
		return []byte(speech)
	}
	if a.Kind != game.AnswerMove || !p.begun || p.view.position.Check(a.Move) != nil {
		p.ended = true
		return []byte(PlayerName + " gives up. You win!\n")
	}
	p.view = p.view.play(a.Move)
	text := fmt.Sprintf("%s plays %s\n%s", PlayerName, MoveName(programFrame(a.Move, p.view.side)), p.picture())
	if verdict := p.verdict(); verdict != "" {
		return []byte(text + verdict)
	}
	return []byte(text + yourMove)
}

func (p *terminalPlayer) View() game.View {
	if !p.begun {
		return nil
	}
	return p.view
}

func (p *terminalPlayer) Limit() time.Duration { return p.limit }
