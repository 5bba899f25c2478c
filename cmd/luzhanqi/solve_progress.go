package main

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// stages shows how far a solve is, on standard error: a bar on a terminal, else lines.
type stages struct {
	*stdio
	terminal bool
	name     string
	bar      *progressbar.ProgressBar
	began    time.Time
	percent  int // shown last
}

func newStages(c *stdio) *stages {
	return &stages{stdio: c, terminal: term.IsTerminal(int(c.err.Fd()))}
}

// step is how many per cent lie between two lines.
const step = 5

func (s *stages) progress(name string, done, total int) {
	if name != s.name {
		s.done()
		s.name, s.began, s.percent = name, time.Now(), -step
		if s.terminal {
			s.bar = progressbar.NewOptions(total,
				progressbar.OptionSetWriter(s.err), progressbar.OptionSetDescription(name), progressbar.OptionShowCount(),
				progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond))
		}
	}
	if s.bar != nil {
		s.bar.Set(done)
		return
	}
	if percent := 100 * done / max(total, 1); percent >= s.percent+step || done == total && percent > s.percent {
		s.percent = percent
		fmt.Fprintf(s.err, "%s: %d of %d, %d %%, after %v\n", name, done, total, percent, time.Since(s.began).Round(time.Second))
	}
}

// done takes the bar away.
func (s *stages) done() {
	if s.bar != nil {
		fmt.Fprint(s.err, "\r\x1b[2K") // its own Clear leaves the line when the bar is not full
		s.bar = nil
	}
}
