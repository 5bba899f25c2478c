package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// logLine is a line of what a probe has seen.
type logLine struct {
	Event string `json:"event"`
	At    int64  `json:"at"` // nanoseconds since 1970
	PID   int    `json:"pid,omitempty"`
	Text  string `json:"text,omitempty"`  // start: arguments; heard: bytes; strange: what is wrong; misbehaviour
	SetUp string `json:"setup,omitempty"` // that it gave
	Move  string `json:"move,omitempty"`  // that it made, in player 1's frame as far as it knows
	View  string `json:"view,omitempty"`  // what it saw when it was asked
	// Moves are what it could do, if it was started for this question: such a probe does not know its side,
	// and pictures of its view differ from those of others.
	Moves []string `json:"moves,omitempty"`
	Side  int      `json:"side,omitempty"` // that it believes to be, 1 or 2
}

// The events of a log.
const (
	logStart        = "start"
	logHeard        = "heard"
	logStrange      = "strange" // something that does not fit the dialect
	logSetUp        = "setup"
	logMove         = "move"
	logResign       = "resign"       // it was asked, and has no move
	logMisbehaviour = "misbehaviour" // it does now what it is there for
	logEnd          = "end"
)

// probeLog writes each line at once: a probe may be killed at any time.
type probeLog struct{ file *os.File }

func openLog(name string) (*probeLog, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	return &probeLog{f}, nil
}

func (l *probeLog) add(line logLine) {
	line.At = time.Now().UnixNano()
	text, err := json.Marshal(line)
	if err == nil {
		_, err = l.file.Write(append(text, '\n'))
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "probe: write the log: %v\n", err)
	}
}

// maxLog bounds what is read of a log; a game of 2,000 plies takes 4 MiB.
const maxLog = 64 << 20

// readLog reads a log; a last line that is not whole is left out.
func readLog(name string) (all []logLine, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if len(text) > maxLog {
		return nil, fmt.Errorf("%s has %d bytes: allowed are %d", name, len(text), maxLog)
	}
	if all, err = parseLog(text); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return all, nil
}

func parseLog(text []byte) (all []logLine, err error) {
	for line := range bytes.Lines(text) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		var l logLine
		if err := json.Unmarshal(line, &l); err != nil {
			return nil, fmt.Errorf("line %d is not a line of a log: %w", len(all)+1, err)
		}
		all = append(all, l)
	}
	return all, nil
}
