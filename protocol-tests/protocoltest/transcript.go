package protocoltest

import (
	"strings"
	"sync"
)

// A Transcript is what a terminal or a process has shown; it may be read while they go on. Its zero value is empty.
type Transcript struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *Transcript) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *Transcript) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}
