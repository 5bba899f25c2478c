package protocoltests

import (
	"time"

	"luzhanqi/game"
	"luzhanqi/referee"
)

// Verdicts on a program. A fault is the program's, everything else nobody's.

func fault(code referee.Code, reason string) verdict {
	return verdict{codes: []referee.Code{code}, fault: true, reason: reason, pace: patient}
}

// byRule is the end of every game in which nobody does wrong.
var byRule = verdict{codes: []referee.Code{referee.Won, referee.Drawn}, pace: patient}

var (
	lateSetUp = fault(referee.TimedOut, "did not send a set-up within 1.5s + 200ms grace").paced(hasty)
	lateMove  = fault(referee.TimedOut, "did not send a move within 400ms + 200ms grace").paced(hasty)

	unreadable   = fault(referee.Unreadable, "sent no valid answer: cannot read ")
	tooDeep      = fault(referee.Unreadable, "expression too deep")
	noMove       = fault(referee.Unreadable, "sent a set-up where a move was asked for")
	noSetUp      = fault(referee.Unreadable, "sent a move where a set-up was asked for")
	flooded      = fault(referee.Flooded, "sent more than 65536 bytes without completing an answer")
	noisy        = fault(referee.Flooded, "wrote more than 64 MiB to standard error").saying("noise on standard error\n")
	closed       = fault(referee.Closed, "closed its standard output and lives on")
	resigned     = fault(referee.Resigned, "resigned")
	illegalMove  = fault(referee.IllegalMove, "played an illegal move: ")
	illegalSetUp = fault(referee.IllegalSetUp, "gave an illegal set-up: ")
)

func died(code int) verdict {
	return fault(referee.Crashed, "exited with code ").leaving(exited(code)).paced(dying)
}

func diedBy(signal int) verdict {
	return fault(referee.Crashed, "was killed by signal ").leaving(signaled(signal)).paced(dying)
}

// A row is a hostile mode with what is expected for each of its arguments.
type row struct {
	mode string
	want map[string]verdict // by arguments
}

// only is a mode without arguments, or one whose arguments are given.
func only(want verdict, arguments ...string) map[string]verdict {
	if arguments == nil {
		arguments = []string{""}
	}
	all := map[string]verdict{}
	for _, a := range arguments {
		all[a] = want
	}
	return all
}

// phases is a mode that misbehaves in any phase: before or instead of its set-up, at a turn, and
// after the end, when nothing it does matters any more.
func phases(setUp, move verdict) map[string]verdict {
	return map[string]verdict{"start": setUp, "setup": setUp, "move1": move, "move5": move, "end": byRule}
}

func replies(setUp, move verdict) map[string]verdict {
	return map[string]verdict{"setup": setUp, "move1": move, "move5": move}
}

func turns(want verdict) map[string]verdict { return only(want, "move1", "move5") }

// rows are all hostile modes, in its order. TestEveryModeIsJudged compares.
var rows = []row{
	{"honest", only(byRule.capped(allPlies))},
	{"habit-no-newline", only(byRule)},
	{"habit-newline-inside", only(byRule)},
	{"habit-many-lines", only(byRule)},
	{"habit-blanks", only(byRule)},
	{"habit-crlf", only(byRule)},
	{"habit-tabs", only(byRule)},
	{"habit-split-writes", only(byRule)},
	{"habit-slow-start", only(byRule)},
	{"habit-after-end", only(byRule)},

	{"late", map[string]verdict{"300": byRule.capped(4), "1000": lateMove}},
	{"busy", map[string]verdict{"300": byRule.capped(4), "1000": lateMove}},
	{"slow-whole", map[string]verdict{"800": byRule.capped(4), "1700": lateMove.because("it began an answer")}}, // whole after 1 s, where 0.6 s are allowed, and waits for processors; its set-up after 1.4 s, of 1.7 s
	{"resign", phases(resigned, resigned)},
	{"resign-instead-of-setup", only(resigned)},

	{"silent", phases(lateSetUp, lateMove)},
	{"deaf", phases(lateSetUp.leaving(killed), lateMove.leaving(killed))},
	{"deaf-plays", only(byRule)}, // its standard input fills in TestInputIsNeverRead
	{"dribble", phases(lateSetUp.leaving(killed).because("; it began an answer ("), lateMove.leaving(killed).because("; it began an answer ("))},
	{"early", only(byRule)},
	{"early-many", map[string]verdict{"": byRule, "50": byRule}},
	// Asked again, it answers again: from then on its answers are one turn old, and one is illegal soon.
	{"two-answers", turns(illegalMove.capped(allPlies))},

	{"babble", phases(unreadable, unreadable)},
	{"babble-paren", phases(tooDeep, tooDeep)},
	{"babble-list", phases(flooded, flooded)},
	{"babble-space", phases(flooded, flooded)},
	{"flood-stdout", phases(unreadable, unreadable)},
	{"flood-stderr", phases(noisy, noisy)},
	{"flood-stderr-plays", only(byRule, "", "8")},

	{"close-stdin", map[string]verdict{
		"start": lateSetUp.leaving(killed), "setup": lateMove.leaving(killed), // it answers once more
		"move1": lateMove.leaving(killed), "move5": lateMove.leaving(killed), "end": byRule,
	}},
	{"close-stdout", phases(closed, closed)},
	{"close-both", phases(closed.leaving(killed), closed.leaving(killed))},
	{"close-stdout-and-spin", phases(closed.leaving(killed), closed.leaving(killed))},

	{"crash", phases(died(2).saying("nil pointer dereference"), died(2).saying("goroutine 1"))},
	{"segv", phases(diedBy(11), diedBy(11))},
	{"abort", phases(diedBy(6), diedBy(6))},
	{"kill9", phases(diedBy(9), diedBy(9))},
	{"exit0", phases(died(0), died(0))},
	{"exit3", phases(died(3).saying("hostile: I give up. "), died(3).saying("hostile: I give up. "))},
	{"crash-mid-answer", replies(died(1), died(1))},
	{"ignore-term", only(byRule)},
	{"spin-eof", only(byRule)},
	{"linger", only(byRule)},
	{"stopped", phases(lateSetUp.leaving(killed), lateMove.leaving(killed))},
	{"kill-supervisor", phases(diedBy(9).slowly(), diedBy(9).slowly())}, // and so itself, some milliseconds later

	{"orphan", only(byRule)},
	{"orphan-exit", phases(died(0), died(0))},
	{"orphan-tree", only(byRule)},
	{"respawn", only(byRule, "", "60")},

	// The answer is whole; what follows it is the beginning of the next one.
	{"trailing-garbage", replies(unreadable.because(`cannot read "garbage"`), unreadable.because(`cannot read "garbage"`))},
	{"leading-garbage", replies(unreadable.because(`cannot read "hello`), unreadable.because(`cannot read "hello`))},
	{"big-setup", only(flooded, "", "10")},
	{"deep", only(tooDeep, "", "500000")},
	{"deep-closed", replies(tooDeep, tooDeep)},
	{"deep-open", replies(tooDeep, tooDeep)},
	{"nul", replies(unreadable.because(`\x00\x00`), unreadable.because(`\x00\x00`))},
	// 0xc3 0x28 holds a parenthesis, which opens an expression that never ends.
	{"bad-utf8", replies(lateSetUp.because("; it began an answer ("), lateMove.because("; it began an answer ("))},
	{"high-bytes", replies(unreadable, unreadable)},

	{"setup-empty", only(illegalSetUp.because("A1 is empty; B1 is empty"))},
	{"setup-missing-piece", only(illegalSetUp.because("A1 is empty; 2 captains, must be 3"))},
	{"setup-duplicate-square", only(illegalSetUp.because("A1 is filled twice"))},
	{"setup-too-many", only(illegalSetUp.because("4 captains, must be 3"))},
	{"setup-in-camp", only(illegalSetUp.because("B3 is a camp, which must be empty"))},
	{"setup-enemy-half", only(illegalSetUp.because("A7 is outside rows 1 to 6"))},
	{"setup-flag-not-in-hq", only(illegalSetUp.because("C1 holds the flag"))},
	{"setup-mine-row3", only(illegalSetUp.because("A3 holds a landmine"))},
	{"setup-bomb-row6", only(illegalSetUp.because("A6 holds a bomb"))},
	{"setup-two-flags", only(illegalSetUp.because("2 flags, must be 1"))},
	{"setup-unknown-piece", only(unreadable.because(`found "X"`))},
	{"setup-unknown-square", only(unreadable.because(`found "F13"`))},
	{"setup-a-move", only(noSetUp)},
	{"setup-resign", only(resigned)},
	{"setup-lowercase", only(unreadable)},
	{"setup-atom", only(unreadable.because(`cannot read "setup"`))},

	{"move-from-empty", turns(illegalMove.because("there is no piece on"))},
	{"move-enemy-piece", turns(illegalMove.because("is the enemy's"))},
	{"move-own-square", turns(illegalMove.because("an own piece stands on"))},
	{"move-too-far", turns(illegalMove)},
	{"move-mine", turns(illegalMove.because("is a landmine, which never moves"))},
	{"move-flag", turns(illegalMove.because("is a flag, which never moves"))},
	{"move-hq", turns(illegalMove.because("a piece in a headquarters never moves"))},
	{"move-into-occupied-camp", turns(illegalMove.because("an occupied camp").capped(allPlies))},
	{"move-corner", turns(illegalMove.because("only an engineer turns corners"))},
	{"move-through", turns(illegalMove.because("the railway is blocked at"))},
	{"move-mountain", turns(illegalMove)},
	{"move-same", turns(illegalMove.because("a move must leave its square"))},
	{"move-off-board", turns(unreadable.because(`found "A13"`))},
	{"move-three-squares", turns(unreadable)},
	{"move-setup-again", turns(noMove)},
	{"move-list", turns(unreadable)},
	{"move-lowercase", turns(unreadable)},
	{"move-atom", turns(unreadable.because(`cannot read "resign"`))},
	{"move-string", turns(unreadable.because(`found "\"`))},
	{"move-empty", turns(noMove)},
}

// pairs are games in which both programs are at fault. At the set-up player 1 is judged first and
// loses, even if player 2 was at fault long before; later only the mover is judged.
var pairs = []trial{
	{mode: "setup-empty", against: "setup-empty", seat: game.First, want: illegalSetUp},
	{mode: "silent setup", against: "crash setup", seat: game.First, want: lateSetUp},
	{mode: "crash start", against: "silent setup", seat: game.First, want: died(2).paced(pace{time.Second, time.Minute, 4 * time.Second})},
	{mode: "deaf start", against: "flood-stdout start", seat: game.First, want: lateSetUp.leaving(killed)},
	{mode: "resign setup", against: "resign setup", seat: game.First, want: resigned},
	{mode: "kill9 setup", against: "kill-supervisor setup", seat: game.First, want: diedBy(9)},
	{mode: "orphan-exit setup", against: "orphan-exit start", seat: game.First, want: died(0)},
	{mode: "setup-resign", against: "setup-a-move", seat: game.First, want: resigned},
	{mode: "move-mine move1", against: "move-mine move1", seat: game.First, want: illegalMove},
	{mode: "babble start", against: "crash move1", seat: game.Second, want: unreadable},
	{mode: "close-stdin setup", against: "close-stdin setup", seat: game.First, want: lateMove},
	{mode: "move-flag move1", against: "crash move5", seat: game.Second, want: illegalMove},
	{mode: "silent move1", against: "close-both move1", seat: game.First, want: lateMove},
	{mode: "flood-stderr move1", against: "respawn", seat: game.Second, want: noisy},
}

// retries are games in which an illegal move costs only time.
var retries = []row{
	{"-retry move-mine", turns(byRule.retrying(1))},
	{"-retry move-own-square", turns(byRule.retrying(3))},
	{"move-mine", turns(lateMove.retrying(1))},          // it waits for the end, the referee for another move
	{"-retry move-atom", turns(unreadable.retrying(9))}, // for illegal moves only
	{"-retry setup-two-flags", only(illegalSetUp.retrying(9))},
}
