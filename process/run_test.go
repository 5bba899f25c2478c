//go:build unix

package process

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func run(t *testing.T, script string, limits RunLimits) Result {
	t.Helper()
	if limits.Time == 0 {
		limits.Time = 30 * time.Second
	}
	return Run(t.Context(), Command{Args: []string{"/bin/sh", "-c", script}}, limits)
}

func TestRun(t *testing.T) {
	r := run(t, `cat; echo out; echo err >&2; exit 3`, RunLimits{})
	if r.OK() || r.Err != nil || r.Exit.Code != 3 || r.Stdout.String() != "out\n" || r.Stderr.String() != "err\n" || r.Exit.String() != "exited with code 3" {
		t.Errorf("%+v", r)
	}
	if r := run(t, `:`, RunLimits{}); !r.OK() || r.Stdout.String() != "" || r.Took <= 0 {
		t.Errorf("%+v", r)
	}
}

// TestRunKeepsBothEnds: of each stream, with the exact number of bytes between, however much there is.
func TestRunKeepsBothEnds(t *testing.T) {
	t.Parallel()
	r := run(t, `seq 100000 | tee /dev/stderr`, RunLimits{Head: 10, Tail: 7})
	for _, x := range []Excerpt{r.Stdout, r.Stderr} {
		if string(x.Head) != "1\n2\n3\n4\n5\n" || string(x.Tail) != "100000\n" || x.LeftOut != 588895-17 {
			t.Errorf("%q %q %d", x.Head, x.Tail, x.LeftOut)
		}
		if x.String() != "1\n2\n3\n4\n5\n\n[… 588878 bytes left out …]\n100000\n" {
			t.Errorf("%q", x)
		}
	}
	r = run(t, `head -c 20000000 /dev/zero; head -c 10000000 /dev/zero >&2; exit 0`, RunLimits{Time: time.Minute})
	if !r.OK() || r.Stdout.LeftOut != 20000000-2*Kept || r.Stderr.LeftOut != 10000000-2*Kept {
		t.Errorf("%v: %d and %d left out", r, r.Stdout.LeftOut, r.Stderr.LeftOut)
	}
}

// TestRunTimesOut: also a program that has closed its streams, and what it leaves behind is gone.
func TestRunTimesOut(t *testing.T) {
	t.Parallel()
	for _, script := range []string{"echo begun; exec sleep 100", "echo begun; exec >&- 2>&-; sleep 100", "yes"} {
		r := run(t, script, RunLimits{Time: 2 * time.Second})
		if !r.TimedOut || r.OK() || r.Err != nil || !r.Exit.Killed || len(r.Stdout.Head) == 0 {
			t.Errorf("%q: %+v", script, r)
		}
		if r.Took > 20*time.Second {
			t.Errorf("%q: took %v", script, r.Took)
		}
	}
}

func TestRunIsInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("the night is over")
	time.AfterFunc(200*time.Millisecond, func() { cancel(why) })
	for _, script := range []string{"exec sleep 100", "exec >&- 2>&-; sleep 100", ":"} { // the later ones do not begin
		r := Run(ctx, Command{Args: []string{"/bin/sh", "-c", script}}, RunLimits{Time: 90 * time.Second})
		if r.Err == nil || r.TimedOut || r.OK() || r.Took > 60*time.Second {
			t.Errorf("%q: %+v", script, r)
		}
	}
	ctx, cancel = context.WithCancelCause(t.Context())
	defer cancel(nil)
	time.AfterFunc(200*time.Millisecond, func() { cancel(why) })
	if r := Run(ctx, Command{Args: []string{"/bin/sh", "-c", "exec >&- 2>&-; sleep 100"}}, RunLimits{Time: 90 * time.Second}); !errors.Is(r.Err, why) {
		t.Errorf("%+v", r)
	}
}

func TestRunErrors(t *testing.T) {
	for want, c := range map[string]struct {
		command Command
		limits  RunLimits
	}{
		"allowed are a positive time":   {Command{Args: []string{"true"}}, RunLimits{}},
		"and positive numbers":          {Command{Args: []string{"true"}}, RunLimits{Time: 1, Head: -1}},
		"not found":                     {Command{Args: []string{"no-such-compiler"}}, RunLimits{Time: time.Second}},
		"limit of memory: 1 bytes; all": {Command{Args: []string{"true"}, Confine: Confinement{Memory: 1}}, RunLimits{Time: time.Second}},
	} {
		if r := Run(t.Context(), c.command, c.limits); r.Err == nil || r.OK() || !strings.Contains(r.Err.Error(), want) {
			t.Errorf("%+v, want %q", r, want)
		}
	}
}
