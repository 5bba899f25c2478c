package textui

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// While the process is stopped the shell has its screen; then board and prompt are there again, and nothing after the end.
func TestPutAside(t *testing.T) {
	var out bytes.Buffer
	said := func() string {
		defer out.Reset()
		return out.String()
	}
	lines := make(chan string)
	terminal := &Terminal{Lines: lines, Out: &out, Screen: true}
	PutAside()()
	if s := said(); s != "" {
		t.Errorf("before the first board: %q", s)
	}
	terminal.Show("board")
	said()
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		terminal.Ask(context.Background(), "your move? ")
	}()
	for waiting := false; !waiting; {
		terminal.mu.Lock()
		waiting = terminal.prompt != ""
		terminal.mu.Unlock()
	}
	back := PutAside()
	if s := said(); !strings.HasSuffix(s, leaveScreen) {
		t.Errorf("aside: %q", s)
	}
	back()
	if s := said(); s != enterScreen+clearScreen+"board\n\nyour move? " {
		t.Errorf("back: %q", s)
	}
	lines <- "A6 A7"
	<-asked
	PutAside()()
	if s := said(); s != leaveScreen+enterScreen+clearScreen+"board\n\n" {
		t.Errorf("after the answer: %q", s)
	}
	terminal.Leave()
	said()
	PutAside()()
	if s := said(); s != "" {
		t.Errorf("after the end: %q", s)
	}
}
