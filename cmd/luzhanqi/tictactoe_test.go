package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
)

// The sixth game stands for every game that is still to come: this file and one line in the list of games are
// all of it. It is a game of placing pieces: a move is to a square, and From is the same square.

// withSixthGame is the environment variable that puts the game into the list.
const withSixthGame = "LUZHANQI_TEST_SIXTH_GAME"

func init() {
	if os.Getenv(withSixthGame) != "" {
		games.All = append(games.All, tictactoe{})
	}
}

// tictactoe is played on nine squares, a1 to c3. Three in a line win.
type tictactoe struct{ game.NoSetUp }

func (tictactoe) Name() string               { return "tictactoe" }
func (tictactoe) Title() string              { return "Tic-tac-toe" }
func (tictactoe) Options() []game.Option     { return nil }
func (tictactoe) Protocols() []game.Protocol { return []game.Protocol{nineLetters{}} }

func (tictactoe) Limits() game.Limits {
	return game.Limits{Move: time.Second, Grace: 200 * time.Millisecond}
}

func (g tictactoe) New(_ game.Rules, setUps [2]game.SetUp) (game.Position, error) {
	return nine{squares: "........."}, g.CheckSetUps(setUps)
}

func (tictactoe) Analyse(game.Rules, []byte) (any, error) {
	return nil, errors.New("positions of this game have no format")
}

func (tictactoe) FormatMove(m game.Move) string {
	if m.From != m.To {
		return squareName(m.From) + "-" + squareName(m.To)
	}
	return squareName(m.To)
}

func squareName(s game.Square) string { return fmt.Sprintf("%c%d", 'a'+s%3, 1+s/3) }

func (tictactoe) ParseMove(text string) (game.Move, error) {
	if len(text) != 2 || text[0] < 'a' || text[0] > 'c' || text[1] < '1' || text[1] > '3' {
		return game.Move{}, fmt.Errorf("move %.20q: allowed are a1 to c3", text)
	}
	s := game.Square(text[0]-'a') + 3*game.Square(text[1]-'1')
	return game.Move{From: s, To: s}, nil
}

// nine is a position, and a view as well: nothing is hidden.
type nine struct {
	squares string // '.', or 'x' of player 1, or 'o'
	side    game.Side
}

const nineMarks = "xo"

func (p nine) Ply() int                      { return 9 - strings.Count(p.squares, ".") }
func (p nine) Mover() game.Side              { return game.Side(p.Ply() % 2) }
func (p nine) Side() game.Side               { return p.side }
func (p nine) View(side game.Side) game.View { return nine{p.squares, side} }

func (p nine) Draw(game.DrawStyle) string {
	return p.squares[6:] + "\n" + p.squares[3:6] + "\n" + p.squares[:3] + "\n"
}

func (p nine) Check(m game.Move) error {
	switch {
	case m.From != m.To || m.To >= 9:
		return errors.New("a piece is placed on one of nine squares")
	case p.squares[m.To] != '.':
		return fmt.Errorf("%s is taken", squareName(m.To))
	}
	return nil
}

func (p nine) Moves(dst []game.Move) []game.Move {
	for s := range game.Square(9) {
		if p.squares[s] == '.' {
			dst = append(dst, game.Move{From: s, To: s})
		}
	}
	return dst
}

func (p nine) Play(m game.Move) game.Position {
	next := []byte(p.squares)
	next[m.To] = nineMarks[p.Mover()]
	return nine{squares: string(next)}
}

func (p nine) Outcome() (game.Outcome, bool) {
	for _, line := range [][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}} {
		if c := p.squares[line[0]]; c != '.' && c == p.squares[line[1]] && c == p.squares[line[2]] {
			return game.Won(game.Side(strings.IndexByte(nineMarks, c)), "three in a line"), true
		}
	}
	if p.Ply() == 9 {
		return game.Drawn("no square is left"), true
	}
	return game.Outcome{}, false
}

// nineLetters is the conversation: whoever is to move is sent the nine squares on a line, and answers with one.
type nineLetters struct{ game.ProtocolDefaults }

func (nineLetters) Name() string    { return "letters" }
func (nineLetters) Summary() string { return "nine letters, such as x...o....; and b2 back" }

func (nineLetters) RefereeEnd(side game.Side, _ game.Limits) game.RefereeEnd { return &askNine{side} }

func (nineLetters) PlayerEnd(game.Rules, game.Side, time.Duration) game.PlayerEnd {
	return &answerNine{}
}

type askNine struct{ side game.Side }

func (a *askNine) Tell(e game.Event, v game.View) [][]byte {
	if e.Kind != game.EventTurn || e.Side != a.side {
		return nil
	}
	return [][]byte{[]byte(v.(nine).squares + "\n")}
}

func (*askNine) Scan(buf []byte, _ bool) (int, game.Answer, error) {
	end := bytes.IndexByte(buf, '\n')
	if end < 0 {
		return 0, game.Answer{}, nil
	}
	line := strings.TrimSpace(string(buf[:end]))
	m, err := tictactoe{}.ParseMove(line)
	if err != nil {
		err = &game.UnreadableError{Found: line, Err: err}
	}
	return end + 1, game.Answer{Kind: game.AnswerMove, Move: m}, err
}

type answerNine struct{ view nine }

func (a *answerNine) Scan(buf []byte, eof bool) (int, game.Prompt, error) {
	end := bytes.IndexByte(buf, '\n')
	switch {
	case end < 0 && eof: // there are no words for the end
		return len(buf), game.PromptEnd, nil
	case end < 0:
		return 0, game.PromptNone, nil
	}
	line := string(buf[:end])
	if len(line) != 9 || strings.Trim(line, "xo.") != "" {
		return end + 1, game.PromptNone, fmt.Errorf("expected nine letters x, o or ., found %.20q", line)
	}
	a.view.squares = line
	a.view.side = a.view.Mover()
	return end + 1, game.PromptMove, nil
}

func (*answerNine) Say(a game.Answer) []byte { return []byte(tictactoe{}.FormatMove(a.Move) + "\n") }
func (a *answerNine) View() game.View        { return a.view }
func (*answerNine) Limit() time.Duration     { return 0 }

// placer is somebody's program for the game: it takes the first square that is free, and knows no code of ours.
func placer() {
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		at := strings.IndexByte(in.Text(), '.')
		fmt.Printf("%c%d\n", "abc"[at%3], 1+at/3)
	}
}
