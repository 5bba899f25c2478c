package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"
)

// console is a program's side of the screen and keyboard.
type console struct {
	lines    <-chan string // closed at the end of the input
	out      io.Writer
	terminal bool
	random   *rand.Rand
	think    time.Duration
}

// listen reads lines as they come, so that what is typed too early can be told from what is not.
func listen(in io.Reader) <-chan string {
	lines := make(chan string, 1000)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(in); scanner.Scan(); {
			lines <- strings.TrimRight(scanner.Text(), "\r")
		}
	}()
	return lines
}

func (t *console) say(format string, arguments ...any) { fmt.Fprintf(t.out, format, arguments...) }

// ask waits for a line after a prompt; false at the end of the input.
func (t *console) ask(prompt string) (string, bool) {
	t.say("%s", prompt)
	line, ok := <-t.lines
	return line, ok
}

// forget drops what was typed so far, and in the next 5 ms: what programs that flush their input do.
func (t *console) forget() {
	for deadline := time.After(5 * time.Millisecond); ; {
		select {
		case _, ok := <-t.lines:
			if !ok {
				return
			}
		case <-deadline:
			return
		}
	}
}
