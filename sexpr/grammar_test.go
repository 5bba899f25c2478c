package sexpr_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"luzhanqi/sexpr"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var playerCases = []struct {
	text      string
	want      sexpr.PlayerMessage
	canonical string // "" says text is
}{
	{"(A6 A7)", sexpr.Move{From: "A6", To: "A7"}, ""},
	{"(E12 A10)", sexpr.Move{From: "E12", To: "A10"}, ""},
	{"(A1 A1)", sexpr.Move{From: "A1", To: "A1"}, ""},
	{"( E6 E7 )", sexpr.Move{From: "E6", To: "E7"}, "(E6 E7)"},
	{"( E6\r\n E7 )", sexpr.Move{From: "E6", To: "E7"}, "(E6 E7)"},
	{"\t(E6\tE7)\n", sexpr.Move{From: "E6", To: "E7"}, "(E6 E7)"},
	{"(resign)", sexpr.Resign{}, ""},
	{"(\nresign\n)", sexpr.Resign{}, "(resign)"},
	{"()", sexpr.Initial{}, ""},
	{" ( ) ", sexpr.Initial{}, "()"},
	{"((A1 F))", sexpr.Initial{{"A1", 'F'}}, ""},
	{"((A1 F) (A2 L))", sexpr.Initial{{"A1", 'F'}, {"A2", 'L'}}, ""},
	{"((A1 F)(A2 L))", sexpr.Initial{{"A1", 'F'}, {"A2", 'L'}}, "((A1 F) (A2 L))"},
	{"((B1 B) (B1 9) (B1 1))", sexpr.Initial{{"B1", 'B'}, {"B1", '9'}, {"B1", '1'}}, ""},
}

func TestPlayerMessagesAreReadAndPrinted(t *testing.T) {
	for _, c := range playerCases {
		got, err := sexpr.ParsePlayer([]byte(c.text))
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", c.text, diff)
		}
		checkPrint(t, c.text, c.canonical, got)
	}
}

var refereeCases = []struct {
	text      string
	want      sexpr.RefereeMessage
	canonical string
}{
	{"(init 1 time/move 1.0)", sexpr.Init{Which: 1, Seconds: "1.0"}, ""},
	{"(init 2 time/move 007)", sexpr.Init{Which: 2, Seconds: "007"}, ""},
	{"(init\n2\ntime/move\n0.75\n)", sexpr.Init{Which: 2, Seconds: "0.75"}, "(init 2 time/move 0.75)"},
	{"(go 1)", sexpr.Go{Which: 1}, ""},
	{"( go\t2 )", sexpr.Go{Which: 2}, "(go 2)"},
	{"(outcome (A6 A7))", sexpr.Outcome{Move: sexpr.Move{From: "A6", To: "A7"}}, ""},
	{"(outcome < (A6 A7))", sexpr.Outcome{Compare: sexpr.Less, Move: sexpr.Move{From: "A6", To: "A7"}}, ""},
	{"(outcome > (A6 A7))", sexpr.Outcome{Compare: sexpr.Greater, Move: sexpr.Move{From: "A6", To: "A7"}}, ""},
	{"(outcome = (A6 A7))", sexpr.Outcome{Compare: sexpr.Equal, Move: sexpr.Move{From: "A6", To: "A7"}}, ""},
	{"(outcome =(A6 A7) )", sexpr.Outcome{Compare: sexpr.Equal, Move: sexpr.Move{From: "A6", To: "A7"}}, "(outcome = (A6 A7))"},
	{"(illegal (A6 A7))", sexpr.Illegal{Move: sexpr.Move{From: "A6", To: "A7"}}, ""},
	{"(illegal(A6 A7))", sexpr.Illegal{Move: sexpr.Move{From: "A6", To: "A7"}}, "(illegal (A6 A7))"},
	{"(flag 2 D12)", sexpr.Flag{Which: 2, Square: "D12"}, ""},
	{"(end 0)", sexpr.End{Winner: 0}, ""},
	{"(end 1)", sexpr.End{Winner: 1}, ""},
	{"(end 2)\r\n", sexpr.End{Winner: 2}, "(end 2)"},
}

func TestRefereeMessagesAreReadAndPrinted(t *testing.T) {
	for _, c := range refereeCases {
		got, err := sexpr.ParseReferee([]byte(c.text))
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got != c.want {
			t.Errorf("%q: got %#v, want %#v", c.text, got, c.want)
		}
		checkPrint(t, c.text, c.canonical, got)
	}
}

type printer interface {
	String() string
	AppendTo([]byte) []byte
}

func checkPrint(t *testing.T, text, canonical string, message printer) {
	t.Helper()
	if canonical == "" {
		canonical = text
	}
	if got := message.String(); got != canonical {
		t.Errorf("%q: String is %q, want %q", text, got, canonical)
	}
	if got := string(message.AppendTo([]byte("before "))); got != "before "+canonical {
		t.Errorf("%q: AppendTo made %q, want %q after what was there", text, got, canonical)
	}
}

// Every place where the grammar can be left, with the words it gets.
var playerErrors = []struct{ text, want string }{
	{"", `at byte 0: found the end, allowed: "("`},
	{"  \n", `at byte 3: found the end, allowed: "("`},
	{"forfeit", `at byte 0: found "forfeit", allowed: "("`},
	{"A6 A7", `at byte 0: found "A6", allowed: "("`},
	{")", `at byte 0: found ")", allowed: "("`},
	{"(", `at byte 1: found the end, allowed: a square A1 to E12, "resign", "(" or ")"`},
	{"(A13 A1)", `at byte 1: found "A13", allowed: a square A1 to E12, "resign", "(" or ")"`},
	{"(A0 A1)", `at byte 1: found "A0", allowed: a square A1 to E12, "resign", "(" or ")"`},
	{"(A01 A1)", `at byte 1: found "A01", allowed: a square A1 to E12, "resign", "(" or ")"`},
	{"(F1 A1)", `at byte 1: found "F1", allowed: a square A1 to E12, "resign", "(" or ")"`},
	{"(a1 A1)", `at byte 1: found "a1", allowed: a square A1 to E12, "resign", "(" or ")"; squares and pieces have capital letters: A1`},
	{"(Resign)", `at byte 1: found "Resign", allowed: a square A1 to E12, "resign", "(" or ")"`},
	{"(go 1)", `at byte 1: found "go", allowed: a square A1 to E12, "resign", "(" or ")"`},
	{"(\x00)", `at byte 1: found "\x00", allowed: a square A1 to E12, "resign", "(" or ")"`},
	{"(\xff\xfe)", `at byte 1: found "\xff\xfe", allowed: a square A1 to E12, "resign", "(" or ")"`},
	{"(А1 A2)", `at byte 1: found "\u04101", allowed: a square A1 to E12, "resign", "(" or ")"`},
	{"(\u00a0A1 A2)", `at byte 1: found "\u00a0A1", allowed: a square A1 to E12, "resign", "(" or ")"`},
	{"(A6 A13)", `at byte 4: found "A13", allowed: a square A1 to E12`},
	{"(A6A7)", `at byte 1: found "A6A7", allowed: a square A1 to E12, "resign", "(" or ")"`},
	{"(A6)", `at byte 3: found ")", allowed: a square A1 to E12`},
	{"(A6 A7", `at byte 6: found the end, allowed: ")"`},
	{"(A6 A7 A8)", `at byte 7: found "A8", allowed: ")"`},
	{"(A6 A7))", `at byte 7: found ")", allowed: the end`},
	{"(A6 A7) (A6 A7)", `at byte 8: found "(", allowed: the end`},
	{"(resign", `at byte 7: found the end, allowed: ")"`},
	{"()(", `at byte 2: found "(", allowed: the end`},
	{"(()", `at byte 2: found ")", allowed: a square A1 to E12`},
	{"((A1 G))", `at byte 5: found "G", allowed: a piece F, L, B or 1 to 9`},
	{"((A1 0))", `at byte 5: found "0", allowed: a piece F, L, B or 1 to 9`},
	{"((A1 10))", `at byte 5: found "10", allowed: a piece F, L, B or 1 to 9`},
	{"((A1 F", `at byte 6: found the end, allowed: ")"`},
	{"((A1 F)", `at byte 7: found the end, allowed: "(" or ")"`},
	{"((A1 F) A2 L)", `at byte 8: found "A2", allowed: "(" or ")"`},
	{"((A1 F) (A13 L))", `at byte 9: found "A13", allowed: a square A1 to E12`},
	{"((A1 F) (A2 L)))", `at byte 15: found ")", allowed: the end`},
	{"(" + strings.Repeat("x", 50) + ")", `at byte 1: found "` + strings.Repeat("x", 40) + `"…, allowed: a square A1 to E12, "resign", "(" or ")"`},
	{strings.Repeat("\x00", 50), `at byte 0: found "` + strings.Repeat(`\x00`, 40) + `"…, allowed: "("`},
	{strings.Repeat("(", 65), `at byte 64: found "(", allowed: at most 64 open "("`},
	{strings.Repeat("(", 64), `at byte 2: found "(", allowed: a square A1 to E12`},
	{strings.Repeat(" ", 65537), `at byte 65536: found " ", allowed: the end, after at most 65536 bytes`},
}

var refereeErrors = []struct{ text, want string }{
	{"", `at byte 0: found the end, allowed: "("`},
	{"(move)", `at byte 1: found "move", allowed: "init", "go", "outcome", "illegal", "flag" or "end"`},
	{"(A6 A7)", `at byte 1: found "A6", allowed: "init", "go", "outcome", "illegal", "flag" or "end"`},
	{"(init 3 time/move 1.0)", `at byte 6: found "3", allowed: 1 or 2`},
	{"(init 01 time/move 1.0)", `at byte 6: found "01", allowed: 1 or 2`},
	{"(init 1 time / move 1.0)", `at byte 8: found "time", allowed: "time/move"`},
	{"(init 1 time/move)", `at byte 17: found ")", allowed: seconds such as 1 or 1.0`},
	{"(init 1 time/move 1.)", `at byte 18: found "1.", allowed: seconds such as 1 or 1.0`},
	{"(init 1 time/move .5)", `at byte 18: found ".5", allowed: seconds such as 1 or 1.0`},
	{"(init 1 time/move -1)", `at byte 18: found "-1", allowed: seconds such as 1 or 1.0`},
	{"(init 1 time/move 1e3)", `at byte 18: found "1e3", allowed: seconds such as 1 or 1.0`},
	{"(init 1 time/move 1 . 0)", `at byte 20: found ".", allowed: ")"`},
	{"(go 0)", `at byte 4: found "0", allowed: 1 or 2`},
	{"(go 1", `at byte 5: found the end, allowed: ")"`},
	{"(outcome)", `at byte 8: found ")", allowed: "(", "<", ">" or "="`},
	{"(outcome ! (A6 A7))", `at byte 9: found "!", allowed: "(", "<", ">" or "="`},
	{"(outcome> (A6 A7))", `at byte 1: found "outcome>", allowed: "init", "go", "outcome", "illegal", "flag" or "end"`},
	{"(outcome > A6 A7)", `at byte 11: found "A6", allowed: "("`},
	{"(outcome > (A6 A77))", `at byte 15: found "A77", allowed: a square A1 to E12`},
	{"(illegal A6 A7)", `at byte 9: found "A6", allowed: "("`},
	{"(illegal (A6 A7) x)", `at byte 17: found "x", allowed: ")"`},
	{"(flag x)", `at byte 6: found "x", allowed: 1 or 2`},
	{"(flag 1 x)", `at byte 8: found "x", allowed: a square A1 to E12`},
	{"(flag 1 A1", `at byte 10: found the end, allowed: ")"`},
	{"(end 3)", `at byte 5: found "3", allowed: 0, 1 or 2`},
	{"(end 1))", `at byte 7: found ")", allowed: the end`},
	{strings.Repeat("(", 500_000), `at byte 65536: found "` + strings.Repeat("(", 40) + `"…, allowed: the end, after at most 65536 bytes`},
}

func TestErrorsSayWhereWhatAndWhatElse(t *testing.T) {
	for _, c := range playerErrors {
		message, err := sexpr.ParsePlayer([]byte(c.text))
		checkError(t, c.text, c.want, message == nil, err)
	}
	for _, c := range refereeErrors {
		message, err := sexpr.ParseReferee([]byte(c.text))
		checkError(t, c.text, c.want, message == nil, err)
	}
}

func checkError(t *testing.T, text, want string, none bool, err error) {
	t.Helper()
	var syntax *sexpr.SyntaxError
	if !none || !errors.As(err, &syntax) || syntax.Error() != want {
		t.Errorf("%.80q:\n got %v\nwant %s", text, err, want)
	}
}

func TestRandomMessagesSurviveAnySpacing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		player := playerMessages.Draw(t, "player")
		text := loosen(t, player.String())
		if got, err := sexpr.ParsePlayer([]byte(text)); err != nil || !cmp.Equal(got, player) {
			t.Fatalf("%q: got %v, %v, want %v", text, got, err, player)
		}
		referee := refereeMessages.Draw(t, "referee")
		text = loosen(t, referee.String())
		if got, err := sexpr.ParseReferee([]byte(text)); err != nil || got != referee {
			t.Fatalf("%q: got %v, %v, want %v", text, got, err, referee)
		}
	})
}

// One changed, lost or doubled byte is the commonest fault of a program; the
// parsers must agree with the grammar on each.
func TestDamagedMessagesAreJudgedAsTheGrammarDoes(t *testing.T) {
	bytes := rapid.SampledFrom([]byte("() \n\x00A1FLB90.<>=initgoresflagmv/\xff"))
	rapid.Check(t, func(t *rapid.T) {
		text := playerMessages.Draw(t, "player").String()
		if rapid.Bool().Draw(t, "referee's") {
			text = refereeMessages.Draw(t, "referee").String()
		}
		for range rapid.IntRange(1, 3).Draw(t, "damages") {
			from := rapid.IntRange(0, len(text)).Draw(t, "from")
			to := min(len(text), from+rapid.IntRange(0, 2).Draw(t, "lost"))
			text = text[:from] + string(rapid.SliceOfN(bytes, 0, 2).Draw(t, "new")) + text[to:]
		}
		checkPlayer(t, []byte(text))
		checkReferee(t, []byte(text))
	})
}

func TestParsersKeepTheLimitsOfTheFramer(t *testing.T) {
	longest := "(resign)" + strings.Repeat(" ", sexpr.DefaultLimits.Bytes-len("(resign)"))
	if got, err := sexpr.ParsePlayer([]byte(longest)); err != nil || got != (sexpr.Resign{}) {
		t.Errorf("at the limit: %v, %v", got, err)
	}
	if got, err := sexpr.ParsePlayer([]byte(longest + " ")); err == nil {
		t.Errorf("over the limit: %v", got)
	}
	// Many parentheses, but never more than 2 open.
	wide := make(sexpr.Initial, 1000)
	for i := range wide {
		wide[i] = sexpr.Placement{Square: "A1", Piece: 'F'}
	}
	if got, err := sexpr.ParsePlayer(wide.AppendTo(nil)); err != nil || !cmp.Equal(got, sexpr.PlayerMessage(wide)) {
		t.Errorf("1,000 placements: %v", err)
	}
}

func TestParsersServeManyGoroutines(t *testing.T) {
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for _, c := range playerCases {
				if got, err := sexpr.ParsePlayer([]byte(c.text)); err != nil || !cmp.Equal(c.want, got) {
					t.Errorf("%q: got %v, %v", c.text, got, err)
				}
			}
			for _, c := range refereeCases {
				if got, err := sexpr.ParseReferee([]byte(c.text)); err != nil || got != c.want {
					t.Errorf("%q: got %v, %v", c.text, got, err)
				}
			}
		})
	}
	all.Wait()
}
