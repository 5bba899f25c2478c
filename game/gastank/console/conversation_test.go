package console

import (
	"os"
	"path/filepath"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/gastank"
)

// TestCapturedConversations replays whole games with the console programs, captured with
// go test ./protocol-tests/consoles -update.
func TestCapturedConversations(t *testing.T) {
	names, err := filepath.Glob("testdata/conversations/*.txt")
	if err != nil || len(names) != 6 {
		t.Fatalf("%d conversations, %v, want 6", len(names), err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			(&script{t: t}).run(string(text))
		})
	}
}

func TestConversations(t *testing.T) {
	for name, text := range map[string]string{
		"nothing is typed before the prompt, and the prompt may come late": `
			adapter hatchback
			side 2
			human E1E2
			turn
			out "HATCHBACK\n"
			nothing
			out "Colours (y/n)? "
			type "n\n"
			nothing
			out "Do you want to play first (1) or second (2)? "
			type "1\n"
			out "drawing the board\n"
			nothing
			late nothing
			out "Enter your move (e.g. A3D6): "
			type "E1E2\n"
			nothing`,
		"the first program is told that the person moves second, and sees itself above": `
			adapter hatchback
			side 1
			turn
			out "Do you want to play first (1) or second (2)? "
			type "2\n"
			out "thinking of D7C5\nthinking of B7B5\n"
			nothing
			out "I move: D7C5\nEnter your move (e.g. A3D6): "
			answer D1C3
			human D7C5
			turn
			# the prompt has been waiting
			type "D1C3\n"`,
		"an example move in the prompt is no move": `
			adapter hatchback
			side 1
			turn
			out "Do you want to play first (1) or second (2)? "
			type "2\n"
			out "Enter your move (e.g. D7C5): "
			error "asks for a move although the first one is its own"`,
		"a second prompt without a move is a refusal": `
			adapter convertible
			side 2
			human E1E2
			turn
			out "Will you start? [y/n] "
			type "y\n"
			out "Move: "
			type "e1e2\n"
			out "\x1b[0;31mM\x1b[0;32move: "
			error "it asks for a move again, and nothing that it wrote was recognised as a move: it refused the legal move e1e2, or"`,
		"what accepts the move, as its board shows, is not said to have refused it": `
			adapter pickup
			side 2
			human E1E2
			turn
			out "Who drives first? 1 = you, 2 = me: "
			type "1\n"
			out "From and to? "
			type "E1 E2\n"
			out "7 | . | . |b3 |q3 |k3 |b3 | . | . |\r\n6 | . | . | . |n3 | . |n3 | . | . |\r\n5 | . | . | . | . | . | . | . | . |\r\n4 | . | . | . | . | . | . | . | . |\r\n3 | . | . | . | . | . | . | . | . |\r\n2 | . | . | . |N3 |K2 |N3 | . | . |\r\n1 | . | . |B3 |Q3 | . |B3 | . | . |\r\nFrom and to? "
			error "its board shows that it has accepted E1 E2"`,
		"moves are typed in small letters where the prompt has an example of one": `
			adapter default
			side 2
			human E1E2
			turn
			out "Enter move in the format like a3d6: \n"
			type "e1e2\n"`,
		"an announced end without a prompt does not cost the rest of the time": `
			adapter default
			side 2
			human E1E2
			turn
			out "Your move: "
			type "E1E2\n"
			out "I play D7C5\nI win in 5 moves!\n"
			nothing
			out "Game over.\n"
			answer D7C5`,
		"a refusal in words, although there is no prompt": `
			adapter hatchback
			side 2
			human E1E2
			turn
			out "Enter your move (e.g. A3D6): "
			type "E1E2\n"
			out "Illegal move!\n"
			error "the program refused the legal move E1E2"`,
		"a word of refusal before any move was typed is none, nor is one before a legal move": `
			adapter hatchback
			side 2
			human E1E2
			turn
			out "Illegal moves are refused. Enter your move (e.g. A3D6): "
			type "E1E2\n"
			out "Illegal moves hurt. I move: D7C5\nEnter your move (e.g. A3D6): "
			answer D7C5`,
		"an illegal move is reported, not passed over": `
			adapter hatchback
			side 2
			human E1E2
			turn
			out "Enter your move (e.g. A3D6): "
			type "E1E2\n"
			out "I move: D7D5\nEnter your move (e.g. A3D6): "
			answer D7D5`,
		"the last printed move counts, echo and candidates do not": `
			adapter default
			side 2
			human E1E2
			turn
			out "Please enter your move > "
			type "E1E2\n"
			out "E1E2\nyou moved E1E2\nbest so far D7B5\nbest so far D7C5\n"
			nothing
			out "MOVE from D7 to F5\nPlease enter your move > "
			answer D7F5`,
		"a claim of victory counts for nothing, and explains why nothing follows": `
			adapter default
			side 2
			human E1E2
			turn
			out "Your move: "
			type "E1E2\n"
			out "D7C5\nYou are out of gas. I win!\nYour move: "
			answer D7C5
			human D2E4
			turn
			type "D2E4\n"
			out "You have lost in 5 moves\n"
			nothing
			out "You have lost.\n"
			error "says that the game is over, which it is not"`,
		"the same when the program then leaves": `
			adapter default
			side 2
			human E1E2
			turn
			out "Your move: "
			type "E1E2\n"
			out "You have lost.\n"
			eof error "says that the game is over, which it is not"`,
		"without a claim, leaving is for others to judge": `
			adapter default
			side 2
			human E1E2
			turn
			out "Your move: "
			type "E1E2\n"
			out "Segmentation fault\n"
			eof nothing`,
		"a legal move counts at the end of the time and of the output": `
			adapter default
			side 2
			human E1E2
			turn
			out "Your move: "
			type "E1E2\n"
			out "My move is start(D,7)->end(C,5)\n"
			nothing
			late answer D7C5`,
		"and so does any move at the end of the output": `
			adapter default
			side 2
			human E1E2
			turn
			out "Your move: "
			type "E1E2\n"
			out "d7d5"
			eof answer D7D5`,
		"the board wins over the printed move": `
			adapter pickup
			side 2
			human E1E2
			turn
			out "Who drives first? 1 = you, 2 = me: "
			type "1\n"
			out "From and to? "
			type "E1 E2\n"
			out "MOVE from D7 to C6\r\n7 | . | . |b3 | . |k3 |b3 | . | . |\r\n6 | . | . | . |n3 | . |n3 | . | . |\r\n5 | . | . |q2 | . | . | . | . | . |\r\n"
			nothing
			out "4 | . | . | . | . | . | . | . | . |\r\n3 | . | . | . | . | . | . | . | . |\r\n2 | . | . | . |N3 |K2 |N3 | . | . |\r\n1 | . | . |B3 |Q3 | . |B3 | . | . |\r\nFrom and to? "
			answer D7C5 printed D7C6, but its board shows D7C5`,
		"a question after the move does not swallow it": `
			adapter default
			side 1
			turn
			out "Would you like to go first? (y/n) "
			type "n\n"
			out "I play D7-C5. Press Enter to continue..."
			answer D1C3
			human D7C5
			turn
			type "\n"
			out "Your move? "
			type "D1C3\n"`,
		"an example move in a greeting is no move": `
			adapter default
			side 1
			turn
			out "Moves look like A3D6.\nEnter your move: "
			error "its adapter needs a [[question]] for it"`,
		"a question that is asked again and again": `
			adapter default
			side 1
			turn
			out "first or second? "
			type "second\n"
			out "first or second? "
			type "second\n"
			out "first or second? "
			type "second\n"
			out "first or second? "
			type "second\n"
			out "first or second? "
			type "second\n"
			out "first or second? "
			error "asks this again after 5 answers: the adapter types \"second\""`,
	} {
		t.Run(name, func(t *testing.T) { (&script{t: t}).run(text) })
	}
}

// TestIllegalMoveCannotBeTakenBack: matches may allow another try, but not in this conversation.
func TestIllegalMoveCannotBeTakenBack(t *testing.T) {
	s := script{t: t}
	s.run(`
		adapter hatchback
		side 1
		turn
		out "Do you want to play first (1) or second (2)? "
		type "2\n"
		out "I move: D7D5\nEnter your move (e.g. A3D6): "
		answer D1D3`)
	s.tell(game.Event{Kind: game.EventIllegal, Side: game.First, Move: mustMove(t, "D1D3"), HasMove: true})
	s.run(`error "the program's move was illegal"`)
}

// TestWinningMoveNeedsNoPrompt plays until the program can take the king.
func TestWinningMoveNeedsNoPrompt(t *testing.T) {
	s := script{t: t}
	s.run(`
		adapter hatchback
		side 2
		human E1D2
		turn
		out "Enter your move (e.g. A3D6): "
		type "E1D2\n"
		out "I move: D7E5\nEnter your move (e.g. A3D6): "
		answer D7E5
		human D2D3
		turn
		type "D2D3\n"
		out "I move: E5D3\n"
		answer E5D3`)
	if outcome, over := s.position.Outcome(); !over || outcome.Winner != game.Second || outcome.Reason != gastank.KingCaptured {
		t.Errorf("the game is over: %v, %+v", over, outcome)
	}
}
