//go:build unix

package process

import (
	"testing"
	"time"

	"luzhanqi/clock"
)

// TestPause: in a pause no program runs, and its time does not, either.
func TestPause(t *testing.T) {
	const pause = 1500 * time.Millisecond
	p := sh(t, "for i in 1 2 3 4 5 6 7 8; do sleep 0.1; echo $i; (sleep 0.1 & wait); done; echo end; sleep 60")
	deadline := clock.Now().Add(10 * time.Second)
	buf := make([]byte, 10)
	if _, err := p.Read(buf, deadline); err != nil {
		t.Fatal(err)
	}
	limit := clock.Now().Add(time.Second)
	PauseAll()
	time.Sleep(pause)
	if n, err := p.stdout.read(buf, time.Time{}); n > len("2\n3\n") {
		t.Errorf("in a pause it wrote %q, %v", buf[:n], err)
	}
	ResumeAll()
	if _, err := p.Read(buf, limit); err != nil {
		t.Errorf("the pause was counted: %v", err)
	}
	readAll(t, p, "end")
}

// TestPauseWhileReading: a read that waits already goes on waiting after a pause.
func TestPauseWhileReading(t *testing.T) {
	for name, terminal := range map[string]bool{"pipe": false, "terminal": true} {
		t.Run(name, func(t *testing.T) {
			p, err := Start(Command{Args: []string{"/bin/sh", "-c", "echo; sleep 0.5; echo late; sleep 60"}, Terminal: terminal})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Stop(0)
			readAll(t, p, "\n")
			paused := make(chan struct{})
			go func() {
				defer close(paused)
				time.Sleep(100 * time.Millisecond)
				PauseAll()
				time.Sleep(2 * time.Second)
				ResumeAll()
			}()
			if n, err := p.Read(make([]byte, 10), clock.Now().Add(1500*time.Millisecond)); n == 0 {
				t.Errorf("the pause was counted: %v", err)
			}
			<-paused
		})
	}
}
