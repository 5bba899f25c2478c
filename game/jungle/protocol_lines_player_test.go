package jungle

import (
	"strings"
	"testing"

	"luzhanqi/game"
)

// listen reads all of text and returns the last prompt and all errors.
func listen(end game.PlayerEnd, text string, eof bool) (prompt game.Prompt, errs []error) {
	for rest := []byte(text); ; {
		n, p, err := end.Scan(rest, eof)
		rest = rest[n:]
		if p != game.PromptNone {
			prompt = p
		}
		if err != nil {
			errs = append(errs, err)
		}
		if n == 0 {
			return prompt, errs
		}
	}
}

// TestPlayerReads what differs in form: ends of lines, blanks, empty lines, pieces.
func TestPlayerReads(t *testing.T) {
	for _, text := range []string{
		"red\n-1 -1 -1 -1\n1\n0 6 1 6\n",
		"red\r\n-1 -1 -1 -1\r\n1\r\n0 6 1 6\r\n",
		"\n red\n\n-1  -1 -1 -1 \n 1\n0 6\t1 6\n",
	} {
		end := lines{}.PlayerEnd(nil, game.Second, 0)
		if end.View() != nil {
			t.Error("a view before the color")
		}
		for i := range len(text) - 1 { // no prefix is a prompt
			if prompt, _ := listen(lines{}.PlayerEnd(nil, game.Second, 0), text[:i], false); prompt != game.PromptNone {
				t.Errorf("%q prompts %d", text[:i], prompt)
			}
		}
		prompt, _ := listen(end, text, false)
		if v := end.View().(*View); prompt != game.PromptMove || v.Side() != game.First || v.Mover() != game.First || v.Board() != Start(Referee) {
			t.Errorf("%q: prompt %d, %+v", text, prompt, end.View())
		}
	}
}

// TestPlayerMeetsOtherRules: with a referee of other rules the player follows as well as it can,
// chooses from what it is told, and says so once.
func TestPlayerMeetsOtherRules(t *testing.T) {
	end := lines{}.PlayerEnd(nil, game.First, 0)
	prompt, errs := listen(end, "blue\n0 6 0 4\n2\n0 2 0 3\n6 2 6 4\n", false)
	if prompt != game.PromptMove || len(errs) != 1 || !strings.Contains(errs[0].Error(), "0 6 0 4") {
		t.Fatalf("prompt %d, %v", prompt, errs)
	}
	v := end.View().(*View)
	if got := moveNames(v.Moves(nil)); got != "0 2 0 3, 6 2 6 4" {
		t.Errorf("moves %s", got)
	}
	if b := v.Board(); b.Square(game.First, Elephant) != At(0, 4) || v.Ply() != 1 {
		t.Errorf("the board is %s after %d plies", b.String(), v.Ply())
	}
	if got := string(end.Say(game.Answer{Kind: game.AnswerMove, Move: v.Moves(nil)[1]})); got != "6 2 6 4\n" {
		t.Errorf("says %q", got)
	}
	prompt, errs = listen(end, "3 3 3 4\n1\n0 0 0 1\n", false)
	if prompt != game.PromptMove || len(errs) > 0 {
		t.Errorf("the next turn: prompt %d, %v", prompt, errs)
	}
	b := end.View().(*View).Board()
	if b.Square(game.Second, Elephant) != At(6, 4) || end.View().Mover() != game.Second {
		t.Errorf("the board is %s", b.String())
	}

	end = lines{}.PlayerEnd(nil, game.First, 0)
	prompt, errs = listen(end, "red\n-1 -1 -1 -1\n1\n0 6 0 5\n", false)
	if prompt != game.PromptMove || len(errs) != 1 || !strings.Contains(errs[0].Error(), "told 1, 0 6 0 5; the board E06 L68") || !strings.Contains(errs[0].Error(), "has 24, 0 6 1 6") {
		t.Errorf("prompt %d, %v", prompt, errs)
	}
}

// TestPlayerPassesOver what it cannot understand.
func TestPlayerPassesOver(t *testing.T) {
	for text, want := range map[string]string{
		"green\n":                          "allowed are red and blue",
		"red\nhello\n":                     "the opponent's last move",
		"red\n-1 -1 -1 -1\n-1\n":           `number of moves "-1"`,
		"red\n-1 -1 -1 -1\n4000000000\n":   "number of moves",
		"red\n-1 -1 -1 -1\n1\n0 6 0 9\n":   "one of my moves",
		strings.Repeat("x", maxHeard+1):    "a line of more than 1024 bytes",
		strings.Repeat(" ", 2*maxHeard):    "a line of more than 1024 bytes",
		"red\n0 6 0 5\n24\n" + "0 6 1 6\n": "",
	} {
		if _, errs := listen(lines{}.PlayerEnd(nil, game.First, 0), text, false); want == "" && len(errs) > 0 || want != "" && (len(errs) == 0 || !strings.Contains(errs[0].Error(), want)) {
			t.Errorf("%.40q: %v, want %q", text, errs, want)
		}
	}
}

// TestPlayerKnowsTheEnd: no legal move, or a referee that hangs up between two turns; not one that
// does so in the middle of a turn.
func TestPlayerKnowsTheEnd(t *testing.T) {
	for text, want := range map[string]game.Prompt{
		"":                             game.PromptEnd,
		"blue\n":                       game.PromptEnd,
		"blue\n0 6 0 5\n":              game.PromptNone,
		"blue\n0 6 0 5\n2\n0 2 0 3\n":  game.PromptNone,
		"blue\n0 6 0 5\n0\n":           game.PromptEnd,
		"red\n-1 -1 -1 -1\n1\n0 6 1 6": game.PromptEnd, // asked, and then nobody there
	} {
		if got, _ := listen(lines{}.PlayerEnd(nil, game.First, 0), text, true); got != want {
			t.Errorf("%q: prompt %d, want %d", text, got, want)
		}
	}
}

func TestPlayerSays(t *testing.T) {
	end := lines{}.PlayerEnd(nil, game.First, 0)
	m := game.Move{From: At(0, 6), To: At(0, 5)}
	if got := string(end.Say(game.Answer{Kind: game.AnswerMove, Move: m})); got != "resign\n" {
		t.Errorf("before the game it says %q", got)
	}
	listen(end, "red\n", false)
	if got := string(end.Say(game.Answer{Kind: game.AnswerResign})); got != "resign\n" {
		t.Errorf("it resigns with %q", got)
	}
	got := string(end.Say(game.Answer{Kind: game.AnswerMove, Move: m, Comment: "a\nb\r\x1b" + strings.Repeat("x", 60)}))
	if want := `0 6 0 5 a\nb` + strings.Repeat("x", 46) + "\n"; got != want {
		t.Errorf("says %q, want %q", got, want)
	}
}

// FuzzPlayerEnd feeds a referee's nonsense to our player's end, which must survive it and go on.
func FuzzPlayerEnd(f *testing.F) {
	f.Add([]byte("red\n-1 -1 -1 -1\n24\n0 6 1 6\n0 6 0 5\n"))
	f.Add([]byte("blue\n0 6 0 5\n1\n0 2 0 3\n3 8 3 0\n1\n3 0 3 8\n0 0 0 0\n0\n"))
	f.Add([]byte("blue\n3 0 3 8\n3\n3 8 3 0\n3 0 3 3\n1 3 1 3\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		end := lines{}.PlayerEnd(nil, game.First, 0)
		rest := text
		for range len(text) + 2 {
			n, prompt, err := end.Scan(rest, true)
			if n > len(rest) || n == 0 && len(rest) > 0 {
				t.Fatalf("%d of %d bytes used, %v", n, len(rest), err)
			}
			rest = rest[n:]
			switch prompt {
			case game.PromptMove:
				v := end.View().(*View)
				if v.Mover() != v.Side() || len(v.Moves(nil)) == 0 {
					t.Fatal("asked out of turn, or for nothing")
				}
				end.Say(game.Answer{Kind: game.AnswerMove, Move: v.Moves(nil)[len(rest)%len(v.Moves(nil))]})
			case game.PromptSetUp:
				t.Fatal("a set-up is asked for")
			case game.PromptNone, game.PromptEnd:
			}
			if n == 0 {
				return
			}
		}
		t.Fatal("it goes on for ever")
	})
}
