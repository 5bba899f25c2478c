package protocoltests

import (
	"path/filepath"
	"regexp"
	"testing"
	"time"

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
			"sleeps, and answers a moment late", "sleep 0.8; echo '(resign)'", referee.Sleeping, true,
			`; it computed for .* of this, and then slept or waited; its answer came only when it was told the end: it was late, or did not flush its output`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.doing == referee.Computing || c.unflushed && c.doing == referee.Sleeping {
				protocoltest.Alone(t) // among many others, it gets no processor, or its time is seen to be over when it has answered
			}
			t.Parallel()
			dir := t.TempDir()
			m := trial{mode: "honest", want: byRule}.match(dir, filepath.Join(dir, "pids"))
			m.Entrants[0].Command.Args = []string{"sh", "-c", c.script}
			m.Limits.SetUp, m.Limits.Grace = 500*time.Millisecond, 200*time.Millisecond
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
