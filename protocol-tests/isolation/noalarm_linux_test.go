package isolation

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"luzhanqi/protocol-tests/protocoltest"
)

// honestModes are hostile programs that do no wrong, in every conversation.
var honestModes = []string{
	"honest", "habit-no-newline", "habit-newline-inside", "habit-many-lines", "habit-blanks", "habit-crlf", "habit-tabs", "habit-split-writes",
	"habit-after-end", "late 5", "busy 5", "slow-whole 20", "resign move5", "ignore-term", "orphan", "orphan-tree", "linger",
}

// TestCheckInWays: the check of an honest program finds nothing wrong with it, however programs are isolated: whose processes
// are whose is not the same in all of these ways.
func TestCheckInWays(t *testing.T) {
	for i, l := range levels {
		for j, uid := range users() {
			if l.root && uid != 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s/user_%d", l.name, uid), func(t *testing.T) {
				t.Parallel()
				l.check(t, uid)
				p := newPlayground(t, uid)
				profile := "guarded"
				if l.open == nil && (i+j)%2 == 0 {
					profile = "sealed"
				}
				args := []string{command, "check", p.path("players", "hostile") + " honest", "--game=luzhanqi", "--dialect=5500", "--games=4", "--seed=7", "--sandbox=" + profile}
				if !protocoltest.Nightly() {
					args = append(args, "--only=starts,no-leftovers,memory,processor-time")
				}
				out := order{
					Args: append(l.prefix(), args...), Dir: p.path("cwd"), UID: uid, Mark: p.Mark, Limit: time.Minute,
					Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.path("home"), "TMPDIR=" + p.path("tmp")},
				}.run(t)
				if out.Code != 0 || !strings.Contains(out.Stdout, " 0 failed") {
					t.Errorf("%s: exit code %d: %s%s", profile, out.Code, out.Stdout, out.Stderr)
				}
			})
		}
	}
}

// TestSealedGamesAreTheSame: sealed, honest programs play the very games that they play unconfined.
func TestSealedGamesAreTheSame(t *testing.T) {
	for i, mode := range honestModes {
		if !protocoltest.Nightly() && i%4 != 0 {
			continue
		}
		for _, uid := range users() {
			t.Run(fmt.Sprintf("%s/user_%d", strings.ReplaceAll(mode, " ", "_"), uid), func(t *testing.T) {
				t.Parallel()
				games := map[string]string{}
				for _, profile := range []string{"off", "guarded", "sealed"} {
					p := newPlayground(t, uid)
					out := order{
						Args: []string{
							command, "match", p.path("players", "hostile") + " " + mode, "builtin:random", "--seed=3", "--max-plies=40", "--grace=2s",
							"--time=60s", "--setup-time=60s", "--record=../records", "--sandbox=" + profile,
						},
						Dir: p.path("cwd"), UID: uid, Mark: p.Mark, Limit: time.Minute,
						Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.path("home"), "TMPDIR=" + p.path("tmp")},
					}.run(t)
					if out.Code != 0 {
						t.Errorf("%s: exit code %d: %s%s", profile, out.Code, out.Stdout, out.Stderr)
					}
					games[profile] = played(t, p.path("records"))
				}
				if games["off"] == "" || games["guarded"] != games["off"] || games["sealed"] != games["off"] {
					t.Errorf("off\n%s\nguarded\n%s\nsealed\n%s", games["off"], games["guarded"], games["sealed"])
				}
			})
		}
	}
}
