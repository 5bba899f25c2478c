package check

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
)

// refereeSubject is a referee by its command line.
func refereeSubject(t *testing.T, gameName, dialect string, words ...string) Subject {
	t.Helper()
	s := subject(t, gameName, dialect, "none")
	l := s.Game.Limits()
	l.SetUp, l.First, l.Move = 2*time.Second, 0, 500*time.Millisecond
	s.Program.Command.Args, s.Limits = words, l
	return s
}

// TestOwnReferee guards that luzhanqi match passes in all dialects: both roles are spoken by probes.
func TestOwnReferee(t *testing.T) {
	seen := map[game.Kind]bool{}
	for _, g := range games.All {
		for i, p := range g.Protocols() {
			whole := nightly() || !seen[p.Kind()] // one of each kind in every run
			seen[p.Kind()] = true
			t.Run(g.Name()+"/"+p.Name(), func(t *testing.T) {
				t.Parallel()
				// Grace and start are generous, since only a program that is told to be silent may lose on time;
				// limits stay short, since some are.
				s := refereeSubject(t, g.Name(), p.Name(), luzhanqiCommand, "match", "--quiet", "--sandbox", "off", "--game", g.Name(), "--seed", "5",
					"--dialect-1", p.Name(), "--dialect-2", p.Name(), "--time", "500ms", "--grace", "1s", "{1}", "{2}")
				if g.HasSetUp() {
					s.Program.Command.Args = append(s.Program.Command.Args, "--setup-time", "2s")
				}
				s.Limits.Grace = time.Second
				if p.Kind() != game.Dialogue && !nightly() { // a process or a silence for each ply
					s.Program.Command.Args, s.Limits.MaxPlies = append(s.Program.Command.Args, "--max-plies", "20"), 20
				}
				o := Options{Seed: 3}
				if !whole {
					o.Only = []string{"same-moves", "announces-result", "crash", offences[i].name}
				}
				r, err := RunReferee(context.Background(), s, o)
				if err != nil || r.Failed > 0 || r.Passed == 0 {
					t.Errorf("%v\n%s", err, printed(&r))
				}
			})
		}
	}
}

// TestOffenceInShortGame guards that a referee is not accused when the rules end a game before the offence.
func TestOffenceInShortGame(t *testing.T) {
	subject := refereeSubject(t, "chess1d", "oneshot", luzhanqiCommand, "match", "--quiet", "--sandbox", "off", "--game", "chess1d", "--seed", "5",
		"--dialect-1", "oneshot", "--dialect-2", "oneshot", "--time", "500ms", "--setup-time", "2s", "--grace", "1s", "{1}", "{2}")
	subject.Limits.Grace = time.Second
	s := &refereeSession{ctx: t.Context(), subject: subject, options: Options{Seed: 24}, dir: t.TempDir(), played: map[string]*refereeGame{}, whole: boundWhole}
	var r Report
	if err := r.run(t.Context(), s.steps(), Options{Only: []string{"crash"}}); err != nil || r.Passed != 1 {
		t.Errorf("%v\n%s", err, printed(&r))
	}
	if s.played["crash-2"] == nil {
		t.Error("no game ended before the offence: another seed is needed here")
	}
}

// TestWrongReferees guards that what referees do wrong is found.
func TestWrongReferees(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the referees are shell scripts")
	}
	// asks greets both with a set-up question and ends.
	const asks = `printf '(init 1 time/move 1.0)\n(end 1)\n' | "$0" >/dev/null; printf '(init 2 time/move 1.0)\n(end 1)\n' | "$1" >/dev/null`
	for _, c := range []struct{ script, step, words string }{ // they leave programs time to start on a busy machine
		{`exit 3`, "starts-both", "ended with exit status 3"},
		{`"$0" </dev/null >/dev/null`, "starts-both", "the program in place of {2} was not"},
		{`"$0" </dev/null >/dev/null; "$1" </dev/null >/dev/null`, "asks-setups", "player 1 was asked 0 times"},
		{`echo hello | "$0" >/dev/null; "$1" </dev/null >/dev/null`, "readable", `found "h"`},
		{asks, "turn-order", "nobody was"},
		{`(sleep 60 | "$0" >/dev/null) & (sleep 60 | "$1" >/dev/null) & sleep 6`, "no-leftovers", "2 programs still ran"},
		{`"$0" </dev/null >/dev/null; "$1" </dev/null >/dev/null; sleep 60`, "ends", "still ran and was killed"},
		{`printf '(init 2 time/move 1.0)\n(go 2)\n(end 1)\n' | "$0" >/dev/null; "$1" </dev/null >/dev/null`, "tells-sides", "it was told that it is player 2"},
		{
			`printf '(init 1 time/move 1.0)\n(go 1)\n' | "$0" >/dev/null; ` +
				`printf '(init 2 time/move 1.0)\n(go 1)\n(outcome (A10 A9))\n(go 2)\n(end 1)\n' | "$1" >/dev/null`, "same-moves", "before move 2 player 2 knew",
		},
	} {
		t.Run(c.step, func(t *testing.T) {
			t.Parallel()
			bound := 20 * time.Second
			if c.step == "ends" { // it is waited for in vain
				bound = 4 * time.Second
			}
			subject := refereeSubject(t, "luzhanqi", "5500", "/bin/sh", "-c", c.script, "{1}", "{2}")
			s := &refereeSession{ctx: t.Context(), subject: subject, options: Options{Seed: 1}, dir: t.TempDir(), played: map[string]*refereeGame{}, whole: bound}
			var r Report
			if err := r.run(t.Context(), s.steps(), Options{Only: []string{c.step}}); err != nil {
				t.Fatal(err)
			}
			f := r.Steps[0]
			if f.Verdict != Fail || !strings.Contains(f.Failure.Happened+f.Failure.Exit, c.words) {
				t.Errorf("want %q:\n%s", c.words, printed(&r))
			}
		})
	}
}

func TestRefereeOptionsAreRefused(t *testing.T) {
	s := refereeSubject(t, "luzhanqi", "", "referee", "{1}")
	if _, err := RunReferee(context.Background(), s, Options{}); !errors.Is(err, ErrSubject) || !strings.Contains(err.Error(), "has no {2}") {
		t.Errorf("found %v", err)
	}
}

// TestSideOf guards that a probe knows its side in dialects that say it in arguments only.
func TestSideOf(t *testing.T) {
	p := subject(t, "luzhanqi", "4500", "none").Program.Protocol
	l := game.Limits{Move: time.Second}
	for text, want := range map[string]game.Side{"--go 1 --time/move 250ms": game.First, "--go 2 --time/move 2.0s": game.Second} {
		if side, err := sideOf(p, l, strings.Fields(text)); err != nil || side != want {
			t.Errorf("%s: side %v, %v", text, side, err)
		}
	}
	for _, text := range []string{"", "--go 3 --time/move 1s", "--go 1"} {
		if _, err := sideOf(p, l, strings.Fields(text)); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
