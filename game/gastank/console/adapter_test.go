package console

import (
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/gastank"
)

func TestBuiltInAdapters(t *testing.T) {
	if files, err := adapterFiles.ReadDir("adapters"); err != nil || len(files) != len(names) || names[0] != "default" {
		t.Errorf("the names %v are not those of %v, %v", names, files, err)
	}
	protocol := Protocol{}
	for _, name := range protocol.Adapters() {
		p, err := protocol.Adapter(name)
		if err != nil {
			t.Fatal(err)
		}
		if pty := p.Terminal(); pty != (name == "pickup") {
			t.Errorf("%s: terminal %v", name, pty)
		}
		if a := p.(Protocol).adapter; a.about == "" || a.silence != 50*time.Millisecond {
			t.Errorf("%s is about %q and waits %v", name, a.about, a.silence)
		}
	}
	if _, err := protocol.Adapter("sedan"); err == nil || !strings.Contains(err.Error(), "allowed are default, convertible, hatchback, pickup, or a TOML file") {
		t.Errorf("an unknown adapter: %v", err)
	}
}

// TestExampleExplainsEveryKey: the example has each key, so that its comments can explain it, and reads.
func TestExampleExplainsEveryKey(t *testing.T) {
	example, err := builtInText("hatchback")
	if err != nil {
		t.Fatal(err)
	}
	text := string(example)
	for _, key := range []string{
		"about", "like", "pty", "silence", "newline", "[[question]]", "match", "answer", "first", "second", "[prompt]", "[type]", "format",
		"case", "mirrored", "echo", "[move]", "which", "[board]", "row", "cell", "computer", "[refusal]", "[end]",
	} {
		if !strings.Contains("\n"+text, "\n"+key) {
			t.Errorf("%s is missing", key)
		}
	}
	if _, err := (Protocol{}).ReadAdapter([]byte(text)); err != nil {
		t.Error(err)
	}
}

// TestLike: a file that is like a built-in adapter has its keys, but for those that stand in it.
func TestLike(t *testing.T) {
	base, err := BuiltIn("default")
	if err != nil {
		t.Fatal(err)
	}
	a, err := ReadAdapter([]byte("pty = true\nlike = 'default'\n[prompt]\nmatch = ['go']\n[[question]]\nmatch = 'who'\nanswer = 'me'\n"))
	if err != nil {
		t.Fatal(err)
	}
	if !a.pty || len(a.prompt) != 1 || a.prompt[0].String() != `(?:go)\s*\z` || len(a.questions) != 1 || a.questions[0].first != "me" {
		t.Errorf("its own keys: %v, prompts %v, questions %v", a.pty, a.prompt, a.questions)
	}
	if len(a.moves) != len(base.moves) || len(a.refusals) != len(base.refusals) || a.which != base.which || (a.board == nil) != (base.board == nil) {
		t.Errorf("the keys of default: moves %v, refusals %v", a.moves, a.refusals)
	}
}

const minimal = "[move]\nmatch = ['(.. ..)']\n"

func TestReadAdapterRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                                 "nothing says how the program's moves are found",
		minimal + "wich = 'last'":                          "line 3, column 1: unknown key move.wich",
		"color = 1\n" + minimal:                            "line 1, column 1: unknown key color",
		"like = 'sedan'\n":                                 `like = "sedan": allowed are default, convertible, hatchback, pickup`,
		"like = 'default'\nwich = 1":                       "line 2, column 1: unknown key wich",
		"pty = 1\n" + minimal:                              "line 1, column ",
		"about = \"x\n" + minimal:                          "line 1, column ",
		"pty = true\npty = true":                           "line 2, column 1",
		"silence = '1h'\n" + minimal:                       `silence = "1h": allowed are durations from 1ms to 2s`,
		"silence = 'soon'\n" + minimal:                     "allowed are durations",
		"newline = 'x'\n" + minimal:                        `newline = "x": allowed are`,
		minimal + "which = 'best'":                         `move.which = "best": allowed are last, first and legal`,
		"[move]\nmatch = ['a(']":                           "move.match[0]: error parsing regexp",
		"[move]\nmatch = ['']":                             "move.match[0]: is missing or empty",
		"[move]\nmatch = ['a)|(?:b']":                      "move.match[0]: error parsing regexp",
		"[move]\nmatch = ['x', '..']":                      "expected the groups",
		"[move]\nmatch = ['(?P<from>.)']":                  "expected the groups",
		minimal + "[type]\ncase = 'small'":                 `type.case = "small": allowed are upper, lower and example`,
		minimal + "[type]\nformat = '{from}'":              "expected {from} and {to} once each",
		minimal + "[[question]]\nmatch = 'x'":              "question[0]: expected either answer, or first and second",
		minimal + "[[question]]\nmatch = 'x'\nfirst = '1'": "question[0]: expected either",
		minimal + "[[question]]\nmatch = 'x'\nanswer = '1'\nfirst = '1'": "question[0]: expected either",
		minimal + "[[question]]\nanswer = '1'":                           "question[0].match: is missing",
		minimal + "[[question]]\nmatch = 'x'\nanswer = \"1\\n2\"":        "allowed is one line",
		"[board]\nrow = 'x'":                                     "expected the group (?P<cells>",
		"[board]\nrow = '(?P<cells>.*)'\ncell = '['":             "board.cell: error parsing regexp",
		"[board]\nrow = '(?P<cells>.*)'\ncomputer = 'red'":       "allowed are capitals and small",
		"[move]\nmatch = ['" + strings.Repeat("x", 1001) + "']":  "has 1001 bytes, allowed are 1000",
		"[move]\nmatch = [" + strings.Repeat("'(x)',", 65) + "]": "has 65 patterns, allowed are 64",
		strings.Repeat("#\n", 40000):                             "has 80000 bytes, allowed are 65536",
		"[move]\nmatch = ['((x{1000}){1000})']":                  "error parsing regexp",
	} {
		_, err := ReadAdapter([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: error %v, want one with %s", text, err, want)
		}
	}
}

// runWith plays a conversation with an adapter of its own.
func runWith(t *testing.T, adapter, text string) {
	t.Helper()
	a, err := ReadAdapter([]byte(adapter))
	if err != nil {
		t.Fatal(err)
	}
	(&script{t: t, adapter: a}).run(text)
}

// TestAdapterKeys shows what each key does that the built-in adapters leave at its default.
func TestAdapterKeys(t *testing.T) {
	t.Run("mirrored moves, typed and printed", func(t *testing.T) {
		runWith(t, "newline = \"\\r\"\n[prompt]\nmatch = ['>']\n[type]\nmirrored = true\ncase = 'lower'\nformat = '{from}-{to} go'\n[move]\nmatch = ['(\\w\\w-\\w\\w)']\nmirrored = true", `
			side 2
			human E1E2
			turn
			out ">"
			type "e7-e6 go\r"
			out "D1-C3 >"
			answer D7C5`)
	})
	t.Run("the echo is taken away", func(t *testing.T) {
		const text = "[prompt]\nmatch = ['move: \\w*']\n[move]\nmatch = ['= (....)']\n[type]\necho = "
		conversation := `
			side 2
			human E1E2
			turn
			out "move: "
			type "E1E2\n"
			out "E1E2\r\n"
			nothing
			out "= D7C5 move: "
			answer D7C5`
		runWith(t, text+"true", conversation)
		runWith(t, strings.Replace(text, `move: \\w*`, "move: ", 1)+"false", conversation)
	})
	t.Run("an echo that looks like a question", func(t *testing.T) {
		runWith(t, "[[question]]\nmatch = '(?:^|\\n)E1E2'\nanswer = 'no'\n[prompt]\nmatch = ['>']\n[move]\nmatch = ['= (....)']\n[type]\necho = true", `
			side 2
			human E1E2
			turn
			out ">"
			type "E1E2\n"
			out "E1E2\n"
			nothing`)
	})
	t.Run("the first of several moves", func(t *testing.T) {
		runWith(t, "[prompt]\nmatch = ['>']\n[move]\nmatch = ['(....)!']\nwhich = 'first'", `
			side 2
			human E1E2
			turn
			out ">"
			type "E1E2\n"
			out "D7C5! or D7E5! >"
			answer D7C5`)
	})
	t.Run("without a prompt silence after a move asks", func(t *testing.T) {
		runWith(t, minimal, `
			side 2
			human E1E2
			turn
			nothing
			out "ready\n"
			type "E1E2\n"
			nothing
			out "D7 C5\n"
			answer D7C5
			human E2E3
			turn
			type "E2E3\n"`)
	})
	t.Run("a board without labels, of small letters, drawn from the program's side", func(t *testing.T) {
		runWith(t, "[prompt]\nmatch = ['>']\n[board]\nrow = '^(?P<cells>[-\\w]{8})$'\ncell = '[-\\w]'\ncomputer = 'small'\nmirrored = true", `
			side 2
			human E1E2
			turn
			out ">"
			type "E1E2\n"
			out "--BQ-B--\n---NKN--\n--------\n--------\n--q-----\n---n-n--\n--b-kb--\n>"
			answer D7C5`)
	})
	t.Run("the first program sees its own board from above", func(t *testing.T) {
		runWith(t, "[prompt]\nmatch = ['>']\n[board]\nrow = '^(?P<rank>\\d) (?P<cells>[-\\w]{8})$'\ncell = '[-\\w]'", `
			side 1
			turn
			out "1 --bqkb--\n2 ---n-n--\n3 --------\n4 --------\n5 --Q-----\n6 ---N-N--\n7 --B-KB--\n>"
			answer D1C3`)
	})
}

func FuzzReadAdapter(f *testing.F) {
	for _, name := range names {
		text, err := adapterFiles.ReadFile("adapters/" + name + ".toml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(minimal))
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := ReadAdapter(text)
		if err != nil {
			return
		}
		if a.silence < time.Millisecond || len(a.moves) == 0 && a.board == nil || len(a.typed(game.Move{}, nil)) > 2*maxTyped {
			t.Errorf("accepted: %q", text)
		}
		Trial([]byte("D7C5\n1 -- --\nfirst or second? "), a)
	})
}

func TestTrial(t *testing.T) {
	output := "Do you want to go first? (y/n) y\n" +
		"\x1b[1m" + gastank.Draw(gastank.Start(), game.First, [2]string{"human", "computer"}, game.DrawStyle{}) + "\x1b[0m" +
		"Illegal move, try again\nEnter your move: a1\nMOVE from D7 to C5\nI win!\n"
	var got []string
	for _, found := range Trial([]byte(output), builtIn[0]()) {
		got = append(got, found.String())
	}
	want := []string{
		`line 1: escape codes "": 2 taken out`,
		`line 1: question "first? (y/n) y": types "y" if the other program moves first, "n" if it moves second`,
		`line 8: board "": -- -- B3 Q3 K3 B3 -- --/`,
		`line 11: refusal "Illegal": after a legal move`,
		`line 11: refusal "try again": after a legal move`,
		`line 12: prompt "Enter your move: a1": the opponent's move is typed, such as "D2E4"`,
		`line 13: move "MOVE from D7 to C5": the program, playing down, moves D7C5`,
		`line 14: end "I win": counts for nothing unless the game is over`,
	}
	if len(got) != len(want) {
		t.Fatalf("got\n%s", strings.Join(got, "\n"))
	}
	for i := range got {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("got %s, want %s", got[i], want[i])
		}
	}
	if again := (Protocol{}).Recognised([]byte(output)); len(again) != len(want) {
		t.Errorf("the protocol's trial has %d findings", len(again))
	}
}
