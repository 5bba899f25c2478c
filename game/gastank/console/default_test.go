package console

import (
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/gastank"
)

// TestDefaultAdapter lists what real programs are known to print. Each is the whole output since the
// last line that was typed, by the upper side that has answered E1E2 with D7C5.
func TestDefaultAdapter(t *testing.T) {
	a := builtIn[0]()
	for question, want := range map[string][2]string{
		"Do you want to move first or second? ":           {"first", "second"},
		"Would you like to go first or second?\n> ":       {"first", "second"},
		"Enter 1 to go first, 2 to go second: ":           {"1", "2"},
		"1) You go first\n2) You go second\nChoice: ":     {"1", "2"},
		"first(1) or second(2)?":                          {"1", "2"},
		"Do you want to go first? (y/n): ":                {"y", "n"},
		"Will you start [Y/N]?":                           {"y", "n"},
		"Should the computer move first? (y/n) ":          {"n", "y"},
		"Shall I start (yes/no)?":                         {"n", "y"},
		"\x1b[1mMove \x1b[0m(f)irst or (s)econd: \x1b[0m": {"f", "s"},
		"Do you want colors? (y/n)":                       {"n", "n"},
		"Would you like to see the board in color? Y/N: ": {"n", "n"},
		"What is your name? ":                             {"Referee", "Referee"},
		"Press ENTER to begin":                            {"", ""},
		// Programs of strangers, which the adapter once misread.
		"Enter 'first' if you want to make the first move: ":             {"first", "second"},
		"Type \"first\" to move first, anything else to move second\n> ": {"first", "second"},
		"Enter 'f' to move first, 's' to let me make the first move: ":   {"f", "s"},
		"Enter 1 if you want to make the first move, 0 if I should: ":    {"1", "2"},
		"Will you go 1st or 2nd (enter 1 or 2): \n":                      {"1", "2"},
		"Do you want to go 1st or 2nd? ":                                 {"1st", "2nd"},
		"The first player to take the king wins.\nfirst or second: ":     {"first", "second"},
	} {
		q, _ := a.asks(clean([]byte(question)).text)
		if q == nil {
			t.Errorf("%q is not recognised", question)
		} else if q.first != want[0] || q.second != want[1] {
			t.Errorf("%q is answered by %q and %q, want %q", question, q.first, q.second, want)
		}
	}
	for _, prompt := range []string{
		"enter move: ", "Enter your move:", "Move:", "move> ", "\nMove: ", "Please enter a move such as A3D6: ", "Your move?", "Human's move: ",
		"What is your move?\n> ", "Enter your move (for instance A3D6)\n", ">> Your move [A3D6]: ", "Input move", "Make your move...",
	} {
		if _, ok := atEnd([]byte(prompt), a.prompt...); !ok {
			t.Errorf("the prompt %q is not recognised", prompt)
		}
	}
	for _, talk := range []string{
		"My move: ", "Computer's move: ", "Computer move:", "thinking about my next move", "You moved E1E2\n", "Your move was E1E2.\n", "I move from D7 to ",
		"considering moves: ",
	} {
		if _, ok := atEnd([]byte(talk), a.prompt...); ok {
			t.Errorf("%q is taken for a prompt", talk)
		}
	}
	for _, output := range []string{
		"D7C5\n", "My move: D7C5", "d7c5", "d7c5(d1c3)", "start(D,7)->end(C,5)", "MOVE from D7 to C5", "I move D7 to C5.", "D7 - C5", "d7-c5!",
		"D7B5\nD7F5\nD7E5\nchosen: D7C5\n", "E1E2\nD7C5\n", "\x1b[31mD\x1b[32m7\x1b[33mC\x1b[34m5\x1b[0m", "d7c5 (mirrored d1c3)",
		"(D7, C5)", "D7 => C5", "from D7 to C5 [from D1 to C3]", "from D7 to C5 (from D1 to C3)", "D7 to C5 [D1 to C3]", "D7-C5 (D1-C3)", "You moved E1E2 (e7e6).\nI moved D7C5 (d1c3).",
	} {
		s := script{t: t}
		s.run("adapter default\nside 2\nhuman E1E2\nturn\nout \"Move: \"\ntype \"E1E2\\n\"")
		s.buf = []byte(output + "\nMove: ")
		if _, _, a, found, err := s.referee.Silent(s.buf, false); !found || err != nil || gastank.MoveName(a.Move) != "D7C5" {
			t.Errorf("%q is read as %s, %v, %v", output, gastank.MoveName(a.Move), found, err)
		}
	}
	// An example before the prompt is no move, though it be the last legal one.
	for _, prompt := range []string{
		"Example: D7E5. Your move: ", "(moves look like d7e5)\nMove? ", "It is your turn. Format: D7E5\nEnter move: ", "e.g. D7 E5\nMove: ",
		"A move is written D7-E5.\nYour move> ", "Moves have the form of D7 to E5\nEnter move: ", "Type moves, for instance (D,7)->(E,5), and press Enter.\nmove: ",
	} {
		s := script{t: t}
		s.run("adapter default\nside 2\nhuman E1E2\nturn\nout \"Move: \"\ntype \"E1E2\\n\"")
		s.buf = []byte("I move D7C5\n" + prompt)
		if _, _, a, found, err := s.referee.Silent(s.buf, false); !found || err != nil || gastank.MoveName(a.Move) != "D7C5" {
			t.Errorf("before the prompt %q the move is read as %s, %v, %v", prompt, gastank.MoveName(a.Move), found, err)
		}
	}
	after := gastank.NewPosition().Play(mustMove(t, "E1E2")).Play(mustMove(t, "D7C5"))
	for name, picture := range map[string]string{
		"the assignment's": after.Draw(game.DrawStyle{}),
		"in colour":        after.Draw(game.DrawStyle{Color: true}),
		"indented":         "    " + strings.ReplaceAll(after.Draw(game.DrawStyle{}), "\n", "\n    "),
		"with rules":       strings.ReplaceAll(after.Draw(game.DrawStyle{}), "\n", "\n  -------\n"),
	} {
		s := script{t: t}
		s.run("adapter default\nside 2\nhuman E1E2\nturn\nout \"Move: \"\ntype \"E1E2\\n\"")
		s.buf = []byte("D7E5\n" + picture + "\nMove: ")
		if _, _, a, found, err := s.referee.Silent(s.buf, false); !found || err != nil || gastank.MoveName(a.Move) != "D7C5" {
			t.Errorf("the board %s is read as %s, %v, %v\n%s", name, gastank.MoveName(a.Move), found, err, picture)
		}
	}
}
