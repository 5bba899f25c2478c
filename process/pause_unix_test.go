//go:build unix

package process

import (
	"testing"
	"time"

	"luzhanqi/clock"
	"luzhanqi/process/sandbox"
	"luzhanqi/process/starvation"
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
	if starvation.Stopped(p.Starving()) {
		t.Error("the clock goes on, and the program does not yet")
	}
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

// TestHold: who is held does not run until it is let go, also when a pause of all ends meanwhile. Held, it can be killed.
func TestHold(t *testing.T) { hold(t, sandbox.Policy{}) }

func hold(t *testing.T, policy sandbox.Policy) {
	p, err := Start(Command{Args: []string{"/bin/sh", "-c", "while read line; do echo $line; done"}, Sandbox: policy})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop(0)
	hears := func(line string, limit time.Duration) bool {
		t.Helper()
		if _, err := p.Write([]byte(line), clock.Now().Add(time.Second)); err != nil {
			t.Fatal(err)
		}
		n, err := p.Read(make([]byte, 100), clock.Now().Add(limit))
		return err == nil && n == len(line)
	}
	if !hears("a\n", 10*time.Second) {
		t.Fatal("it does not answer")
	}
	// held waits until the supervisor, which is told, has done it: an answer may be on its way until then, and take a while.
	held := func() {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); hears("b\n", time.Second); {
			if time.Now().After(end) {
				t.Fatal("it answers while it is held")
			}
		}
	}
	p.Hold()
	held()
	PauseAll()
	ResumeAll()
	if n, err := p.Read(make([]byte, 100), clock.Now().Add(300*time.Millisecond)); n > 0 {
		t.Errorf("it answers while it is held, after a pause of all: %d bytes, %v", n, err)
	}
	p.LetGo()
	if n, err := p.Read(make([]byte, 100), clock.Now().Add(10*time.Second)); n != 2 {
		t.Errorf("let go, it does not answer: %v", err)
	}
	p.Hold()
	held()
	if exit, err := p.Stop(100 * time.Millisecond); err != nil || exit.Signal == 0 {
		t.Errorf("held, it ended as %+v, %v", exit, err)
	}
	p.LetGo() // nobody is there, and nothing happens
}

// TestHoldTheDead: a program that dies while it is held is dead, and neither holding nor letting go of it fails.
func TestHoldTheDead(t *testing.T) {
	p := sh(t, "echo $$; exec sleep 60")
	p.Hold()
	p.guard.kill()
	<-p.Exited()
	p.Hold()
	p.LetGo()
	if _, err := p.Stop(0); err != nil {
		t.Error(err)
	}
}
