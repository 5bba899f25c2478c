package isolation

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"luzhanqi/check/attack"
	"luzhanqi/protocol-tests/hostile/assault"
)

// TestRedirectedOutput: what check and grade write into files, when their output is redirected into some, no guarded program reads, nor what
// else is always hidden in the folder where they are started. (play runs no program.)
func TestRedirectedOutput(t *testing.T) {
	const attacks = " -attack hidden-file,watch"
	for _, uid := range users() {
		t.Run(fmt.Sprint("check/user ", uid), func(t *testing.T) {
			t.Parallel()
			p := newPlayground(t, uid)
			p.Hidden = p.besides()
			p.tell(t, p.path("players"))
			said := p.notRead(t, []string{
				command, "check", p.path("players", "hostile") + attacks, "--only=first-move-legal,moves-in-time", "--time=60s", "--setup-time=60s", "--stderr=show",
			}, 3)
			if !strings.Contains(said, "tried 2") {
				t.Errorf("nothing was tried: %s", said)
			}
		})
		t.Run(fmt.Sprint("grade/user ", uid), func(t *testing.T) {
			t.Parallel()
			p := newPlayground(t, uid)
			p.Hidden = p.besides()
			p.handIn(t, "builds", "exec ./hostile"+attacks+" -now", "exec ./hostile honest")
			p.handIn(t, "plays", "true", "exec ./hostile"+attacks)
			p.notRead(t, append(p.graded(t, nil, ""), "--sandbox=guarded"), 0)
			for _, line := range p.evidence(t) {
				t.Error(line)
			}
			for _, name := range []string{"builds", "plays"} {
				if page, _ := os.ReadFile(p.path("out", name, "index.html")); !strings.Contains(string(page), "tried 2") {
					t.Errorf("the page of %s does not say that it has tried: %.2000s", name, page)
				}
			}
		})
	}
}

// notRead runs a command whose output goes into files that are hidden from its programs.
func (p *playground) notRead(t *testing.T, args []string, code int) (said string) {
	t.Helper()
	f := order{
		Args: args, Dir: p.path("cwd"), UID: p.uid, Mark: p.Mark, Redirect: p.path("cwd"), Limit: 2 * time.Minute, StopAfter: time.Second,
		Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.path("home"), "TMPDIR=" + p.path("tmp")},
	}.run(t)
	said = f.Stdout + f.Stderr
	if f.Code != code || f.Overdue {
		t.Errorf("exit code %d, want %d: %s", f.Code, code, said)
	}
	for line := range strings.Lines(said) {
		if strings.Contains(line, assault.Stolen+" ") || strings.Contains(line, assault.Broken+" ") {
			t.Error(strings.TrimSpace(line))
		}
	}
	if !strings.Contains(said, attack.Secret(p.Mark)) {
		t.Errorf("the output was not redirected into the file with the secret: %s", said)
	}
	if left := slices.Concat(p.leftovers(), f.Left); left != nil {
		t.Errorf("left: %q", left)
	}
	return said
}
