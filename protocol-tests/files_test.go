package protocoltests

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/referee"
)

// The hostile modes that say what a file says.

const legalSetUp = "((A1 3) (A2 7) (A3 5) (A4 6) (A5 2) (A6 5) (B1 2) (B2 L) (B4 3) (B6 4) (C1 3) (C2 B) (C3 4) (C5 7) " +
	"(C6 1) (D1 F) (D2 L) (D4 1) (D6 8) (E1 L) (E2 2) (E3 9) (E4 B) (E5 1) (E6 6))"

// TestConversations guards every byte that a program at fault is sent up to the end of its input.
// A script that hears anything else exits with status 65.
func TestConversations(t *testing.T) {
	greeted := "< (init 1 time/move 60.0)\n> " + legalSetUp + "\n< (go 1)\n"
	second := "< (init 2 time/move 60.0)\n> " + legalSetUp + "\n< (go 1)\n< (outcome (E7 D8))\n< (go 2)\n"
	const lost = "< (end 2)\neof\n"
	for _, c := range []struct {
		name   string
		script string
		tr     trial
	}{
		{"resigned", greeted + "> (resign)\n" + lost, trial{want: resigned.leaving(exited(0))}},
		{"illegal-move", greeted + "> (A1 A1)\n< (illegal (A1 A1))\n" + lost, trial{want: illegalMove.leaving(exited(0))}},
		{
			"illegal-twice", greeted + "> (A1 A1)\n< (illegal (A1 A1))\n> (D1 D2)\n< (illegal (D1 D2))\n" + lost,
			trial{want: illegalMove.leaving(exited(0)).retrying(1)},
		},
		{"unreadable", greeted + ">> )\n" + lost, trial{want: unreadable.leaving(exited(0))}},
		{"illegal-set-up", "< (init 1 time/move 60.0)\n> ()\n" + lost, trial{want: illegalSetUp.leaving(exited(0))}},
		{"late", strings.ReplaceAll(greeted, "60.0", "0.4") + lost, trial{want: lateMove.leaving(exited(0))}},
		{"never-heard", "eof\n", trial{want: died(65).saying("expected end of file, found")}},
		{"exit-before-the-turn", "< (init 2 time/move 60.0)\n> " + legalSetUp + "\n! 7\n", trial{seat: game.Second, want: died(7)}},
		{"exit-with-the-answer", greeted + ">> (A6 A7)\n! 9\n", trial{want: died(9)}},
		{"exit-with-a-resignation", greeted + ">> (resign)\n! 9\n", trial{want: resigned.leaving(exited(9))}},
		{
			"second-player", second + "> (A1 A1)\n< (illegal (A1 A1))\n< (end 1)\neof\n",
			trial{seat: game.Second, against: "script " + script(t, "first", "< (init 1 time/move 60.0)\n> "+legalSetUp+
				"\n< (go 1)\n> (A6 B5)\n< (outcome (A6 B5))\n< (go 2)\n< (end 1)\neof\n"), want: illegalMove.leaving(exited(0))},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.tr.want.pace == patient { // the program's own exit is to be seen
				c.tr.want.pace = dying
			}
			c.tr.mode = "script " + script(t, c.name, c.script)
			c.tr.play(t)
		})
	}
}

func script(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestFastGames guards that two programs that answer at once come to the draw by repetition.
func TestFastGames(t *testing.T) {
	file := script(t, "shuttle", legalSetUp+"\n(A4 B3)\n(B3 A4)\n")
	want := byRule.capped(allPlies).because("draw: ")
	want.codes = []referee.Code{referee.Drawn}
	trial{mode: "instant " + file, against: "instant " + file, want: want}.play(t)
}

// TestInputIsNeverRead guards that a program which plays without ever reading is found out when its
// input is full, and that its opponent never waits for it. Some 2,600 plies fill a pipe of 64 KiB.
func TestInputIsNeverRead(t *testing.T) {
	want := fault(referee.TimedOut, "does not read its standard input, which is full").paced(hasty).leaving(killed).capped(6000)
	trial{mode: "deaf-plays", against: "instant " + script(t, "walk", walk(t, 2900)), want: want}.play(t)
}

// walk is a set-up and a random walk of player 2 inside its own half, where it meets nobody and
// repeats nothing, while player 1 goes to and fro.
func walk(t *testing.T, moves int) string {
	var g luzhanqi.Game
	setUp, err := g.ParseSetUp(legalSetUp)
	if err != nil {
		t.Fatal(err)
	}
	pos, err := g.New(game.Rules{}, [2]game.SetUp{setUp, setUp})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	fmt.Fprintln(&text, legalSetUp)
	random := rand.New(rand.NewPCG(1, 2))
	first := []string{"A4 B3", "B3 C4", "C4 B3"}
	for i := range moves {
		m, err := g.ParseMove(first[min(i, 1+(i+1)%2)])
		if err != nil || pos.Check(m) != nil {
			t.Fatal(m, err, pos.Check(m))
		}
		pos = pos.Play(m)
		var inside []game.Move
		for _, m := range pos.Moves(nil) {
			if !luzhanqi.OwnHalf.Has(m.To) && !luzhanqi.Headquarters.Has(luzhanqi.Turn(m.To)) {
				inside = append(inside, m)
			}
		}
		m = inside[random.IntN(len(inside))]
		pos = pos.Play(m)
		if outcome, over := pos.Outcome(); over {
			t.Fatal("the walk ends: ", outcome.Reason)
		}
		fmt.Fprintf(&text, "(%s %s)\n", luzhanqi.SquareName(luzhanqi.Turn(m.From)), luzhanqi.SquareName(luzhanqi.Turn(m.To)))
	}
	return text.String()
}
