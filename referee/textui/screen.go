package textui

import (
	"fmt"
	"sync"
)

// screens are the terminals that show a screen of their own.
type screens struct {
	mu  sync.Mutex
	all map[*Terminal]bool
}

var openScreens = screens{all: map[*Terminal]bool{}}

func (s *screens) add(t *Terminal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[t] = true
}

func (s *screens) remove(t *Terminal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, t)
}

// PutAside gives the shell its screen back while this process is stopped; back brings the boards and prompts back. Nothing is
// shown between.
func PutAside() (back func()) {
	openScreens.mu.Lock()
	open := make([]*Terminal, 0, len(openScreens.all))
	for t := range openScreens.all {
		open = append(open, t)
	}
	openScreens.mu.Unlock()
	for _, t := range open {
		t.mu.Lock()
		if t.entered {
			fmt.Fprint(t.Out, leaveScreen)
		}
	}
	return func() {
		for _, t := range open {
			if t.entered {
				fmt.Fprint(t.Out, enterScreen+clearScreen+t.shown+t.prompt)
			}
			t.mu.Unlock()
		}
	}
}
