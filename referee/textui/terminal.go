// Package textui is what people see and type at a terminal: [Terminal] is where lines come from and text goes to, and [New] shows
// a game in words. Who sits there, and what is legal, package referee knows.
package textui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"luzhanqi/game"
)

// Terminal is where people play: lines come in, text goes out. Two people may share one.
type Terminal struct {
	Lines <-chan string // what is typed, without line ends; closed at the end of input
	Out   io.Writer
	// Screen says that Out shows one board at a time, on a screen of its own which [Terminal.Leave] takes away.
	Screen bool

	mu      sync.Mutex // of what follows, and of what Out shows of it
	shown   string     // the latest board
	prompt  string     // that waits for its answer; empty: none
	entered bool
}

// Codes of terminals: to the alternate screen and back, and to clear it.
const (
	enterScreen = "\x1b[?1049h"
	leaveScreen = "\x1b[?1049l"
	clearScreen = "\x1b[H\x1b[2J"
)

// Show prints a board. On a screen it replaces all that is there.
func (t *Terminal) Show(board string) {
	if !t.Screen {
		fmt.Fprint(t.Out, board)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.entered {
		t.entered = true
		openScreens.add(t)
		fmt.Fprint(t.Out, enterScreen)
	}
	t.shown = strings.Trim(board, "\n") + "\n\n"
	fmt.Fprint(t.Out, clearScreen+t.shown)
}

// Again shows the latest board once more, if there is a screen that other text may have filled.
func (t *Terminal) Again() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.Screen && t.entered {
		fmt.Fprint(t.Out, clearScreen+t.shown)
	}
}

// Leave takes the screen away, and prints the latest board where it stays.
func (t *Terminal) Leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.Screen && t.entered {
		t.entered = false
		openScreens.remove(t)
		fmt.Fprint(t.Out, leaveScreen+t.shown)
	}
}

// Ask prints a prompt and reads a line; false: there is none any more.
func (t *Terminal) Ask(ctx context.Context, prompt string) (string, bool) {
	t.waits(prompt)
	defer t.waits("")
	if ctx.Err() != nil {
		return "", false
	}
	select {
	case line, ok := <-t.Lines:
		if !ok {
			fmt.Fprintln(t.Out) // the prompt is not the last line
		}
		return line, ok
	case <-ctx.Done():
		return "", false
	}
}

// waits prints a prompt and keeps it until it is answered.
func (t *Terminal) waits(prompt string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.prompt = prompt
	fmt.Fprint(t.Out, prompt)
}

// maxTyped bounds a line that a person types, far above the longest set-up.
const maxTyped = 64 << 10

// NewTerminal is a terminal whose lines come from in until its end or that of the context. The goroutine that
// reads ends with its next line after the context has.
func NewTerminal(ctx context.Context, in io.Reader, out io.Writer) *Terminal {
	lines := make(chan string)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, maxTyped)
		for scanner.Scan() {
			select {
			case lines <- strings.TrimSuffix(scanner.Text(), "\r"):
			case <-ctx.Done():
				return
			}
		}
	}()
	return &Terminal{Lines: lines, Out: out}
}

// ErrLeft: the person quit instead of choosing a side.
var ErrLeft = errors.New("no side was chosen")

// AskSide asks which side the person wants to play, until there is an answer.
func (t *Terminal) AskSide(ctx context.Context, g game.PersonGame) (game.Side, error) {
	for {
		line, ok := t.Ask(ctx, g.SideQuestion())
		switch {
		case !ok && ctx.Err() != nil:
			return 0, context.Cause(ctx)
		case !ok || strings.EqualFold(strings.TrimSpace(line), "quit"):
			return 0, ErrLeft
		}
		side, err := g.ReadSide(line)
		if err == nil {
			return side, nil
		}
		fmt.Fprintf(t.Out, "%v\n", err)
	}
}
