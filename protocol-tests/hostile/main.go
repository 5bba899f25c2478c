// Command hostile plays every bad program a referee can meet, and a few good ones.
//
//	hostile [-seed N] [-pids FILE] [-retry] [-talk NAME] MODE [ARGUMENT…]
//	hostile -list
//	hostile -attack NAME,… [-referee PID] [MODE]
//	hostile -attack NAME,… [-referee PID] -now
//	hostile -attacks
//
// It speaks the 5500 dialect of Luzhanqi (S-expressions on standard input and output). A mode behaves well up to the point
// at which it misbehaves, so that a test reaches exactly the line of the referee it wants to reach. The points are the phases
//
//	start   before anything is read
//	setup   instead of the answer to (init …)
//	move1   at its first (go …) of its own
//	move5   at its fifth
//	end     after (end …)
//
// Every argument but FILE may be left out: a phase is then move1 (or the first the mode allows), a number its default.
// hostile -list prints one mode a line, in three columns separated by tabs: name, arguments, what it does. Phases are
// listed as [start|setup|…], numbers as [MS=800]. The table is in modes.go and answers.go, the honest player in honest.go.
//
// Exit status: 64 for a wrong command line or script, 65 when the referee breaks the protocol (the message on standard
// error says what was expected), 70 when nobody has ended a misbehaving program for ten minutes, 71 when the system
// refuses a process. Otherwise the mode's own.
//
// Every hostile process appends its process id as one line to the file named by -pids or by the environment variable
// HOSTILE_PIDS, so that a test can prove that none has survived. -seed, or HOSTILE_SEED, decides every random choice.
// With -attack it tries attacks on others at its first turn, and at its fifth tells on standard error what they have
// got and exits with status 77; see the folder assault.
//
// -retry answers again after (illegal …), for referees that allow it.
//
// With -talk it speaks the conversation of another game; see conversations.go. Modes that do not mention an answer of Luzhanqi's
// are the same there; the phase end is then the end of its input.
//
// As a player, the program shares no code with the referee: it would share its mistakes. The attacks that harm nobody are those of
// luzhanqi check --attacks.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"luzhanqi/check/attack"
	"luzhanqi/process"
	"luzhanqi/protocol-tests/hostile/assault"
)

const (
	exitUsage    = 64
	exitProtocol = 65
	exitOutlived = 70
	exitSystem   = 71
	exitAttacked = 77
)

// lifetime ends a misbehaving program that nobody kills: a broken referee must not fill the machine.
const lifetime = 10 * time.Minute

func main() {
	process.Reexec(attack.Attacker)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func run(arguments []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("hostile", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: hostile [-seed N] [-pids FILE] [-retry] [-talk NAME] MODE [ARGUMENT…]\n       hostile -list")
		flags.PrintDefaults()
	}
	list := flags.Bool("list", false, "print every mode: name, arguments, description")
	seed := flags.Uint64("seed", environmentSeed(), "decides every random choice")
	pids := flags.String("pids", os.Getenv("HOSTILE_PIDS"), "append the process id of every process to this `file`")
	retry := flags.Bool("retry", false, "answer again after (illegal …)")
	game := flags.String("talk", "", "speak the conversation of another game, by its `name` in conversations.go")
	attacks := flags.Bool("attacks", false, "print every attack, those of a game with threat and description")
	attacking := flags.String("attack", "", "the attacks to try, by their `names`, with commas between them")
	tell := flags.Bool("tell", true, "report and leave at the fifth turn; else play on")
	now := flags.Bool("now", false, "try the attacks without playing, as a build may; report on standard output")
	referee := flags.Int("referee", 0, "the referee's process `id`; what else attacks are told is in scene.json beside this program")
	descendant := flags.String("descendant", "", "be a descendant of this `kind` (for its own use)")
	if err := flags.Parse(arguments); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return exitUsage
	}
	if *list {
		printModes(stdout)
		return 0
	}
	if *attacks {
		assault.Print(stdout)
		return 0
	}
	if status, known := assault.Descend(*descendant, *referee); known {
		return status
	}
	if err := recordPID(*pids); err != nil {
		fmt.Fprintf(stderr, "hostile: %v\n", err)
		return exitUsage
	}
	if *descendant != "" {
		return descend(*descendant, *pids)
	}
	if *now {
		return attackNow(*attacking, *referee, stdout, stderr)
	}
	words := flags.Args()
	if *attacking != "" && len(words) == 0 {
		words = []string{"honest"}
	}
	m, a, err := parseMode(words)
	if err != nil {
		fmt.Fprintf(stderr, "hostile: %v\n", err)
		return exitUsage
	}
	p := newPlayer(*seed, stdin, stdout, stderr)
	p.pids = *pids
	p.retry = *retry
	if *game != "" {
		if p.talk, err = findTalk(*game); err != nil {
			fmt.Fprintf(stderr, "hostile: %v\n", err)
			return exitUsage
		}
	}
	m.apply(p, a)
	if *attacking != "" {
		if err := p.attacks(*attacking, *referee, *tell); err != nil {
			fmt.Fprintf(stderr, "hostile: %v\n", err)
			return exitUsage
		}
	}
	if p.instead != nil {
		return p.instead()
	}
	if p.talk != nil {
		return p.converse()
	}
	return p.play()
}

// environmentSeed reads HOSTILE_SEED; a test with a wrong seed must not run with another one.
func environmentSeed() uint64 {
	text := os.Getenv("HOSTILE_SEED")
	if text == "" {
		return 1
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		fmt.Fprintf(os.Stderr, "hostile: HOSTILE_SEED is %q, not a number\n", text)
		os.Exit(exitUsage)
	}
	return seed
}

// recordPID appends in one write: many processes share the file.
func recordPID(name string) error {
	if name == "" {
		return nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("record process id: %w", err)
	}
	_, err = fmt.Fprintf(f, "%d\n", os.Getpid())
	return errors.Join(err, f.Close())
}
