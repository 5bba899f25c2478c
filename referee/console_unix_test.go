//go:build unix

package referee_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/referee"
)

// talker is a script that believes in a person: it asks, and says what it leaves.
const talker = `
banner="Welcome to the toy."
echo "$banner"
while :; do
	printf 'number? '
	read pile || exit 0
	echo "thinking about $pile"
	echo "I leave $((pile - 1))"
done`

// TestConsole: programs that take the referee for a person, honest and otherwise.
func TestConsole(t *testing.T) {
	t.Parallel()
	once := func(body string) string { return `printf 'number? '; read pile; ` + body }
	for name, c := range map[string]struct {
		script string
		want   expect
		limits game.Limits
	}{
		"honest":                   {talker, expect{referee.Won, "2", "the last stone"}, ample},
		"no newline at the end":    {`while :; do printf 'number? '; read pile || exit; printf "I leave $((pile - 1))"; sleep 0.1; echo; done`, expect{referee.Won, "2", ""}, ample},
		"prompt in two parts":      {`while :; do printf 'num'; sleep 0.03; printf 'ber? '; read pile || exit; echo "I leave $((pile - 1))"; done`, expect{referee.Won, "2", ""}, ample},
		"partial prompt, long":     {`while :; do printf 'num'; sleep 0.2; printf 'ber? '; read pile || exit; echo "I leave $((pile - 1))"; done`, expect{referee.Won, "2", ""}, ample},
		"loses what came too soon": {`while :; do sleep 0.1; printf 'number? '; read -r pile || exit; echo "I leave $((pile - 1))"; done`, expect{referee.Won, "2", ""}, ample},
		"leaves a child":           {`sleep 100 & echo $! >>"$PIDS"; ` + talker, expect{referee.Won, "2", ""}, ample},
		"moves and exits":          {once(`echo "I leave $((pile - 1))"; exit 0`), expect{referee.Crashed, "2", "exited with code 0"}, ample},
		"illegal":                  {once(`echo "I leave 1"; sleep 100`), expect{referee.IllegalMove, "2", "one or two are taken"}, ample},
		"asks twice":               {once(`printf 'number? '; sleep 100`), expect{referee.Unreadable, "2", "it asks again"}, ample},
		"never asks":               {`exec sleep 100`, expect{referee.TimedOut, "2", "; it has written nothing"}, brief},
		"asks another question":    {`printf 'name? '; exec sleep 100`, expect{referee.TimedOut, "2", "nothing that it wrote was recognised as a question"}, brief},
		"part of a prompt":         {`printf 'numb'; exec sleep 100`, expect{referee.TimedOut, "2", "the last 4 bytes are not understood"}, brief},
		"asked, never answers":     {once(`exec sleep 100`), expect{referee.TimedOut, "2", "did not show a move within 150ms"}, brief},
		"babbles":                  {`while :; do echo "thinking"; sleep 0.01; done`, expect{referee.TimedOut, "2", "bytes are not understood"}, brief},
		"moves before it is asked": {`echo "I leave 5"; exec sleep 100`, expect{referee.TimedOut, "2", ""}, brief},
		"floods":                   {`yes "I think"`, expect{referee.Flooded, "2", "262144 bytes"}, ample},
		"floods when asked":        {once(`yes`), expect{referee.Flooded, "2", ""}, ample},
		"dies silently":            {`exit 4`, expect{referee.Crashed, "2", "exited with code 4"}, ample},
		"dies when asked":          {once(`kill -SEGV $$`), expect{referee.Crashed, "2", "signal 11"}, ample},
		"closes its output":        {once(`exec >&- 2>&-; exec sleep 100`), expect{referee.Closed, "2", ""}, ample},
	} {
		for _, terminal := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, terminal %v", name, terminal), func(t *testing.T) {
				t.Parallel()
				c := c
				switch {
				case terminal && name == "closes its output":
					c.script = once(`exec <&- >&- 2>&-; exec sleep 100`) // input is the same terminal
				case c.want.code == referee.TimedOut && strings.Contains(name, "asked,"):
					c.limits.Move = time.Second // to be asked at all takes a moment
					c.want.reason = "did not show a move within 1s"
				}
				e, _, _ := toyGame{protocol: toyConsole{terminal: terminal}, scripts: [2]string{c.script, talker}, limits: c.limits}.play(t)
				c.want.check(t, e)
			})
		}
	}
}

// TestTerminalOnly: a program that shows nothing on a pipe is played on a terminal.
func TestTerminalOnly(t *testing.T) {
	t.Parallel()
	script := `test -t 0 && test -t 1 || exec sleep 100; ` + talker
	e, _, text := toyGame{protocol: toyConsole{terminal: true}, scripts: [2]string{script, script}}.play(t)
	expect{referee.Won, "2", ""}.check(t, e)
	if strings.Contains(text, `\r`) {
		t.Error("what was typed is echoed, or line ends are changed")
	}
	e, _, _ = toyGame{protocol: toyConsole{}, scripts: [2]string{script, script}, limits: brief}.play(t)
	expect{referee.TimedOut, "2", ""}.check(t, e)
}

// TestTalkOnRecord: what was typed, and when it was right to type, is judged again.
func TestTalkOnRecord(t *testing.T) {
	t.Parallel()
	_, _, text := toyGame{protocol: toyConsole{}, scripts: [2]string{talker, talker}}.play(t)
	for name, c := range map[string]struct{ from, to, want string }{
		"typed":    {`"text":"6\n"`, `"text":"7\n"`, `was sent "7\n"; by the rules it is "6\n"`},
		"too soon": {`"heard":"pause"`, `"heard":"cut"`, "for which there is no reason"},
		"answer":   {`I leave 5`, `I leave 4`, "another move"},
	} {
		replay, err := judgeText(0, strings.Replace(text, c.from, c.to, 1))
		if err != nil || !strings.Contains(strings.Join(replay.Disagreements, "\n"), c.want) {
			t.Errorf("%s: %v, %q; want %q\n%s", name, err, replay.Disagreements, c.want, text)
		}
	}
}

// TestAdapterOnRecord: a record is judged by the adapter that it holds.
func TestAdapterOnRecord(t *testing.T) {
	t.Parallel()
	script := strings.Replace(talker, "number? ", "stones> ", 1)
	adapter := &referee.Adapter{Name: "stones.toml", Text: `prompt = "stones> "`}
	adapted, err := adapter.Adapt(toyConsole{})
	if err != nil {
		t.Fatal(err)
	}
	e, replay, text := toyGame{protocol: adapted, adapter: adapter, scripts: [2]string{script, script}}.play(t)
	expect{referee.Won, "2", ""}.check(t, e)
	if p := replay.Header.Players[0]; p.Adapter == nil || *p.Adapter != *adapter || p.Protocol != "talk" {
		t.Errorf("%+v", p)
	}
	broken, err := judgeText(0, strings.Replace(text, `prompt = `, `promt = `, 1))
	if err != nil || !strings.Contains(broken.Disagreements[0], "player 1: stones.toml: line 1") {
		t.Errorf("%v, %q", err, broken.Disagreements)
	}
}
