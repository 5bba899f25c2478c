// Command consoles plays GasTank chess as three programs that were written for a person at a keyboard
// do: each takes itself for the computer, and they differ in everything else.
//
//	consoles [-seed N] [-wait MS] MODE
//	consoles -list
//
// A mode is hatchback, convertible or pickup; see the file of each name. All play legal moves: they take
// the king when they can, else often capture, else move at random, as -seed decides. -wait is how long
// they think before each move, silently, in milliseconds. pickup shows something only if its standard
// output is a terminal.
//
// Exit status: 0 after the game or at the end of the input, 64 for a wrong command line, 70 when nobody
// has ended the program for ten minutes.
//
// The program shares no code with the referee: it would share its mistakes.
package main

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

const (
	exitUsage    = 64
	exitOutlived = 70
)

// lifetime ends a program that nobody kills.
const lifetime = 10 * time.Minute

func main() {
	time.AfterFunc(lifetime, func() { os.Exit(exitOutlived) })
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, term.IsTerminal(int(os.Stdout.Fd()))))
}

// modes are the programs, each in its file.
var modes = []struct {
	name, does string
	play       func(*console)
}{
	{"hatchback", "echoes, thinks aloud, loses what is typed before the prompt; capitals; says what is illegal", hatchback},
	{"convertible", "an escape code before every character, small letters, prints its moves mirrored beside; refuses silently, claims victory early, floods at end of file", convertible},
	{"pickup", "shows nothing on a pipe; misprints its moves beside a right board; ignores illegal moves, never announces the end", pickup},
}

func run(arguments []string, stdin io.Reader, stdout, stderr io.Writer, terminal bool) int {
	flags := flag.NewFlagSet("consoles", flag.ContinueOnError)
	flags.SetOutput(stderr)
	seed := flags.Uint64("seed", 1, "decides every random choice")
	wait := flags.Int("wait", 0, "how many milliseconds to think before each move")
	list := flags.Bool("list", false, "print every mode and what it does")
	if err := flags.Parse(arguments); err != nil {
		return exitUsage
	}
	var names []string
	for _, m := range modes {
		names = append(names, m.name)
		if *list {
			fmt.Fprintf(stdout, "%s\t%s\n", m.name, m.does)
		}
		if flags.NArg() == 1 && flags.Arg(0) == m.name && *wait >= 0 {
			m.play(&console{
				lines: listen(stdin), out: stdout, terminal: terminal,
				random: newRandom(*seed), think: time.Duration(*wait) * time.Millisecond,
			})
			return 0
		}
	}
	if *list {
		return 0
	}
	fmt.Fprintf(stderr, "consoles: expected one mode (%s), found %q\n", strings.Join(names, ", "), flags.Args())
	return exitUsage
}

func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
