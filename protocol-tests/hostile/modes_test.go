package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTable guards the names and arguments that other tests write down.
func TestTable(t *testing.T) {
	const wanted = `silent dribble slow-whole babble babble-paren babble-space flood-stdout flood-stderr flood-stderr-plays deaf
deaf-plays close-stdin close-stdout close-both close-stdout-and-spin crash segv abort kill9 exit0 exit3 crash-mid-answer ignore-term
spin-eof linger stopped orphan orphan-exit orphan-tree respawn kill-supervisor early early-many two-answers trailing-garbage
leading-garbage big-setup deep deep-closed nul bad-utf8 high-bytes setup-empty setup-missing-piece setup-duplicate-square
setup-too-many setup-in-camp setup-enemy-half setup-flag-not-in-hq setup-mine-row3 setup-bomb-row6 setup-two-flags
setup-unknown-piece setup-unknown-square setup-a-move setup-resign setup-lowercase setup-atom move-from-empty move-enemy-piece
move-own-square move-too-far move-mine move-flag move-hq move-into-occupied-camp move-corner move-through move-mountain move-same
move-off-board move-three-squares move-setup-again move-list move-lowercase move-atom move-string move-empty habit-no-newline
habit-newline-inside habit-many-lines habit-blanks habit-crlf habit-after-end habit-slow-start habit-tabs habit-split-writes late busy compute ponder
ponder-storm take-threads take-nice take-idle take-bound take-children take-sleep-nice take-sleep-idle take-sleep-crowd
resign resign-instead-of-setup script instant honest babble-list deep-open`
	table := map[string]bool{}
	for _, m := range modes {
		if table[m.name] {
			t.Errorf("mode %s stands twice in the table", m.name)
		}
		table[m.name] = true
		if m.does == "" || m.apply == nil || strings.ContainsAny(m.does, "\t\n") {
			t.Errorf("mode %s has no description of one line, or does nothing", m.name)
		}
		if m.file && (m.phases != nil || m.number != "") {
			t.Errorf("mode %s takes a file and more", m.name)
		}
	}
	for name := range strings.FieldsSeq(wanted) {
		if !table[name] {
			t.Errorf("mode %s is missing", name)
		}
		delete(table, name)
	}
	for name := range table {
		t.Errorf("mode %s is not in this test's list", name)
	}
}

func TestCommandLine(t *testing.T) {
	for line, want := range map[string]string{
		"silent":               "{move1 0 }",
		"silent end":           "{end 0 }",
		"deep-closed setup 7":  "{setup 7 }",
		"deep-closed 7":        "{move1 7 }",
		"late 20":              "{ 20 }",
		"late":                 "{ 300 }",
		"script x":             "{ 0 x}",
		"":                     "expected a mode; hostile -list prints them all",
		"script":               "mode script: expected FILE, found nothing",
		"babbel":               `unknown mode "babbel"; hostile -list prints them all`,
		"honest move1":         `mode honest: expected arguments "", found "move1" too`,
		"move-mine setup":      `mode move-mine: expected arguments "[move1|move5]", found "setup" too`,
		"late -1":              `mode late: expected [MS=300], found "-1"`,
		"crash-mid-answer end": `mode crash-mid-answer: expected arguments "[setup|move1|move5]", found "end" too`,
	} {
		_, a, err := parseMode(strings.Fields(line))
		found := fmt.Sprint(a)
		if err != nil {
			found = err.Error()
		}
		if found != want {
			t.Errorf("%q: found %s, want %s", line, found, want)
		}
	}
	var out, errs bytes.Buffer
	if status := run([]string{"babbel"}, nil, &out, &errs); status != exitUsage || errs.Len() == 0 || out.Len() > 0 {
		t.Errorf("unknown mode: status %d, said %q", status, &errs)
	}
	if run([]string{"-list"}, nil, &out, &errs); strings.Count(out.String(), "\n") != len(modes) {
		t.Errorf("-list prints %d lines for %d modes", strings.Count(out.String(), "\n"), len(modes))
	}
}

// TestPerft compares the rules behind the honest player, and behind the referee of these tests, with counts made by others.
func TestPerft(t *testing.T) {
	var count func(a arena, side, depth int) int
	count = func(a arena, side, depth int) int {
		n, view := 0, a.view(side)
		for from := range square(squares) {
			for to, ok := range view.reach(from, view.own[from] == '1') {
				if !ok {
					continue
				}
				next := a
				if sign := next.play(side, step{from, square(to)}); depth > 1 && sign != "flag" {
					n += count(next, 1-side, depth-1)
				} else if depth == 1 {
					n++
				}
			}
		}
		return n
	}
	for i, want := range [][]int{{33, 1166, 35547}, {34, 1160, 36527}} {
		var a arena
		a.place(0, pieces(setUps[2*i]))
		a.place(1, pieces(setUps[2*i+1]))
		for depth, n := range want {
			if found := count(a, 0, depth+1); found != n {
				t.Errorf("pair %d, depth %d: found %d, want %d", i+1, depth+1, found, n)
			}
		}
	}
}

// A member is a mode playing in this process.
type member struct {
	seat
	status chan int
	close  func()
	errs   bytes.Buffer
}

func join(t *testing.T, seed int, words string) *member {
	t.Helper()
	m := &member{status: make(chan int, 1)}
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	m.in, m.out = ourOut, bufio.NewReader(ourIn)
	m.close = func() { _ = ourOut.Close() }
	t.Cleanup(func() { _, _, _, _ = ourOut.Close(), theirIn.Close(), theirOut.Close(), ourIn.Close() })
	go func() {
		m.status <- run(append([]string{"-retry", "-seed", fmt.Sprint(seed)}, strings.Fields(words)...), theirIn, theirOut, &m.errs)
		_ = theirOut.Close()
	}()
	return m
}

func (m *member) leave(t *testing.T) {
	t.Helper()
	m.close()
	if status := <-m.status; status != 0 {
		t.Errorf("status %d: %s", status, &m.errs)
	}
}

// contest plays to the end, or to the limit of fouls, and sees both off.
func contest(t *testing.T, seed, limit int, one, two string) (*referee, string) {
	t.Helper()
	a, b := join(t, seed, one), join(t, seed, two)
	j := &referee{seats: [2]seat{a.seat, b.seat}, limit: limit}
	ending, err := j.game()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, &a.errs, &b.errs)
	}
	a.leave(t)
	b.leave(t)
	return j, ending
}

func TestHonestGamesAreLegal(t *testing.T) {
	endings := map[string]int{}
	plies := 0
	for seed := range 20 {
		j, ending := contest(t, seed, 1, "honest", "honest")
		if len(j.fouls) > 0 {
			t.Errorf("seed %d, ply %d: illegal %q", seed, j.plies, j.fouls)
		}
		endings[ending]++
		plies += j.plies
	}
	t.Logf("%d plies a game, endings %v", plies/20, endings)
	if endings["long"] > 0 {
		t.Errorf("games that do not come to an end: %d", endings["long"])
	}
}

func TestSameSeedSameGame(t *testing.T) {
	one, _ := contest(t, 7, 1, "honest", "honest")
	two, _ := contest(t, 7, 1, "honest", "honest")
	if one.board != two.board || one.plies != two.plies {
		t.Errorf("%d and %d plies, or another last position", one.plies, two.plies)
	}
}

// TestHabitsAreLegal guards that a referee which refuses a habit is wrong, and not the habit.
func TestHabitsAreLegal(t *testing.T) {
	for _, m := range modes {
		words := m.name
		switch {
		case strings.HasPrefix(m.name, "habit-"):
		case m.name == "late" || m.name == "busy" || m.name == "compute" || m.name == "slow-whole":
			words += " 1"
		default:
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			if j, ending := contest(t, 3, 1, words, words); len(j.fouls) > 0 {
				t.Errorf("%s after %d plies: %q", ending, j.plies, j.fouls)
			}
		})
	}
}

func TestIllegalSetUpsAreIllegal(t *testing.T) {
	for _, m := range setUpModes {
		if j, ending := contest(t, 1, 1, "honest", m.name); ending != "set-up 2" || len(j.fouls) != 1 {
			t.Errorf("%s: %s, %q", m.name, ending, j.fouls)
		}
	}
}

// TestIllegalMovesAreIllegal plays every fault on both seats. The referee lets the game go on, so that a second foul would
// show. Only an attack on a camp depends on what the opponent does.
func TestIllegalMovesAreIllegal(t *testing.T) {
	prepared := map[string]int{"move-flag": 2, "move-corner": 2, "move-hq": 3}
	for _, m := range moveModes {
		for first, ph := range map[int]phase{1: atMove1, 5: atMove5} {
			t.Run(m.name+" "+string(ph), func(t *testing.T) {
				t.Parallel()
				exact := 0
				for seed := range 6 {
					words := []string{m.name + " " + string(ph), "honest"}
					side := seed % 2
					j, ending := contest(t, seed, 2, words[side], words[1-side])
					if len(j.fouls) == 0 && m.name == "move-into-occupied-camp" {
						continue
					}
					if len(j.fouls) != 1 || j.foul < first {
						t.Errorf("seed %d: %s with fouls %q, the first at turn %d", seed, ending, j.fouls, j.foul)
					}
					if j.foul <= max(first, prepared[m.name]) {
						exact++
					}
					t.Logf("%q at turn %d", j.fouls, j.foul)
				}
				if m.name != "move-into-occupied-camp" && exact < 4 {
					t.Errorf("in time only %d times out of 6", exact)
				}
			})
		}
	}
}

func TestScript(t *testing.T) {
	for _, c := range []struct{ script, input, output, errs string }{
		{"# hello\n\n< (init 1)\n>> (A1\n> )\neof\n! 3\n", "(init 1)\n", "(A1)\n", ""},
		{"< (go 1)\n", "(go 2)\n", "", `line 1: expected "(go 1)\n", found "(go 2)\n"`},
		{"< (go 1)\n", "(go 1)", "", `line 1: expected "(go 1)\n", found "(go 1)"`},
		{"eof\n", "(go 1)\n", "", `line 1: expected end of file, found "(go 1)\n"`},
		{"> x\n?\n", "", "", `line 2: unknown instruction "?"`},
		{"sleep a\n", "", "", `line 1: expected sleep and a number, found "sleep a"`},
	} {
		name := filepath.Join(t.TempDir(), "script")
		if err := os.WriteFile(name, []byte(c.script), 0o644); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		status := run([]string{"script", name}, strings.NewReader(c.input), &out, &errs)
		want := 3
		if c.errs != "" {
			want = exitProtocol
		}
		if strings.Contains(c.errs, "unknown") || strings.Contains(c.errs, "number") {
			want = exitUsage
		}
		if out.String() != c.output || !strings.Contains(errs.String(), c.errs) || status != want {
			t.Errorf("%q: status %d, output %q, errors %q", c.script, status, &out, &errs)
		}
	}
}

func TestInstantLoops(t *testing.T) {
	name := filepath.Join(t.TempDir(), "moves")
	if err := os.WriteFile(name, []byte("((A1 F))\n(A4 B3)\n(B3 A4)\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	const game = "(init 2 time/move 1.0)\n(go 1)\n(go 2)\n(outcome (A6 A7))\n(go 2)\n(go 2)\n(end 0)\n"
	var out bytes.Buffer
	in := io.MultiReader(strings.NewReader(game[:30]), strings.NewReader(game[30:]), strings.NewReader(game))
	run([]string{"instant", name}, in, &out, io.Discard)
	const want = "((A1 F))\n(A4 B3)\n(B3 A4)\n(A4 B3)\n"
	if out.String() != want+want {
		t.Errorf("found %q", out.String())
	}
}
