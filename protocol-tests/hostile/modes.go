package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A mode is a row of the table. Its arguments are an optional phase, then an optional number, or a file.
type mode struct {
	name string
	takes
	does  string
	apply func(p *player, a arguments)
}

type takes struct {
	phases []phase // the allowed ones; none: the mode takes no phase
	number string  // the unit of the number; "": the mode takes none
	normal int     // the number when none is given
	file   bool
}

type arguments struct {
	phase phase
	n     int
	file  string
}

var (
	anyPhase = takes{phases: []phase{atStart, atSetup, atMove1, atMove5, atEnd}}
	replies  = takes{phases: []phase{atSetup, atMove1, atMove5}}
	turns    = takes{phases: []phase{atMove1, atMove5}}
	nothing  = takes{}
	aFile    = takes{file: true}
)

func (t takes) count(unit string, normal int) takes {
	t.number, t.normal = unit, normal
	return t
}

// String is the second column of the list.
func (t takes) String() string {
	var all []string
	if t.phases != nil {
		var names []string
		for _, ph := range t.phases {
			names = append(names, string(ph))
		}
		all = append(all, "["+strings.Join(names, "|")+"]")
	}
	if t.number != "" {
		all = append(all, fmt.Sprintf("[%s=%d]", t.number, t.normal))
	}
	if t.file {
		all = append(all, "FILE")
	}
	return strings.Join(all, " ")
}

// does makes the act happen at the phase asked for; once is for modes that know but one phase.
func does(f act) func(*player, arguments) {
	return func(p *player, a arguments) { p.cue, p.n, p.act = a.phase, a.n, f }
}

func once(ph phase, f act) func(*player, arguments) {
	return func(p *player, a arguments) { p.cue, p.n, p.act = ph, a.n, f }
}

// is changes the player from the beginning.
func is(change func(p *player, n int)) func(*player, arguments) {
	return func(p *player, a arguments) {
		p.cue = a.phase
		change(p, a.n)
	}
}

func leaving(how func()) func(*player, arguments) {
	return is(func(p *player, _ int) { p.leave = how })
}

func thinking(how func(time.Duration)) func(*player, arguments) {
	return is(func(p *player, n int) { p.think = func() { how(milliseconds(n)) } })
}

func printModes(w io.Writer) {
	for _, m := range modes {
		fmt.Fprintf(w, "%s\t%s\t%s\n", m.name, m.takes, m.does)
	}
}

// parseMode reads MODE and its arguments.
func parseMode(words []string) (mode, arguments, error) {
	if len(words) == 0 {
		return mode{}, arguments{}, fmt.Errorf("expected a mode; hostile -list prints them all")
	}
	i := slices.IndexFunc(modes, func(m mode) bool { return m.name == words[0] })
	if i < 0 {
		return mode{}, arguments{}, fmt.Errorf("unknown mode %q; hostile -list prints them all", words[0])
	}
	m, rest := modes[i], words[1:]
	a := arguments{n: m.normal}
	if m.phases != nil {
		a.phase = m.phases[0]
		if slices.Contains(m.phases, atMove1) {
			a.phase = atMove1
		}
	}
	if m.phases != nil && len(rest) > 0 && slices.Contains(m.phases, phase(rest[0])) {
		a.phase, rest = phase(rest[0]), rest[1:]
	}
	if m.number != "" && len(rest) > 0 {
		n, err := strconv.Atoi(rest[0])
		if err != nil || n < 0 {
			return m, a, fmt.Errorf("mode %s: expected %s, found %q", m.name, m.takes, rest[0])
		}
		a.n, rest = n, rest[1:]
	}
	if m.file {
		if len(rest) == 0 {
			return m, a, fmt.Errorf("mode %s: expected %s, found nothing", m.name, m.takes)
		}
		a.file, rest = rest[0], rest[1:]
	}
	if len(rest) > 0 {
		return m, a, fmt.Errorf("mode %s: expected arguments %q, found %q too", m.name, m.takes, rest[0])
	}
	return m, a, nil
}

// modes is the whole table, in the order of the list.
var modes = slices.Concat(honestModes, hostileModes, byteModes, setUpModes, moveModes)

var honestModes = []mode{
	{"honest", nothing, "plays legally to the end", is(func(*player, int) {})},
	{"script", aFile, "follows a file of <, >, >>, !, eof and sleep lines; 65 at the first difference", func(p *player, a arguments) { p.instead = script(p, a.file) }},
	{"instant", aFile, "answers from a file, the set-up and then one move a line, as fast as possible", func(p *player, a arguments) { p.instead = instant(p, a.file) }},

	{"habit-no-newline", nothing, "legal: writes no newline after an answer", is(rewriting(bare))},
	{"habit-newline-inside", nothing, "legal: writes a newline for the first blank of an answer", is(rewriting(newlineInside))},
	{"habit-many-lines", nothing, "legal: writes every token on a line of its own", is(rewriting(spaced("\n")))},
	{"habit-blanks", nothing, "legal: writes blanks between all tokens, as in ( E6 E7 )", is(rewriting(spaced(" ")))},
	{"habit-crlf", nothing, "legal: ends lines with carriage return and newline", is(rewriting(carriageReturn))},
	{"habit-tabs", nothing, "legal: writes tabs for blanks, and around the answer", is(rewriting(tabs))},
	{"habit-split-writes", nothing, "legal: writes every byte by itself, without pauses", is(splitWrites)},
	{"habit-slow-start", nothing.count("MS", 900), "legal: takes so long before its set-up", once(atSetup, slowStart)},
	{"habit-after-end", nothing, "legal: writes stray bytes after (end …)", once(atEnd, strayBytes)},

	{"late", nothing.count("MS", 300), "legal: answers so long after every (go …)", thinking(time.Sleep)},
	{"busy", nothing.count("MS", 300), "legal: burns one processor so long before every move", thinking(burn)},
	{"compute", nothing.count("MS", 60), "legal: uses so much processor time before every move, however long that takes", thinking(compute)},
	{"ponder", nothing.count("MS", 0), "legal: keeps all processors busy at all times; uses so much processor time before every move", is(ponder)},
	{"ponder-storm", nothing.count("PROCESSES", 150), "legal: keeps all processors busy in its opponent's turns, by so many processes", once(atStart, ponderStorm)},
	{"slow-whole", nothing.count("MS", 800), "legal: spreads the bytes of every answer over four fifths of the time", is(slowWhole)},
	{"resign", anyPhase, "sends (resign)", does(resign)},
	{"resign-instead-of-setup", nothing, "sends (resign) for a set-up and exits with status 0", once(atSetup, resignAndLeave)},
}

var hostileModes = []mode{
	{"take-threads", nothing.count("MS", 130), "takes time: 64 threads compute for so much before every move", thinking(threads)},
	{"take-nice", nothing.count("MS", 130), "takes time: another process computes, and a thread at nice 19 waits", is(behind(niceSpin, elsewhere))},
	{"take-idle", nothing.count("MS", 130), "takes time: another process computes, and a thread of the idle class waits", is(behind(idleSpin, elsewhere))},
	{"take-bound", nothing.count("MS", 130), "takes time: another process computes, and a thread that is bound to one processor waits", is(behind(boundSpin, elsewhere))},
	{"take-children", nothing.count("MS", 300), "takes time: children compute one after the other, and are forgotten", is(behind(spin, childAfterChild))},
	{"take-sleep-nice", nothing.count("MS", 300), "takes time: sleeps, and a thread at nice 19 waits", is(behind(niceSpin, time.Sleep))},
	{"take-sleep-idle", nothing.count("MS", 300), "takes time: sleeps, and a thread of the idle class waits", is(behind(idleSpin, time.Sleep))},
	{"take-sleep-crowd", nothing.count("MS", 130), "takes time: sleeps for so long in all, and 64 threads crowd each other out for short times", thinking(crowdThenSleep)},
	{"silent", anyPhase, "answers no more but keeps reading until end of file", does(silent)},
	{"deaf", anyPhase, "neither reads nor answers, and stays alive", does(deaf)},
	{"deaf-plays", nothing, "never reads; writes a set-up and legal moves for ever", func(p *player, _ arguments) { p.instead = deafPlays(p) }},
	{"dribble", anyPhase, "writes an expression that never ends, a byte every 20 ms", does(dribble)},
	{"early", nothing, "writes its set-up and first move before it reads (init …), then plays honestly", once(atStart, func(p *player, _ int) reply { return ahead(p, 1) })},
	{"early-many", nothing.count("MOVES", 50), "as early, with so many moves", once(atStart, ahead)},
	{"two-answers", turns, "sends two legal moves in one write, then plays honestly", does(twoAnswers)},

	{"babble", anyPhase, "writes letters without a newline, 64 every ms", does(babbling("", strings.Repeat("babble.. ", 7)+"."))},
	{"babble-paren", anyPhase, "writes (a(b) for ever inside an expression: ever deeper", does(babbling("(", strings.Repeat("(a(b)", 10)))},
	{"babble-list", anyPhase, "writes (a(b)) for ever inside an expression: ever longer", does(babbling("(", strings.Repeat("(a(b))", 10)))},
	{"babble-space", anyPhase, "writes blanks and newlines for ever", does(babbling("", strings.Repeat(" ", 63)+"\n"))},
	{"flood-stdout", anyPhase, "writes letters to standard output as fast as it can", does(floodStdout)},
	{"flood-stderr", anyPhase, "writes lines to standard error as fast as it can, and answers no more", does(floodStderr)},
	{"flood-stderr-plays", nothing.count("MIB", 8), "writes so much to standard error while it plays honestly", once(atStart, floodStderrPlays)},

	{"close-stdin", anyPhase, "closes standard input, answers once more and stays alive", does(closeStdin)},
	{"close-stdout", anyPhase, "closes standard output and keeps reading until end of file", does(closeStdout)},
	{"close-both", anyPhase, "closes standard input and output and stays alive", does(closeBoth)},
	{"close-stdout-and-spin", anyPhase, "closes standard output and burns one processor", does(closeStdoutAndSpin)},

	{"crash", anyPhase, "panics: a trace on standard error, status 2", does(crash)},
	{"segv", anyPhase, "dies by SIGSEGV", does(dyingBy(syscall.SIGSEGV))},
	{"abort", anyPhase, "dies by SIGABRT", does(dyingBy(syscall.SIGABRT))},
	{"kill9", anyPhase, "dies by SIGKILL", does(dyingBy(syscall.SIGKILL))},
	{"exit0", anyPhase, "exits with status 0", does(exiting(0, ""))},
	{"exit3", anyPhase, "exits with status 3 and a line on standard error", does(exiting(3, lastWords))},
	{"crash-mid-answer", replies, "writes half of its answer and exits with status 1", does(crashMidAnswer)},
	{"ignore-term", nothing, "plays honestly, ignores SIGTERM, SIGINT, SIGHUP and end of file", is(ignoreTerm)},
	{"spin-eof", nothing, "plays honestly and burns one processor after end of file", leaving(spin)},
	{"linger", nothing, "plays honestly and sleeps after end of file", leaving(stay)},
	{"stopped", anyPhase, "stops itself by SIGSTOP; continued, it plays honestly", does(stopped)},
	{"kill-supervisor", anyPhase, "kills its parent by SIGKILL and plays honestly", does(killSupervisor)},

	{"orphan", nothing, "leaves a sleeping grandchild in its own session on its pipes, plays honestly", once(atStart, orphan)},
	{"orphan-exit", anyPhase, "as orphan, but exits with status 0 while the grandchild holds the pipes", does(orphanExit)},
	{"orphan-tree", nothing, "starts 20 sleeping descendants in sessions of their own, plays honestly", once(atStart, orphanTree)},
	{"respawn", nothing.count("SECONDS", 60), "starts a chain of descendants, a new one every 10 ms for so long, plays honestly", once(atStart, respawn)},
}
