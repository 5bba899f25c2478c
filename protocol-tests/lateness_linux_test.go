package protocoltests

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/process/processtest"
	"luzhanqi/protocol-tests/protocoltest"
	"luzhanqi/referee"
)

// TestLateness: who loses by time is told what it did meanwhile.
func TestLateness(t *testing.T) {
	processtest.Need(t, "sh")
	for _, c := range []struct {
		name, script string
		doing        referee.Doing
		unflushed    bool
		says         string
	}{
		{"computes", "while :; do :; done", referee.Computing, false, "; it computed all the time"},
		{"waits for input", "read line; read line; read line", referee.Reading, false, `; it computed for .* of this, and then waited for input`},
		{"sleeps", "exec sleep 100", referee.Sleeping, false, `; it computed for .* of this, and then slept`},
		{
			"does not flush", "while read line; do :; done; echo '(resign)'", referee.Reading, true,
			`; it computed for .* and then waited for input, and its answer came only when it was told the end: it did not flush its output, or waited for one line more`,
		},
		{
			"sleeps, and answers a moment late", `: <"$ENDED"; echo '(resign)'`, referee.Sleeping, true, // whoever opens a fifo waits for the other side
			`; it computed for .* of this, and then slept or waited; its answer came only when it was told the end: it was late, or did not flush its output`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.doing == referee.Computing {
				protocoltest.Alone(t) // among many others, it gets no processor
			}
			t.Parallel()
			dir := t.TempDir()
			m := trial{mode: "honest", want: byRule}.match(dir, filepath.Join(dir, "pids"))
			ended := filepath.Join(dir, "ended")
			if err := syscall.Mkfifo(ended, 0o600); err != nil {
				t.Fatal(err)
			}
			m.Entrants[0].Command.Args = []string{"sh", "-c", c.script}
			m.Entrants[0].Command.Env = append(m.Entrants[0].Command.Env, "ENDED="+ended)
			m.Limits.SetUp, m.Limits.Grace = 500*time.Millisecond, 200*time.Millisecond
			m.Watch = func(*referee.Game) referee.Observer { return &afterEnd{opens: ended} }
			m.Ended = func(r referee.Result, _ referee.Score) {
				e, late := r.Ending, r.Ending.Late
				if e.Code == referee.Void {
					return // Run says so
				}
				if e.Code != referee.TimedOut || late == nil || late.Doing != c.doing || late.Unflushed != c.unflushed {
					t.Errorf("%s: %+v: %s", e.Code, late, e.Reason)
				}
				if !regexp.MustCompile(c.says).MatchString(e.Reason) {
					t.Errorf("%q does not say %q", e.Reason, c.says)
				}
				replays(t, r)
			}
			if _, err := m.Run(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// afterEnd opens a fifo, once player 1 is told the end.
type afterEnd struct {
	referee.Observers
	opens string
}

func (a *afterEnd) Message(m referee.Message) {
	if m.Sent && m.Side == game.First && bytes.HasPrefix(m.Text, []byte("(end")) {
		if f, err := os.OpenFile(a.opens, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil { // else nobody waits for it
			f.Close()
		}
	}
}
