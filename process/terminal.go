package process

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

// A program that talks to a person may behave differently on a pipe: it buffers, or shows nothing.
// A command with Terminal set gets a pseudo-terminal as its standard input, its standard output and
// its controlling terminal, set so that bytes stay what they are:
//
//   - nothing that is typed is echoed (ECHO off), so all that is read comes from the program;
//   - output is passed on as written (OPOST off): a newline stays one, and is not made CRLF;
//   - input is cooked as for every program at a keyboard: it is read by lines, and ^D ends it;
//   - the keys that send signals or stop output have no effect (ISIG and IXON off).
//
// It has 24 rows of 80 columns. Standard error stays a pipe of its own. The program may change all
// of that, as on any terminal.

// ErrNoTerminal is the error of Start and Check where there are no pseudo-terminals.
var ErrNoTerminal = errors.New("no pseudo-terminals on this system")

// terminalTrouble says why there can be no terminal.
func terminalTrouble() error {
	if hasTerminals {
		return nil
	}
	return fmt.Errorf("a program that needs a terminal: %w (%s); allowed are programs that talk over pipes", ErrNoTerminal, runtime.GOOS)
}

// terminal makes a pseudo-terminal and a pipe for standard error.
func (p *Process) terminal() (theirs [3]*os.File, err error) {
	if err := terminalTrouble(); err != nil {
		return theirs, err
	}
	if p.stdin, p.stdout, theirs[0], err = newTerminal(); err != nil {
		return theirs, fmt.Errorf("make a pseudo-terminal: %w", err)
	}
	theirs[1] = theirs[0]
	if p.stderr, theirs[2], err = os.Pipe(); err != nil {
		p.stdin.Close()
		p.stdout.Close()
		theirs[0].Close()
		return theirs, fmt.Errorf("make a pipe: %w", err)
	}
	return theirs, nil
}
