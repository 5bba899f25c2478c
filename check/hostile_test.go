package check

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
)

// hasty are limits that are to be exceeded.
func hasty(l game.Limits) game.Limits {
	l.SetUp, l.Move, l.Grace = 1500*time.Millisecond, 400*time.Millisecond, 200*time.Millisecond
	return l
}

// A hostile row is a mode of the hostile programs, the step that must fail, and words of what happened. Without a
// step, none may fail.
type row struct {
	mode, step, words string
	hasty             bool // a limit is to be exceeded
}

const (
	noSetUpInTime = "did not send a set-up within"
	noMoveInTime  = "did not send a move within"
	notReadable   = "sent no valid answer: cannot read"
	stillRuns     = "later it still ran"
	ownSession    = "in a session of their own or left by their parent"
)

var rows = []row{
	{"honest", "", "", false},
	{"habit-no-newline", "", "", false},
	{"habit-newline-inside", "", "", false},
	{"habit-many-lines", "", "", false},
	{"habit-blanks", "", "", false},
	{"habit-crlf", "", "", false},
	{"habit-tabs", "", "", false},
	{"habit-split-writes", "", "", false},
	{"habit-slow-start", "", "", false},
	{"habit-after-end", "", "", false},
	{"early", "", "", false},
	{"early-many 1", "", "", false},

	{"late 1000", "answers-as-1", noMoveInTime, true},
	{"busy 1000", "answers-as-1", noMoveInTime, true},
	{"slow-whole 1300", "answers-as-1", "it began an answer", true},
	{"resign setup", "setup-legal", "resigned", false},
	{"resign move1", "first-move-legal", "resigned", false},
	{"resign-instead-of-setup", "setup-legal", "resigned", false},

	{"silent setup", "setup-in-time", noSetUpInTime, true},
	{"silent move1", "answers-as-1", noMoveInTime, true},
	{"silent move5", "moves-in-time", noMoveInTime, true},
	{"deaf start", "setup-in-time", noSetUpInTime, true},
	{"deaf end", "exits-after-end", stillRuns, true},
	{"deaf-plays", "exits-after-end", stillRuns, true},
	{"dribble setup", "setup-in-time", "it began an answer", true},
	{"dribble move5", "moves-in-time", "it began an answer", true},
	{"two-answers move1", "moves-legal", "played an illegal move", false},

	{"babble setup", "setup-readable", notReadable, false},
	{"babble-paren setup", "setup-readable", "too deep", false},
	{"babble-list move1", "first-move-readable", "without completing an answer", false},
	{"babble-space move5", "moves-readable", "without completing an answer", false},
	{"flood-stdout move1", "first-move-readable", notReadable, false},
	{"flood-stderr setup", "stderr-volume", "MiB to standard error", false},
	{"flood-stderr setup", "setup-in-time", "MiB to standard error", false},
	{"flood-stderr-plays", "stderr-volume", "to standard error", false},

	{"close-stdin move1", "moves-in-time", noMoveInTime, true},
	{"close-stdout setup", "setup-in-time", "closed its standard output and lives on", false},
	{"close-stdout move5", "moves-in-time", "closed its standard output and lives on", false},
	{"close-both move1", "answers-as-1", "closed its standard output and lives on", true},
	{"close-stdout-and-spin move1", "answers-as-1", "closed its standard output and lives on", true},

	{"crash start", "starts", "exited with code 2", false},
	{"crash setup", "starts", "exited with code 2", false},
	{"crash move5", "moves-in-time", "exited with code 2 before the end of the game", false},
	{"segv move1", "answers-as-1", "signal 11", false},
	{"abort move1", "answers-as-1", "signal 6", false},
	{"kill9 move5", "moves-in-time", "signal 9", false},
	{"exit0 start", "starts", "exited with code 0", false},
	{"exit0 move1", "answers-as-1", "exited with code 0 before the end of the game", false},
	{"exit3 move1", "answers-as-1", "exited with code 3", false},
	{"exit3 end", "exit-code", "exited with code 3", false},
	{"crash end", "exit-code", "exited with code 2", false},
	{"segv end", "exit-code", "signal 11", false},
	{"crash-mid-answer setup", "setup-in-time", "exited with code 1", false},
	{"ignore-term", "exits-after-end", stillRuns, true},
	{"spin-eof", "exits-after-end", stillRuns, true},
	{"linger", "input-ends", stillRuns, true},
	{"stopped move1", "answers-as-1", noMoveInTime, true},
	{"kill-supervisor start", anyStep, "signal 9", false}, // it dies of that some milliseconds later

	{"orphan", "no-leftovers", ownSession, false},
	{"orphan-exit move1", "answers-as-1", "exited with code 0", false},
	{"orphan-tree", "no-leftovers", ownSession, false},
	{"respawn 60", "no-leftovers", ownSession, false},

	{"trailing-garbage setup", "first-move-readable", `cannot read "garbage"`, false},
	{"leading-garbage setup", "setup-readable", `cannot read "hello`, false},
	{"leading-garbage move5", "moves-readable", `cannot read "hello`, false},
	{"big-setup 1", "setup-readable", "without completing an answer", false},
	{"deep 1000", "setup-readable", "too deep", false},
	{"deep-closed move1", "first-move-readable", "too deep", false},
	{"deep-open move1", "first-move-readable", "too deep", false},
	{"nul setup", "setup-readable", `\x00`, false},
	{"bad-utf8 move1", "answers-as-1", "it began an answer", true},
	{"high-bytes move1", "first-move-readable", notReadable, false},

	{"setup-empty", "setup-legal", "A1 is empty", false},
	{"setup-missing-piece", "setup-legal", "A1 is empty; 2 captains, must be 3", false},
	{"setup-duplicate-square", "setup-legal", "A1 is filled twice", false},
	{"setup-too-many", "setup-legal", "4 captains, must be 3", false},
	{"setup-in-camp", "setup-legal", "B3 is a camp", false},
	{"setup-enemy-half", "setup-legal", "A7 is outside rows 1 to 6", false},
	{"setup-flag-not-in-hq", "setup-legal", "C1 holds the flag", false},
	{"setup-mine-row3", "setup-legal", "A3 holds a landmine", false},
	{"setup-bomb-row6", "setup-legal", "A6 holds a bomb", false},
	{"setup-two-flags", "setup-legal", "2 flags, must be 1", false},
	{"setup-unknown-piece", "setup-readable", `found "X"`, false},
	{"setup-unknown-square", "setup-readable", `found "F13"`, false},
	{"setup-a-move", "setup-readable", "sent a move where a set-up was asked for", false},
	{"setup-resign", "setup-legal", "resigned", false},
	{"setup-lowercase", "setup-readable", notReadable, false},
	{"setup-atom", "setup-readable", `cannot read "setup"`, false},

	{"move-from-empty move1", "first-move-legal", "there is no piece on", false},
	{"move-enemy-piece move1", "first-move-legal", "is the enemy's", false},
	{"move-own-square move5", "moves-legal", "an own piece stands on", false},
	{"move-too-far move1", "first-move-legal", "played an illegal move", false},
	{"move-mine move1", "first-move-legal", "is a landmine, which never moves", false},
	{"move-mine move5", "games-random-2", "illegal-move ×1", false},
	{"move-mine move5", "games-half-time", "illegal-move ×4", false},
	{"move-flag move5", "moves-legal", "is a flag, which never moves", false},
	{"move-hq move5", "moves-legal", "a piece in a headquarters never moves", false},
	{"move-into-occupied-camp move1", "moves-legal", "an occupied camp", false},
	{"move-corner move5", "moves-legal", "only an engineer turns corners", false},
	{"move-through move1", "first-move-legal", "the railway is blocked at", false},
	{"move-mountain move1", "first-move-legal", "played an illegal move", false},
	{"move-same move1", "first-move-legal", "a move must leave its square", false},
	{"move-off-board move1", "first-move-readable", `found "A13"`, false},
	{"move-three-squares move1", "first-move-readable", notReadable, false},
	{"move-setup-again move1", "first-move-readable", "sent a set-up where a move was asked for", false},
	{"move-list move1", "first-move-readable", notReadable, false},
	{"move-lowercase move1", "first-move-readable", notReadable, false},
	{"move-atom move1", "first-move-readable", `cannot read "resign"`, false},
	{"move-string move1", "first-move-readable", notReadable, false},
	{"move-empty move1", "first-move-readable", "sent a set-up where a move was asked for", false},
}

// TestEveryModeHasARow guards that a mode added to the hostile programs is not forgotten here.
func TestEveryModeHasARow(t *testing.T) {
	out, err := exec.Command(hostile, "-list").Output()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"script": true, "instant": true} // they say what a file says
	for _, r := range rows {
		known[strings.Fields(r.mode)[0]] = true
	}
	for line := range strings.Lines(string(out)) {
		if mode, _, _ := strings.Cut(line, "\t"); !known[mode] {
			t.Errorf("mode %s has no row", mode)
		}
	}
}

// anyStep is a row's step when it depends on the machine's speed which is the first that fails.
const anyStep = "any"

// TestHostilePrograms guards that each misbehaviour is found, and named in words that help.
func TestHostilePrograms(t *testing.T) {
	for i, r := range rows {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(strings.ReplaceAll(r.mode+"_"+r.step, " ", "_"), func(t *testing.T) {
			t.Parallel()
			s := subject(t, "luzhanqi", "5500", append([]string{hostile}, strings.Fields(r.mode)...)...)
			if r.hasty {
				s.Limits = hasty(s.Limits)
			}
			o := Options{Games: 4}
			if r.step != "" && r.step != anyStep {
				o.Only = []string{r.step}
			}
			report := run(t, s, o)
			if r.step == "" {
				if report.Failed > 0 {
					t.Errorf("%s", text(&report))
				}
				return
			}
			var result Result
			if r.step == anyStep {
				at := slices.IndexFunc(report.Steps, func(s Result) bool { return s.Verdict == Fail })
				result = report.Steps[max(0, at)]
			} else {
				result = find(t, &report, r.step)
			}
			f := result.Failure
			if f == nil || !strings.Contains(f.Happened, r.words) {
				t.Fatalf("step %s does not say %q:\n%s %s", r.step, r.words, result.Note, text(&report))
			}
			if f.Expected == "" || f.Again == "" || f.Exit == "" {
				t.Errorf("a failure that does not explain itself: %+v", f)
			}
		})
	}
}

// TestHangingProgram guards the bound of the whole check: after two games in which a program has exceeded
// its time in a phase, none is played that would come so far.
func TestHangingProgram(t *testing.T) {
	for _, mode := range []string{"silent setup", "silent move1", "silent move5"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			s := newSession(t.Context(), subject(t, "luzhanqi", "5500", append([]string{hostile}, strings.Fields(mode)...)...), Options{Games: 20, Seed: 1}, t.TempDir())
			s.subject.Limits = hasty(s.subject.Limits)
			var r Report
			if err := r.run(t.Context(), s.steps(), s.options); err != nil {
				t.Fatal(err)
			}
			late := 0
			for _, p := range s.games {
				if f := p.foul(); f != nil {
					late++
				}
			}
			if late > maxLate || r.Failed == 0 || r.Passed+r.Failed+r.Skipped != len(Steps()) {
				t.Errorf("%d games ended by time-outs, at most %d are allowed:\n%s", late, maxLate, text(&r))
			}
		})
	}
}
