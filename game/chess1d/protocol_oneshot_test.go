package chess1d

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"luzhanqi/game"
)

func adapter(t testing.TB, text string) game.Protocol {
	t.Helper()
	p, err := standard.ReadAdapter([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func oneShotEnd(p game.Protocol, side game.Side) game.OneShotEnd {
	return p.RefereeEnd(side, game.Limits{}).(game.OneShotEnd)
}

// What a process is given: the code, and the board as its side sees it with all blanks.
func TestQuestion(t *testing.T) {
	v := NewPosition(mustBoard(t, " ahk         Q "), game.First, false).View(game.Second)
	changed := adapter(t, "setup = \"set up\"\nmove = \"go\"\n")
	inArguments, err := standard.Adapter("arguments")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		protocol  game.Protocol
		side      game.Side
		kind      game.AnswerKind
		arguments []string
		input     string
	}{
		{standard, game.First, game.AnswerSetUp, nil, "0\n"},
		{standard, game.First, game.AnswerMove, nil, "1\n ahk         Q \n"},
		{standard, game.Second, game.AnswerMove, nil, "1\n q         KHA \n"},
		{changed, game.Second, game.AnswerSetUp, nil, "set up\n"},
		{changed, game.Second, game.AnswerMove, nil, "go\n q         KHA \n"},
		{inArguments, game.Second, game.AnswerSetUp, []string{"0"}, ""},
		{inArguments, game.Second, game.AnswerMove, []string{"1", " q         KHA "}, ""},
		{adapter(t, "input = 'arguments'\nmove = 'm'"), game.First, game.AnswerMove, []string{"m", " ahk         Q "}, ""},
	} {
		view := v
		if c.kind == game.AnswerSetUp {
			view = nil
		}
		arguments, input := oneShotEnd(c.protocol, c.side).Question(c.kind, view)
		if !reflect.DeepEqual(arguments, c.arguments) || string(input) != c.input {
			t.Errorf("%+v: %q and %q", c, arguments, input)
		}
	}
}

func TestMoveAnswers(t *testing.T) {
	end := oneShotEnd(standard, game.First)
	v := NewView(mustBoard(t, "kahf       FHAK"), game.First, false)
	end.Question(game.AnswerMove, v)
	for _, text := range []string{"24", "24\n", "2\n4", "2\n4\n", "24\r\n", "2\r\n4\r\n"} {
		n, a, err := end.Scan([]byte(text), true)
		if want := (game.Answer{Kind: game.AnswerMove, Move: game.Move{From: 2, To: 4}}); err != nil || n != len(text) || a != want {
			t.Errorf("%q: %d, %+v, %v", text, n, a, err)
		}
		if n, _, err := end.Scan([]byte(text), false); n != 0 || err != nil {
			t.Errorf("%q before the end: %d, %v", text, n, err)
		}
	}
	for text, want := range map[string]string{
		"2":          "it ends too early",
		"\n24":       `'\n' is no square`,
		"24\n\n":     `'\n' follows the move`,
		"24 ":        `' ' follows the move`,
		"2 4":        `' ' is no square`,
		"2\n\n4":     `'\n' is no square`,
		"2\r4":       `'\r' is no square`,
		"24\r":       `'\r' follows the move`,
		"2f":         `'f' is no square`,
		"2A":         `'A' is no square`,
		"244":        `'4' follows the move`,
		"move: 24\n": `'m' is no square`,
		"\n":         `'\n' is no square`,
		"\xff\xfe":   "is no square",
	} {
		_, _, err := end.Scan([]byte(text), true)
		var unreadable *game.UnreadableError
		if !errors.As(err, &unreadable) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "a move is two of the digits") {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
	second := oneShotEnd(standard, game.Second)
	if _, a, err := second.Scan([]byte("24"), true); err != nil || MoveName(a.Move) != "ca" {
		t.Errorf("player 2's 24 is %s, %v, want ca", MoveName(a.Move), err)
	}
	if n, _, err := end.Scan(nil, true); n != 0 || err != nil {
		t.Errorf("no output: %d, %v, want nothing", n, err)
	}
	if _, _, err := end.Scan([]byte(strings.Repeat("4", maxAnswer+1)), false); !errors.Is(err, game.ErrTooLong) {
		t.Errorf("endless output: %v", err)
	}
}

// Six characters are taken as they are, blanks at either end too, and then at most a newline; whether
// they are a set-up is for the rules. Every other length cannot be read, wherever a newline stands.
func TestSetUpAnswers(t *testing.T) {
	end := oneShotEnd(standard, game.Second)
	end.Question(game.AnswerSetUp, nil)
	for _, c := range []struct {
		text  string
		want  game.SetUp
		legal bool
	}{
		{"kahf  ", "kahf  ", true},
		{"kahf  \n", "kahf  ", true},
		{"  kahf\r\n", "  kahf", true},
		{" k ahf\n", " k ahf", true},
		{"      ", "      ", false},
		{"illega\n", "illega", false},
		{"kahf..\n", "kahf..", false},
		{"\tkahf \n", "\tkahf ", false},
		{"kahf \r", "kahf \r", false}, // no newline, so a character
		{"kahf \x00\n", "kahf \x00", false},
		{"kahf é\n", "kahf é", false}, // six characters, seven bytes
		{"將炮馬卒兵士", "將炮馬卒兵士", false},
	} {
		n, a, err := end.Scan([]byte(c.text), true)
		if err != nil || n != len(c.text) || a != (game.Answer{Kind: game.AnswerSetUp, SetUp: c.want}) {
			t.Errorf("%q: %d, %+v, %v", c.text, n, a, err)
		}
		if err := (Game{}).CheckSetUp(a.SetUp); (err == nil) != c.legal || err != nil && strings.Contains(err.Error(), "characters") {
			t.Errorf("%q: the rules say %v", c.text, err)
		}
		if n, _, err := end.Scan([]byte(c.text), false); n != 0 || err != nil {
			t.Errorf("%q before the end: %d, %v", c.text, n, err)
		}
	}
	for text, want := range map[string]string{
		"\n":             "the first line has 0 characters",
		"\r\n":           "the first line has 0 characters",
		"\n\n\n\n\n\n":   "the first line has 0 characters",
		"\nkahf  ":       "the first line has 0 characters",
		"kahf":           "the first line has 4 characters; a set-up is exactly six characters (blanks are squares)",
		"kahf\n":         "the first line has 4 characters",
		"kahf\n\n":       "the first line has 4 characters",
		"kahf\r\n":       "the first line has 4 characters",
		"kahf ":          "the first line has 5 characters",
		"kahf \n":        "the first line has 5 characters", // six bytes
		" kahf\n":        "the first line has 5 characters",
		"kahf \r\n":      "the first line has 5 characters",
		"kahfé":          "the first line has 5 characters", // six bytes
		"kahfé\n":        "the first line has 5 characters",
		"kah\nf ":        "the first line has 3 characters",
		"kahf   ":        "the first line has 7 characters",
		"kahf  \r":       "the first line has 7 characters",
		"kahf   \n":      "the first line has 7 characters",
		"kahf  \n\n":     `'\n' follows the set-up`,
		"kahf  \r\n\r\n": `'\r' follows the set-up`,
		"kahf  \nfoo":    `'f' follows the set-up`,
		"kahf  \n ":      `' ' follows the set-up`,
		"kahf \xff":      "it is not UTF-8",
		"kahf  \xff\n":   "it is not UTF-8",
	} {
		var unreadable *game.UnreadableError
		if _, _, err := end.Scan([]byte(text), true); !errors.As(err, &unreadable) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
	if n, _, err := end.Scan(nil, true); n != 0 || err != nil {
		t.Errorf("no output: %d, %v, want nothing", n, err)
	}
}

func TestAdapters(t *testing.T) {
	for _, name := range standard.Adapters() {
		if p, err := standard.Adapter(name); err != nil || p.Name() != standard.Name() {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := standard.Adapter("gtp"); err == nil || !strings.Contains(err.Error(), "allowed are stdin, arguments") {
		t.Errorf("error %v", err)
	}
	if p := adapter(t, ""); p.(protocol).setUp != "0" || p.(protocol).move != "1" || p.(protocol).asArgument {
		t.Errorf("an empty adapter is %+v, want the default", p)
	}
	for text, want := range map[string]string{
		"\nstart = '5'":          "line 2, column 1: unknown key start; allowed are setup, move and input",
		"[setup]\ncode = '5'":    "adapter: ",
		"move = 1":               "line 1",
		"move = '1'\nmove = '2'": "adapter: ",
		"move =":                 "line 1",
		"move = ''":              "a code has 1 to 80 bytes",
		"setup = 'a\tb'":         "without control characters",
		"setup = \"a\\nb\"":      "without control characters",
		"setup = '1'":            "setup and move are both",
		"input = 'socket'":       `allowed are "stdin" and "arguments"`,
		"setup = '" + strings.Repeat("x", 81) + "'": "a code has 1 to 80 bytes",
		strings.Repeat("#", 64<<10+1):               "bytes, allowed are 65536",
	} {
		if p, err := standard.ReadAdapter([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %+v, error %v, want one with %q", text, p, err, want)
		}
	}
}

// Random games between two of our ends, a new one for every answer, in every adapter that they can
// read: what is asked is what the view says, and what is said is what is read.
func TestBothEnds(t *testing.T) {
	g := Game{}
	protocols := []game.Protocol{standard, adapter(t, "setup = 'place'\nmove = 'move'")}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 0))
		p := protocols[seed%2]
		ask := func(side game.Side, kind game.AnswerKind, v game.View, answer func(game.PlayerEnd, game.Prompt) game.Answer) game.Answer {
			t.Helper()
			referee, player := oneShotEnd(p, side), p.PlayerEnd(game.Rules{"nomoves": "loss"}, side, time.Second)
			_, input := referee.Question(kind, v)
			for n := range input { // not whole
				if n, prompt, err := player.Scan(input[:n], false); n != 0 || prompt != game.PromptNone || err != nil {
					t.Fatalf("%q of %q: %d, %v, %v", input[:n], input, n, prompt, err)
				}
			}
			n, prompt, err := player.Scan(input, false)
			if err != nil || n != len(input) {
				t.Fatalf("the player cannot read %q: %v", input, err)
			}
			text := player.Say(answer(player, prompt))
			if _, prompt, _ := player.Scan(nil, false); prompt != game.PromptEnd {
				t.Fatalf("after its answer the player is prompted %v", prompt)
			}
			n, a, err := referee.Scan(text, true)
			if err != nil || n != len(text) {
				t.Fatalf("the referee cannot read %q: %v", text, err)
			}
			return a
		}
		var setUps [2]game.SetUp
		for side := range setUps {
			want := g.RandomSetUp(r)
			a := ask(game.Side(side), game.AnswerSetUp, nil, func(end game.PlayerEnd, prompt game.Prompt) game.Answer {
				if prompt != game.PromptSetUp || end.View() != nil {
					t.Fatalf("prompt %v, view %v", prompt, end.View())
				}
				return game.Answer{Kind: game.AnswerSetUp, SetUp: want}
			})
			if setUps[side] = a.SetUp; a.SetUp != want {
				t.Fatalf("set-up %q arrives as %q", want, a.SetUp)
			}
		}
		position, err := g.New(game.Rules{"nomoves": "loss"}, setUps)
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			if _, over := position.Outcome(); over {
				break
			}
			mover := position.Mover()
			a := ask(mover, game.AnswerMove, position.View(mover), func(end game.PlayerEnd, prompt game.Prompt) game.Answer {
				v := end.View().(*View)
				whole := position.(*Position).Board()
				if prompt != game.PromptMove || v.Board() != whole.InFrame(mover) || v.Mover() != v.Side() {
					t.Fatalf("prompt %v, board %q, want %q", prompt, v.Board(), whole.InFrame(mover))
				}
				moves := v.Moves(nil)
				return game.Answer{Kind: game.AnswerMove, Move: moves[r.IntN(len(moves))]}
			})
			if err := position.Check(a.Move); err != nil {
				t.Fatal(err)
			}
			position = position.Play(a.Move)
		}
	}
}

// The player's end takes CR LF and a last line without an end, and passes over what is no question.
func TestPlayerEndReads(t *testing.T) {
	for _, text := range []string{"0\n", "0\r\n", "0", "hello\n0\n", "1\nno board\n0\n"} {
		end := standard.PlayerEnd(game.Rules{}, game.First, 0)
		rest, last := []byte(text), game.PromptNone
		for last == game.PromptNone && len(rest) > 0 {
			n, prompt, err := end.Scan(rest, true)
			if n == 0 {
				t.Fatalf("%q: stuck at %q, %v", text, rest, err)
			}
			if prompt == game.PromptNone && err == nil {
				t.Fatalf("%q: neither a prompt nor an error", text)
			}
			rest, last = rest[n:], prompt
		}
		if last != game.PromptSetUp {
			t.Errorf("%q: prompt %v, want a set-up", text, last)
		}
	}
	end := standard.PlayerEnd(game.Rules{"nomoves": "draw"}, game.Second, time.Second)
	if _, prompt, err := end.Scan([]byte("1\r\nkahf       FHAK"), true); prompt != game.PromptMove || err != nil {
		t.Fatalf("prompt %v, %v", prompt, err)
	}
	if v := end.View().(*View); !v.NoMovesDraws() || v.Side() != game.First || end.Limit() != time.Second {
		t.Errorf("view of player %v, limit %v", v.Side(), end.Limit())
	}
	if text := end.Say(game.Answer{Kind: game.AnswerResign}); len(text) > 0 {
		t.Errorf("resigning says %q", text)
	}
	if n, _, err := standard.PlayerEnd(game.Rules{}, 0, 0).Scan([]byte(strings.Repeat("1", maxAnswer+1)), false); n == 0 || err == nil {
		t.Error("an endless line is waited for")
	}
}

func FuzzScan(f *testing.F) {
	f.Add([]byte("2\n4\n"), true)
	f.Add([]byte("kahf  \n"), false)
	f.Add([]byte("kahf \r\n"), true)
	f.Add([]byte("kahf\u00e9\n"), true)
	f.Add([]byte("1\nkahf       FHAK\n"), true)
	f.Fuzz(func(t *testing.T, text []byte, eof bool) {
		for _, kind := range []game.AnswerKind{game.AnswerMove, game.AnswerSetUp} {
			end := oneShotEnd(standard, game.Second)
			end.Question(kind, NewView(mustBoard(t, "kahf       FHAK"), game.First, false))
			n, a, err := end.Scan(text, eof)
			if n > len(text) || n > 0 && err == nil && a.Kind != kind {
				t.Errorf("%q: %d, %+v, %v", text, n, a, err)
			}
			if n > 0 && err == nil && kind == game.AnswerSetUp && utf8.RuneCountInString(string(a.SetUp)) != Own {
				t.Errorf("%q: the set-up %q has no six characters", text, a.SetUp)
			}
		}
		end := standard.PlayerEnd(game.Rules{}, game.First, time.Second)
		rest := text
		for range len(text) + 2 {
			n, prompt, _ := end.Scan(rest, eof)
			if n > len(rest) {
				t.Fatalf("%d of %d bytes used", n, len(rest))
			}
			if rest = rest[n:]; prompt == game.PromptMove {
				end.View().Moves(nil)
			}
			if n == 0 || prompt != game.PromptNone {
				return
			}
		}
		t.Fatal("reading does not end")
	})
}

func FuzzReadAdapter(f *testing.F) {
	f.Add([]byte("setup = '0'\nmove = '1'\ninput = 'arguments'\n"))
	f.Add([]byte("[x]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if p, err := standard.ReadAdapter(text); err == nil {
			oneShotEnd(p, game.First).Question(game.AnswerSetUp, nil)
		}
	})
}
