package protocoltests

import (
	"slices"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/protocol-tests/protocoltest"
	"luzhanqi/referee"
)

// The conversations of the other games, in which the hostile modes that know no rules misbehave
// as well. What each makes of half an answer, or of noise, differs with how answers are framed.

// A conversation is a game and its dialect.
type conversation struct{ talk, game, dialect string }

var conversations = []conversation{
	{"jungle", "jungle", "lines"},
	{"gastank", "gastank", "plain"},
	{"gastank-console", "gastank", "console"},
	{"quagmire", "quagmire", "plain"},
	{"chess1d", "chess1d", "oneshot"},
}

// The kinds of conversation: messages, a person's prompts, a process for each question.
const (
	console = "gastank-console"
	oneShot = "chess1d"
)

// kind is the shape of the conversation.
func (c conversation) kind() game.Kind {
	g, _ := games.Find(c.game)
	protocol, _ := games.FindProtocol(g, c.dialect)
	return protocol.Kind()
}

// talksIn lets both programs of a match talk so.
func talksIn(s *referee.Match, talk string) {
	c := conversations[slices.IndexFunc(conversations, func(c conversation) bool { return c.talk == talk })]
	s.Game, _ = games.Find(c.game)
	protocol, _ := games.FindProtocol(s.Game, c.dialect)
	s.Limits.MaxPlies = min(s.Limits.MaxPlies, maxTalkPlies)
	s.Limits.Start = time.Second
	for i := range s.Entrants {
		s.Entrants[i].Protocol = protocol
		s.Entrants[i].Command.Args = slices.Insert(slices.Clone(s.Entrants[i].Command.Args), 1, "-talk", talk)
	}
}

// maxTalkPlies is how long the pieces of GasTank chess have gas to go to and fro.
const maxTalkPlies = 12

// brisk is for limits that are to be exceeded; starting an honest program must not exceed them.
var brisk = pace{1200 * time.Millisecond, 1200 * time.Millisecond, 300 * time.Millisecond}

// A conversationRow is a mode with its verdict in a conversation of messages, at a console, and in a process
// for each question. Where there is none, the mode makes no difference.
type conversationRow struct {
	mode                    string
	lines, console, oneShot verdict
}

// oneOfCodes is a fault by any of these codes.
func oneOfCodes(codes ...referee.Code) verdict {
	return verdict{codes: codes, fault: true, pace: patient}
}

func everywhere(mode string, v verdict) conversationRow { return conversationRow{mode, v, v, v} }

var (
	lateAnswer = fault(referee.TimedOut, "").paced(brisk)
	lateKilled = lateAnswer.leaving(killed)
	noise      = oneOfCodes(referee.Unreadable, referee.Flooded)
	slowly     = oneOfCodes(referee.TimedOut, referee.Unreadable).paced(brisk).leaving(killed) // where a line has 64 bytes
	tooMuch    = fault(referee.Flooded, "")
	noAnswer   = fault(referee.Unreadable, "exited without an answer").paced(dying)
	notExited  = fault(referee.TimedOut, "had not exited after").paced(brisk)
)

// conversationRows with a phase of every turn.
var conversationRows = []conversationRow{
	{"silent", lateAnswer, lateAnswer, fault(referee.Unreadable, "exited without an answer").paced(dying)}, // it ends with its input
	everywhere("deaf", lateKilled),
	{"dribble", slowly, lateKilled, lateAnswer},
	{"babble", noise, tooMuch, tooMuch},
	{"flood-stdout", noise, tooMuch, tooMuch},
	everywhere("flood-stderr", noisy),
	{"close-stdout", closed, closed, oneOfCodes(referee.Closed, referee.Unreadable)}, // it ends with its input
	{"close-both", closed.leaving(killed), closed.leaving(killed), fault(referee.Closed, "closed its standard output without an answer")},
	{"close-stdout-and-spin", closed.leaving(killed), closed.leaving(killed), fault(referee.Closed, "closed its standard output without an answer")},
	everywhere("crash", died(2).saying("nil pointer dereference")),
	everywhere("segv", diedBy(11)),
	everywhere("kill9", diedBy(9)),
	{"exit0", died(0), died(0), noAnswer},
	everywhere("exit3", died(3).saying("hostile: I give up. ")),
	everywhere("stopped", lateKilled),
	everywhere("kill-supervisor", diedBy(9).slowly()),
	{"orphan-exit", died(0), died(0), noAnswer},
}

// conversationGames are modes without a phase, and what a program may do after its last turn.
var conversationGames = []conversationRow{
	everywhere("honest", byRule),
	everywhere("habit-split-writes", byRule),
	everywhere("late 300", byRule.capped(4)),
	everywhere("late 3000", lateAnswer),
	{"ignore-term", byRule, byRule, notExited},
	{"spin-eof", byRule, byRule, notExited},
	{"linger", byRule, byRule, notExited},
	everywhere("orphan", byRule.capped(4)),
	everywhere("orphan-tree", byRule.capped(4)),
	everywhere("respawn", byRule.capped(4)),
	everywhere("flood-stderr-plays 1", byRule.capped(4)),
	everywhere("crash end", byRule),
	everywhere("kill9 end", byRule),
	{"babble end", byRule, byRule, tooMuch},
	{"deaf end", byRule, byRule, notExited},
	{"flood-stdout end", byRule, byRule, tooMuch},
	{"leading-garbage move1", noise, verdict{}, noise},
	{"nul move1", noise, verdict{}, noise},
	{"crash-mid-answer move1", oneOfCodes(referee.Unreadable), oneOfCodes(referee.Crashed), oneOfCodes(referee.Crashed).paced(dying)},
}

func (r conversationRow) in(talk string) verdict {
	switch talk {
	case console:
		return r.console
	case oneShot:
		return r.oneShot
	}
	return r.lines
}

// conversationTrials alternate in their seats and phases. A process for each question has no fifth turn: it
// knows only the position. But nightly, each mode misbehaves in one phase, in the first conversation of each kind.
func conversationTrials() (all []trial) {
	for i, c := range conversations {
		if !protocoltest.Nightly() && slices.ContainsFunc(conversations[:i], func(other conversation) bool { return other.kind() == c.kind() }) {
			continue
		}
		phases := []string{"start", "move5"}
		if c.talk == oneShot {
			phases = []string{"start", "move1"}
		}
		for i, r := range conversationRows {
			for j, phase := range phases {
				if !protocoltest.Nightly() && j != i%2 {
					continue
				}
				all = append(all, trial{mode: r.mode + " " + phase, talk: c.talk, seat: game.Side((i + j) % 2), want: r.in(c.talk)})
			}
		}
		for i, r := range conversationGames {
			if want := r.in(c.talk); want.codes != nil {
				all = append(all, trial{mode: r.mode, talk: c.talk, seat: game.Side(i % 2), want: want})
			}
		}
	}
	return all
}
