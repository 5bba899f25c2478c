package referee_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/levels"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
	"luzhanqi/referee/textui"
)

// sit plays a game in which people type these lines.
func sit(t *testing.T, g game.Game, people [2]bool, typed ...string) (printed string, e *referee.Ending, text string) {
	t.Helper()
	lines := make(chan string, len(typed))
	for _, line := range typed {
		lines <- line
	}
	close(lines)
	var out, kept bytes.Buffer
	played := &referee.Game{
		Conditions: referee.Conditions{Game: g, Retries: referee.PeopleRetries, Limits: g.Limits()}, Seed: 5, Number: 1, Attempt: 1,
	}
	played.Rules, _ = game.ParseRules("", g.Options())
	for side := range people {
		e := referee.Entrant{Name: fmt.Sprintf("person %d", side+1), Person: true}
		if !people[side] {
			level, err := levels.Find(g, "random")
			if err != nil {
				t.Fatal(err)
			}
			e = referee.Entrant{Name: "random", Level: &level}
		}
		played.Entrants[side] = e
	}
	writer := record.NewBuffer(&kept, played)
	at := &referee.Interactive{Program: "luzhanqi", Terminal: &textui.Terminal{Lines: lines, Out: &out}, Save: writer.Save}
	e, err := at.Play(t.Context(), played, func() (referee.Observer, error) { return writer, nil })
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), e, kept.String()
}

// TestPeople: two people at one terminal, who see one board after each move, and are asked again when
// they err.
func TestPeople(t *testing.T) {
	printed, e, kept := sit(t, toy{}, [2]bool{true, true}, "6-5", "nonsense", "5 2", "5 3", " 3 TO 1 ", "10")
	expect{referee.Won, "2", "player 2 (person 2) won: the last stone is taken"}.check(t, e)
	if want := strings.Join([]string{
		"", "6 stones", "",
		"player 1 (person 1), your move (? for help): ",
		"player 1 (person 1): 6 5", "", "5 stones", "",
		`player 2 (person 2), your move (? for help): Move "nonsense": allowed are two numbers. (? for help)`,
		"player 2 (person 2), your move (? for help): From 5 to 2: there are 5 stones, and one or two are taken. (? lists the legal moves)",
		"player 2 (person 2), your move (? for help): ",
		"player 2 (person 2): 5 3", "", "3 stones", "",
		"player 1 (person 1), your move (? for help): ",
		"player 1 (person 1): 3 1", "", "1 stones", "",
		"player 2 (person 2), your move (? for help): ",
		"player 2 (person 2): 1 0", "", "0 stones", "",
		"Player 2 (person 2) won: the last stone is taken.", "",
	}, "\n"); printed != want {
		t.Errorf("printed\n%s\nwant\n%s", printed, want)
	}
	replay, err := judgeText(0, kept)
	if err != nil || len(replay.Disagreements) > 0 || len(replay.Moves) != 4 || !replay.Header.Players[0].Person {
		t.Errorf("%v, %+v", err, replay)
	}
}

// TestPeopleCommands: the words that mean the same in every game.
func TestPeopleCommands(t *testing.T) {
	for typed, want := range map[string]expect{
		"resign": {referee.Resigned, "2", "resigned"}, "quit": {referee.Void, "0", "player 1 left the game"}, "Exit": {referee.Void, "0", "left"}, "": {referee.Void, "0", "left"},
	} {
		lines := []string{typed}
		if typed == "" {
			lines = nil // the end of input
		}
		_, e, kept := sit(t, toy{}, [2]bool{true, false}, lines...)
		want.check(t, e)
		if replay, err := judgeText(0, kept); err != nil || len(replay.Disagreements) > 0 {
			t.Errorf("%q: %v, %q", typed, err, replay.Disagreements)
		}
	}
	printed, _, _ := sit(t, toy{}, [2]bool{true, true}, "?", "6 4", "help")
	for _, want := range []string{"save FILE", "Legal moves (2):\n  6 5  6 4\n", "Legal moves (2):\n  4 3  4 2\n"} {
		if !strings.Contains(printed, want) {
			t.Errorf("no %q in\n%s", want, printed)
		}
	}
}

// TestSave: a game can be saved at any time, never over a file, and what was saved is judged.
func TestSave(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a game.jsonl")
	printed, _, _ := sit(t, toy{}, [2]bool{true, true}, "6 5", "save "+file, "5 3", "save "+file, "save", "quit")
	for _, want := range []string{"Saved: luzhanqi replay " + file, "Not saved: open " + file, "save FILE: name the file"} {
		if !strings.Contains(printed, want) {
			t.Errorf("no %q in\n%s", want, printed)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	replay, err := judgeText(0, string(text))
	if err != nil || len(replay.Disagreements) > 0 || len(replay.Moves) != 1 || replay.Ending != nil {
		t.Errorf("%v, %+v", err, replay)
	}
}

// TestPeopleSetUps: a set-up is asked for until it is legal, and one at a time.
func TestPeopleSetUps(t *testing.T) {
	g := luzhanqi.Game{}
	army := string(g.RandomSetUp(rand.New(rand.NewPCG(1, 1))))
	printed, e, kept := sit(t, g, [2]bool{true, true}, "A1:9", "?", "random", army, "b6b5", "resign")
	if e.Code == referee.Void || !strings.Contains(printed, "Illegal set-up") || !strings.Contains(printed, "A set-up, as it is typed") {
		t.Errorf("%+v\n%s", e, printed)
	}
	first, second := strings.Index(printed, "Player 1, your set-up"), strings.Index(printed, "Player 2, your set-up")
	if first < 0 || second < first || strings.LastIndex(printed, "Player 1, your set-up") > second {
		t.Errorf("not one after the other:\n%s", printed)
	}
	replay, err := record.Read(strings.NewReader(kept), func(string) (game.Game, error) { return g, nil })
	if err != nil || len(replay.Disagreements) > 0 || string(replay.SetUps[1]) != army {
		t.Errorf("%v, %q", err, replay.Disagreements)
	}
}

// TestPeopleAreInterrupted: a signal ends the wait for a line.
func TestPeopleAreInterrupted(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	stop(errors.New("stopped by hand"))
	var out bytes.Buffer
	at := &referee.Interactive{Terminal: &textui.Terminal{Lines: make(chan string), Out: &out}}
	e, err := at.Play(ctx, &referee.Game{
		Conditions: referee.Conditions{Game: toy{}, Limits: toy{}.Limits()},
		Entrants:   [2]referee.Entrant{{Name: "a", Person: true}, {Name: "b", Person: true}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	expect{referee.Void, "0", "stopped by hand"}.check(t, e)
}

// mirrored is the toy seen by each side in a frame of its own: player 2 counts from 100 down.
type mirrored struct{ toy }

func (mirrored) InFrame(m game.Move, side game.Side) game.Move {
	if side == game.Second {
		return game.Move{From: 100 - m.From, To: 100 - m.To}
	}
	return m
}

// TestFrames: people read and type moves in their own frame; the record has player 1's.
func TestFrames(t *testing.T) {
	printed, e, kept := sit(t, mirrored{}, [2]bool{true, true}, "6 5", "95 97", "5 4", "96 9", "96 97", "3 1", "99 100")
	expect{referee.Won, "2", ""}.check(t, e)
	if !strings.Contains(printed, "player 2 (person 2), your move") || strings.Contains(kept, `"move":"95 97"`) || !strings.Contains(kept, `"move":"5 3"`) {
		t.Errorf("%s\n%s", printed, kept)
	}
}

// ownWay is the toy with a way of its own for people.
type ownWay struct{ toy }

func (ownWay) SharedScreen() bool                 { return true }
func (ownWay) SideQuestion() string               { return "first or second? " }
func (ownWay) ReadSide(string) (game.Side, error) { return game.First, nil }
func (ownWay) PersonEnd(people [2]bool, names [2]string, _ game.DrawStyle) game.PersonEnd {
	return ownEnd{}
}

type ownEnd struct{}

func (ownEnd) Tell(e game.Event, v game.View) string {
	switch e.Kind {
	case game.EventTurn:
		return fmt.Sprintf("[%d] %v's turn\n", v.(toyView).left, v.Mover())
	case game.EventIllegal:
		return "0\n"
	}
	return ""
}
func (ownEnd) Prompt(game.View) string { return "> " }
func (ownEnd) ReadMove(line string, _ game.View) (game.Move, error) {
	return toy{}.ParseMove(line)
}
func (ownEnd) Unreadable(error) string { return "what?\n" }
func (ownEnd) End(o game.Outcome, v game.View) string {
	return fmt.Sprintf("[%d] %v 1\n", v.(toyView).left, o.Winner)
}

// TestOwnWay: a game with its own way decides about every byte, but for the words that all share.
func TestOwnWay(t *testing.T) {
	printed, _, _ := sit(t, ownWay{toy{2}}, [2]bool{true, true}, "2 9", "x", "2 1", "1 0")
	if want := "[2] 1's turn\n> 0\n> what?\n> [1] 2's turn\n> [0] 2 1\n"; printed != want {
		t.Errorf("%q, want %q", printed, want)
	}
}
