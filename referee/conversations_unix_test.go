//go:build unix

package referee_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

// toyGame is a game of the toy between two shell scripts. Each script writes the process ids of all that
// it starts to $PIDS, and none of them may be left when the game is over. The record of the game must
// agree with the rules.
type toyGame struct {
	protocol game.Protocol
	adapter  *referee.Adapter
	scripts  [2]string
	pile     int // zero: the usual
	limits   game.Limits
	seed     uint64
	watch    func(stop context.CancelFunc) referee.Observer // may be nil
}

// The limits of the games below: such as no honest script exceeds on a busy machine, and such as a
// test can wait for.
var (
	ample = game.Limits{Move: time.Minute, Start: time.Minute, Grace: 500 * time.Millisecond}
	brief = game.Limits{Move: 150 * time.Millisecond, Start: 150 * time.Millisecond, Grace: 100 * time.Millisecond}
	// For a program that has something to do before its time is over, on a busy machine, too.
	longer = game.Limits{Move: time.Second, Start: time.Second, Grace: time.Second}
)

func (g toyGame) play(t *testing.T) (*referee.Ending, *record.Replay, string) {
	t.Helper()
	pids := filepath.Join(t.TempDir(), "pids")
	if g.limits == (game.Limits{}) {
		g.limits = ample
	}
	s := &referee.Match{Conditions: referee.Conditions{Game: toy{g.pile}, Limits: g.limits}, Games: 1, Seed: g.seed}
	folder, err := record.NewFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s.Record = folder.Begin
	for i, script := range g.scripts {
		s.Entrants[i] = referee.Entrant{
			Name: fmt.Sprintf("script %d", i+1), Protocol: g.protocol, Adapter: g.adapter,
			Command: process.Command{
				Args: []string{"/bin/sh", "-c", `echo $$ >>"$PIDS"; ` + script, "sh"},
				Env:  []string{"PIDS=" + pids},
			},
		}
	}
	var result referee.Result
	s.Ended = func(r referee.Result, _ referee.Score) { result = r }
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	if g.watch != nil {
		s.Watch = func(*referee.Game) referee.Observer { return g.watch(stop) }
	}
	if _, err := s.Run(ctx); err != nil && result.Ending == nil {
		t.Fatal(err)
	}
	all, _ := os.ReadFile(pids)
	for word := range strings.FieldsSeq(string(all)) {
		if pid, err := strconv.Atoi(word); err != nil || syscall.Kill(pid, 0) == nil {
			t.Errorf("process %s is left (%v)", word, err)
		}
	}
	text, err := os.ReadFile(result.Record)
	if err != nil {
		t.Fatal(err)
	}
	replay, err := judgeText(g.pile, string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range replay.Disagreements {
		t.Errorf("the record: %s\n%s", d, text)
	}
	return result.Ending, replay, string(text)
}

// TestAny: the referee draws a move by the seed where a program leaves it the choice; the record says
// so, and is judged by the same seed.
func TestAny(t *testing.T) {
	t.Parallel()
	const random = `while read pile; do echo "any as you like"; done`
	var games []string
	for _, seed := range []uint64{1, 1, 2} {
		e, replay, text := toyGame{protocol: toyLines{}, scripts: [2]string{random, random}, pile: 40, seed: seed}.play(t)
		if e.Code != referee.Won {
			t.Fatalf("%+v", e)
		}
		var moves []string
		for _, line := range replay.Moves {
			if !line.Drawn || line.Comment != "as you like" {
				t.Errorf("%+v", line)
			}
			moves = append(moves, line.Move)
		}
		games = append(games, strings.Join(moves, ", "))
		undrawn, err := judgeText(40, strings.Replace(text, `"drawn":true,`, "", 1))
		if err != nil || !strings.Contains(strings.Join(undrawn.Disagreements, "\n"), "that the referee drew the move of player 1 is true") {
			t.Errorf("%v, %q", err, undrawn.Disagreements)
		}
		other, err := judgeText(40, strings.Replace(text, fmt.Sprintf(`"seed":%d,`, seed), `"seed":99,`, 1))
		if err != nil || !strings.Contains(strings.Join(other.Disagreements, "\n"), "by the seed the referee drew another move") {
			t.Errorf("%v, %q", err, other.Disagreements)
		}
		comment, err := judgeText(40, strings.Replace(text, `"comment":"as you like"`, `"comment":"as I like"`, 1))
		if err != nil || !strings.Contains(strings.Join(comment.Disagreements, "\n"), `had added the comment "as you like"`) {
			t.Errorf("%v, %q", err, comment.Disagreements)
		}
	}
	if games[0] != games[1] || games[0] == games[2] {
		t.Errorf("%q", games)
	}
}

// TestSpoiltRecords: a record whose lines were swapped, lost, doubled or changed is judged or refused,
// whatever the conversation; and a move that was changed alone is always found.
func TestSpoiltRecords(t *testing.T) {
	t.Parallel()
	const simple = `read pile; echo $((pile - 1))`
	r := rand.New(rand.NewPCG(1, 2))
	for _, g := range []toyGame{
		{protocol: toyLines{}, scripts: [2]string{`while read pile; do echo any; done`, `while read pile; do echo any; done`}},
		{protocol: toyOneShot{}, scripts: [2]string{simple, simple}},
		{protocol: toyConsole{}, scripts: [2]string{talker, talker}},
	} {
		_, _, text := g.play(t)
		whole := strings.SplitAfter(text, "\n")
		for range 1000 {
			lines := slices.Clone(whole)
			for range 1 + r.IntN(3) {
				i, other := 1+r.IntN(len(lines)-1), 1+r.IntN(len(lines)-1)
				switch r.IntN(5) {
				case 0:
					lines[i], lines[other] = lines[other], lines[i]
				case 1:
					lines[i] = ""
				case 2:
					lines[i] += lines[other]
				case 3:
					lines[i] = strings.NewReplacer(`"side":1`, `"side":2`, `"side":2`, `"side":1`).Replace(lines[i])
				case 4:
					lines[i] = strings.NewReplacer(`"pause"`, `"last"`, `"received"`, `"sent"`, `"drawn":true`, `"drawn":false`).Replace(lines[i])
				}
			}
			judgeText(0, strings.Join(lines, ""))
		}
		changed := strings.Replace(text, `"move":"6 5"`, `"move":"6 4"`, 1)
		if changed == text {
			changed = strings.Replace(text, `"move":"6 4"`, `"move":"6 5"`, 1)
		}
		if replay, err := judgeText(0, changed); err != nil || len(replay.Disagreements) == 0 {
			t.Errorf("%s: a changed move was not found: %v", g.protocol.Name(), err)
		}
	}
}

// TestConversationsAreInterrupted: what ends a match ends it in the middle of a question.
func TestConversationsAreInterrupted(t *testing.T) {
	t.Parallel()
	for _, p := range []game.Protocol{toyLines{}, toyOneShot{}, toyConsole{}, toyConsole{terminal: true}} {
		ctx, stop := context.WithCancel(t.Context())
		seat, err := referee.NewSeat(ctx, referee.Entrant{Command: process.Command{Args: []string{"/bin/sh", "-c", "exec sleep 100"}}, Protocol: p}, game.First, ample, nil)
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(50*time.Millisecond, stop)
		start := time.Now()
		_, foul := seat.Ask(ctx, referee.Question{View: toyPosition{left: 6}.View(game.First), Start: start, Deadline: start.Add(time.Minute)})
		if foul == nil || foul.Code != referee.Void || !strings.Contains(foul.Text, "interrupted") || time.Since(start) > 20*time.Second {
			t.Errorf("%s: %+v after %v", p.Name(), foul, time.Since(start))
		}
		if r := seat.Close(0); r.Err != nil {
			t.Error(r.Err)
		}
	}
}

// breaker breaks a game off after its first move.
type breaker struct {
	referee.NoObserver
	stop context.CancelFunc
}

func (b breaker) Moved(game.Position, game.Position, referee.Played) { b.stop() }

// TestStoppedTogether: a program that dies of the signal by which everything is stopped has not lost, even
// if its death is noticed before the signal; one that dies of it alone has.
func TestStoppedTogether(t *testing.T) {
	t.Parallel()
	const dies = `read pile; kill -TERM $$; sleep 100`
	for name, p := range map[string]game.Protocol{"lines": toyLines{}, "anew": toyOneShot{}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := toyGame{protocol: p, scripts: [2]string{dies, dies}}
			e, _, _ := g.play(t)
			expect{referee.Crashed, "2", "was killed by signal 15"}.check(t, e)
			for _, after := range []time.Duration{30 * time.Millisecond, 150 * time.Millisecond} {
				g.watch = func(stop context.CancelFunc) referee.Observer { return late{breaker{stop: stop}, after} }
				e, _, _ = g.play(t)
				expect{referee.Void, "0", "interrupted"}.check(t, e)
			}
		})
	}
}

// late breaks a game off soon after a question was sent.
type late struct {
	breaker
	after time.Duration
}

func (l late) Message(m referee.Message) {
	if m.Sent {
		time.AfterFunc(l.after, l.stop)
	}
}

// TestBrokenOff: a game that is broken off between two moves goes no further, and its record agrees
// with the rules in every conversation.
func TestBrokenOff(t *testing.T) {
	t.Parallel()
	for name, g := range map[string]toyGame{
		"lines":    {protocol: toyLines{}, scripts: [2]string{`while read pile; do echo any; done`, `while read pile; do echo any; done`}},
		"anew":     {protocol: toyOneShot{}, scripts: [2]string{`read pile; echo $((pile - 1))`, `read pile; echo $((pile - 1))`}},
		"talk":     {protocol: toyConsole{}, scripts: [2]string{talker, talker}},
		"terminal": {protocol: toyConsole{terminal: true}, scripts: [2]string{talker, talker}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g.watch = func(stop context.CancelFunc) referee.Observer { return breaker{stop: stop} }
			e, replay, _ := g.play(t)
			if e.Code != referee.Void || e.Plies != 1 || len(replay.Moves) != 1 {
				t.Errorf("%+v, %d moves on record", e, len(replay.Moves))
			}
		})
	}
}
