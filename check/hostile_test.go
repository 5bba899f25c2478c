package check

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/process/processtest"
)

// nightly selects the whole of what is otherwise checked in part.
func nightly() bool { return os.Getenv("LUZHANQI_NIGHTLY") != "" }

// hasty are limits that are to be exceeded.
func hasty(l game.Limits) game.Limits {
	l.SetUp, l.Move, l.Grace = 1500*time.Millisecond, 400*time.Millisecond, 200*time.Millisecond
	return l
}

// A hostile row is a mode of the hostile programs, the step that must fail, and words of what happened. Without a
// step, none may fail.
type row struct {
	mode, step, words string
	pace              func(game.Limits) game.Limits // nil: no limit comes near
}

// brief does not wait for a program that is not going to exit.
func brief(l game.Limits) game.Limits {
	l.Grace = 200 * time.Millisecond
	return l
}

const (
	noSetUpInTime = "did not send a set-up within"
	noMoveInTime  = "did not send a move within"
	notReadable   = "sent no valid answer: cannot read"
	stillRuns     = "later it still ran"
	ownSession    = "in a session of their own or left by their parent"
)

var rows = []row{
	{"honest", "", "", nil},
	{"habit-no-newline", "", "", nil},
	{"habit-newline-inside", "", "", nil},
	{"habit-many-lines", "", "", nil},
	{"habit-blanks", "", "", nil},
	{"habit-crlf", "", "", nil},
	{"habit-tabs", "", "", nil},
	{"habit-split-writes", "", "", nil},
	{"habit-slow-start", "", "", nil},
	{"habit-after-end", "", "", nil},
	{"early", "", "", nil},
	{"early-many 1", "", "", nil},

	{"late 1000", "answers-as-1", noMoveInTime, hasty},
	{"compute 1000", "answers-as-1", "it computed all the time", hasty},
	{"slow-whole 1700", "answers-as-1", "it began an answer", hasty},
	{"resign setup", "setup-legal", "resigned", nil},
	{"resign move1", "first-move-legal", "resigned", nil},
	{"resign-instead-of-setup", "setup-legal", "resigned", nil},

	{"silent setup", "setup-in-time", noSetUpInTime, hasty},
	{"silent move1", "answers-as-1", noMoveInTime, hasty},
	{"silent move5", "moves-in-time", noMoveInTime, hasty},
	{"deaf start", "setup-in-time", noSetUpInTime, hasty},
	{"deaf end", "exits-after-end", stillRuns, hasty},
	{"deaf-plays", "exits-after-end", stillRuns, hasty},
	{"dribble setup", "setup-in-time", "it began an answer", hasty},
	{"dribble move5", "moves-in-time", "it began an answer", hasty},
	{"two-answers move1", "moves-legal", "played an illegal move", nil},

	{"babble setup", "setup-readable", notReadable, brief},
	{"babble-paren setup", "setup-readable", "too deep", brief},
	{"babble-list move1", "first-move-readable", "without completing an answer", brief},
	{"babble-space move5", "moves-readable", "without completing an answer", brief},
	{"flood-stdout move1", "first-move-readable", notReadable, brief},
	{"flood-stderr setup", "stderr-volume", "MiB to standard error", nil},
	{"flood-stderr setup", "setup-in-time", "MiB to standard error", nil},
	{"flood-stderr-plays", "stderr-volume", "to standard error", nil},

	{"close-stdin move1", "moves-in-time", noMoveInTime, hasty},
	{"close-stdout setup", "setup-in-time", "closed its standard output and lives on", brief},
	{"close-stdout move5", "moves-in-time", "closed its standard output and lives on", brief},
	{"close-both move1", "answers-as-1", "closed its standard output and lives on", hasty},
	{"close-stdout-and-spin move1", "answers-as-1", "closed its standard output and lives on", hasty},

	{"crash start", "starts", "exited with code 2", nil},
	{"crash setup", "starts", "exited with code 2", nil},
	{"crash move5", "moves-in-time", "exited with code 2 before the end of the game", nil},
	{"segv move1", "answers-as-1", "signal 11", nil},
	{"abort move1", "answers-as-1", "signal 6", nil},
	{"kill9 move5", "moves-in-time", "signal 9", nil},
	{"exit0 start", "starts", "exited with code 0", nil},
	{"exit0 move1", "answers-as-1", "exited with code 0 before the end of the game", nil},
	{"exit3 move1", "answers-as-1", "exited with code 3", nil},
	{"exit3 end", "exit-code", "exited with code 3", nil},
	{"crash end", "exit-code", "exited with code 2", nil},
	{"segv end", "exit-code", "signal 11", nil},
	{"crash-mid-answer setup", "setup-in-time", "exited with code 1", nil},
	{"ignore-term", "exits-after-end", stillRuns, hasty},
	{"spin-eof", "exits-after-end", stillRuns, hasty},
	{"linger", "input-ends", stillRuns, hasty},
	{"stopped move1", "answers-as-1", noMoveInTime, hasty},
	{"kill-supervisor start", anyStep, "signal 9", nil}, // it dies of that some milliseconds later

	{"orphan", "no-leftovers", ownSession, nil},
	{"orphan-exit move1", "answers-as-1", "exited with code 0", nil},
	{"orphan-tree", "no-leftovers", ownSession, nil},
	{"respawn 60", "no-leftovers", ownSession, nil},

	{"trailing-garbage setup", "first-move-readable", `cannot read "garbage"`, nil},
	{"leading-garbage setup", "setup-readable", `cannot read "hello`, nil},
	{"leading-garbage move5", "moves-readable", `cannot read "hello`, nil},
	{"big-setup 1", "setup-readable", "without completing an answer", brief},
	{"deep 1000", "setup-readable", "too deep", nil},
	{"deep-closed move1", "first-move-readable", "too deep", nil},
	{"deep-open move1", "first-move-readable", "too deep", brief},
	{"nul setup", "setup-readable", `\x00`, nil},
	{"bad-utf8 move1", "answers-as-1", "it began an answer", hasty},
	{"high-bytes move1", "first-move-readable", notReadable, nil},

	{"setup-empty", "setup-legal", "A1 is empty", nil},
	{"setup-missing-piece", "setup-legal", "A1 is empty; 2 captains, must be 3", nil},
	{"setup-duplicate-square", "setup-legal", "A1 is filled twice", nil},
	{"setup-too-many", "setup-legal", "4 captains, must be 3", nil},
	{"setup-in-camp", "setup-legal", "B3 is a camp", nil},
	{"setup-enemy-half", "setup-legal", "A7 is outside rows 1 to 6", nil},
	{"setup-flag-not-in-hq", "setup-legal", "C1 holds the flag", nil},
	{"setup-mine-row3", "setup-legal", "A3 holds a landmine", nil},
	{"setup-bomb-row6", "setup-legal", "A6 holds a bomb", nil},
	{"setup-two-flags", "setup-legal", "2 flags, must be 1", nil},
	{"setup-unknown-piece", "setup-readable", `found "X"`, nil},
	{"setup-unknown-square", "setup-readable", `found "F13"`, nil},
	{"setup-a-move", "setup-readable", "sent a move where a set-up was asked for", nil},
	{"setup-resign", "setup-legal", "resigned", nil},
	{"setup-lowercase", "setup-readable", notReadable, nil},
	{"setup-atom", "setup-readable", `cannot read "setup"`, nil},

	{"move-from-empty move1", "first-move-legal", "there is no piece on", nil},
	{"move-enemy-piece move1", "first-move-legal", "is the enemy's", nil},
	{"move-own-square move5", "moves-legal", "an own piece stands on", nil},
	{"move-too-far move1", "first-move-legal", "played an illegal move", nil},
	{"move-mine move1", "first-move-legal", "is a landmine, which never moves", nil},
	{"move-mine move5", "games-random-2", "illegal-move ×1", nil},
	{"move-mine move5", "games-half-time", "illegal-move ×4", nil},
	{"move-flag move5", "moves-legal", "is a flag, which never moves", nil},
	{"move-hq move5", "moves-legal", "a piece in a headquarters never moves", nil},
	{"move-into-occupied-camp move1", "moves-legal", "an occupied camp", nil},
	{"move-corner move5", "moves-legal", "only an engineer turns corners", nil},
	{"move-through move1", "first-move-legal", "the railway is blocked at", nil},
	{"move-mountain move1", "first-move-legal", "played an illegal move", nil},
	{"move-same move1", "first-move-legal", "a move must leave its square", nil},
	{"move-off-board move1", "first-move-readable", `found "A13"`, nil},
	{"move-three-squares move1", "first-move-readable", notReadable, nil},
	{"move-setup-again move1", "first-move-readable", "sent a set-up where a move was asked for", nil},
	{"move-list move1", "first-move-readable", notReadable, nil},
	{"move-lowercase move1", "first-move-readable", notReadable, nil},
	{"move-atom move1", "first-move-readable", `cannot read "resign"`, nil},
	{"move-string move1", "first-move-readable", notReadable, nil},
	{"move-empty move1", "first-move-readable", "sent a set-up where a move was asked for", nil},
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
		mode, _, _ := strings.Cut(line, "\t")
		clocks := strings.HasPrefix(mode, "take-") || strings.HasPrefix(mode, "ponder") || mode == "busy" // of a loaded machine: see protocol-tests
		if !known[mode] && !clocks {
			t.Errorf("mode %s has no row", mode)
		}
	}
}

// anyStep is a row's step when it depends on the machine's speed which is the first that fails.
const anyStep = "any"

// TestHostilePrograms guards that each misbehaviour is found, and named in words that help.
func TestHostilePrograms(t *testing.T) {
	for _, r := range rows {
		t.Run(strings.ReplaceAll(r.mode+"_"+r.step, " ", "_"), func(t *testing.T) {
			t.Parallel()
			s := subject(t, "luzhanqi", "5500", append([]string{hostile}, strings.Fields(r.mode)...)...)
			if r.pace != nil {
				s.Limits = r.pace(s.Limits)
			}
			o := Options{Games: 4}
			switch {
			case r.step == "" && r.mode != "honest" && !nightly():
				o.Only = []string{"moves-legal", "joined-messages", "exit-code", "games-random-1", "only-answers"}
			case r.step != "" && r.step != anyStep:
				o.Only = []string{r.step}
			}
			report := run(t, s, o)
			if r.step == "" {
				if report.Failed > 0 {
					t.Errorf("%s", printed(&report))
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
			if strings.Contains(result.Note, "could not get a processor") {
				processtest.NeedShare(t)
			}
			if f == nil || !strings.Contains(f.Happened, r.words) {
				t.Fatalf("step %s does not say %q:\n%s %s", r.step, r.words, result.Note, printed(&report))
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
				t.Errorf("%d games ended by time-outs, at most %d are allowed:\n%s", late, maxLate, printed(&r))
			}
		})
	}
}
