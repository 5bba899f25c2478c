package isolation

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"luzhanqi/process/processtest"
	"luzhanqi/protocol-tests/protocoltest"
)

// honestModes are hostile programs that do no wrong, in every conversation.
var honestModes = []string{
	"honest", "habit-no-newline", "habit-newline-inside", "habit-many-lines", "habit-blanks", "habit-crlf", "habit-tabs", "habit-split-writes",
	"habit-after-end", "late 5", "busy 5", "slow-whole 20", "resign move5", "ignore-term", "orphan", "orphan-tree", "linger",
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

// TestSealedStarters: the examples play to an end by the rules.
func TestSealedStarters(t *testing.T) {
	processtest.Need(t, "python3")
	files, err := filepath.Glob("../../examples/*.py")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples: ", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".py")
		game := name
		if name == "starter" { // it was there before the other games
			game = "luzhanqi"
		}
		t.Run(name, func(t *testing.T) {
			c := exec.Command(command, "match", "python3 "+filepath.Base(file), "builtin:random", "--game", game, "--seed=3",
				"--time=10s", "--grace=5s", "--max-plies=20", "--sandbox=sealed", "--json")
			c.Dir = "../../examples"
			out, err := c.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			ended := endings(out)
			if len(ended) != 1 || ended[0].Fault != nil {
				t.Errorf("the program is at fault, or there is no game: %s", out)
			}
		})
	}
}
