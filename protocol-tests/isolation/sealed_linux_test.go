package isolation

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"luzhanqi/check/attack"
	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/process/sandbox"
	"luzhanqi/protocol-tests/hostile/assault"
	"luzhanqi/protocol-tests/protocoltest"
)

// TestSealedMatch plays attacks in a match whose programs are sealed, which must stop all of them.
func TestSealedMatch(t *testing.T) {
	calm := &calmGames{games: map[string]outcome{}}
	promised := strings.Join(append(attack.Promised(sandbox.Sealed, process.Isolation()), "own-environment"), assault.Separator)
	for i, uid := range users() {
		b := &battle{level: levels[0], uid: uid, calm: calm}
		for j, attacks := range []string{promised, "stop-referee", "kill-opponent", "vandalise", "litter", "leave-family"} {
			t.Run(fmt.Sprintf("user_%d/%.20s", uid, attacks), func(t *testing.T) {
				t.Parallel()
				b.level.check(t, uid)
				b.fight(t, foray{attacks: attacks, seat: game.Side((i + j) % 2), flags: []string{"--sandbox=sealed"}}, false)
			})
		}
	}
}

// TestKept: what is kept of a hostile program's directory is files, folders and links of its own. Nothing is followed to copy
// it, and nothing that is kept is a program of another user, a pipe or a device.
func TestKept(t *testing.T) {
	for _, uid := range users() {
		for _, profile := range []string{"guarded", "sealed"} {
			t.Run(fmt.Sprintf("user_%d/%s", uid, profile), func(t *testing.T) {
				t.Parallel()
				p := newPlayground(t, uid)
				p.tell(t, p.path("players"))
				before := p.image(t)
				out, err := os.MkdirTemp("", "luzhanqi-kept-")
				if err == nil && os.Getuid() == 0 {
					err = os.Chown(out, uid, uid)
				}
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { os.RemoveAll(out) })
				f := order{
					Args: []string{
						command, "match", p.path("players", "hostile") + " -attack vandalise,litter,leave-family", p.path("players", "victim") + " honest",
						"--seed=1", "--time=60s", "--setup-time=60s", "--grace=2s", "--json", "--record=../records", "--keep=" + out, "--sandbox=" + profile,
					},
					Dir: p.path("cwd"), UID: uid, Mark: p.Mark, Limit: time.Minute, StopAfter: time.Second,
					Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.path("home"), "TMPDIR=" + p.path("tmp")},
				}.run(t)
				if f.Overdue || f.Signal != 0 || len(endings([]byte(f.Stdout))) != 1 {
					t.Errorf("the match was killed at its limit: %v, or by signal %d, or has no ending: %s%s", f.Overdue, f.Signal, f.Stdout, f.Stderr)
				}
				kept := 0
				err = filepath.WalkDir(out, func(path string, d fs.DirEntry, err error) error {
					var info fs.FileInfo
					if err == nil {
						info, err = d.Info()
					}
					if errors.Is(err, syscall.ENAMETOOLONG) {
						return nil // folders deeper than any path
					}
					if err != nil {
						return err
					}
					kept++
					if special := info.Mode() & (fs.ModeSetuid | fs.ModeSetgid | fs.ModeNamedPipe | fs.ModeSocket | fs.ModeDevice); special != 0 {
						t.Errorf("%s is %v", path, info.Mode())
					}
					if text, _ := os.ReadFile(path); d.Type().IsRegular() && (strings.Contains(string(text), attack.Secret(p.Mark)) || string(text) == "mine\n") {
						t.Errorf("%s holds what is another's", path)
					}
					return nil
				})
				if err != nil || kept < 3 {
					t.Errorf("%d files and folders were kept; %v", kept, err)
				}
				if !strings.Contains(f.Stdout, "allowed are files, directories and links") {
					t.Errorf("nothing says that a pipe was not kept: %s", f.Stdout)
				}
				if changes := changed(before, p.image(t), slices.Clone); changes != nil {
					t.Errorf("files changed:\n%s", strings.Join(changes, "\n"))
				}
				if f.Left != nil {
					t.Errorf("processes outlive the referee:\n%s", strings.Join(f.Left, "\n"))
				}
			})
		}
	}
}

// hoard is a program whose children hold 3.2 GiB together, each less than any limit of one.
const hoard = "#!/bin/sh\nfor i in 1 2 3 4; do (head -c 800000000 /dev/zero; sleep 60) | tail -c 1000000000 >/dev/null & done\nsleep 60\n"

const hoardPlan = `
name = "hoard"
game = "luzhanqi"
format = "match"
games = 2
seed = 4
[limits]
setup = "30s"
[queue]
listen = "127.0.0.1:PORT"
[[player]]
name = "hoard"
command = "DIR/hoard"
[[player]]
name = "random"
level = "random"
`

// TestSealedTotalMemory: sealed programs have a total of memory without a flag.
func TestSealedTotalMemory(t *testing.T) {
	if !protocoltest.Nightly() {
		t.Skip("LUZHANQI_NIGHTLY is not set: it takes 2 GiB of memory")
	}
	for _, uid := range users() {
		p := newPlayground(t, uid)
		if err := os.WriteFile(p.path("cwd", "hoard"), []byte(hoard), 0o755); err != nil {
			t.Fatal(err)
		}
		const games = `"$0" tournament report plan.toml --store store --games games.jsonl && cat games.jsonl`
		for name, script := range map[string]string{
			"match":      `"$0" match ./hoard builtin:random --setup-time=30s --sandbox=sealed`,
			"check":      `"$0" check ./hoard --setup-time=30s --sandbox=sealed --only=starts,setup-in-time`,
			"tournament": `rm -rf store; "$0" tournament run plan.toml --store store --sandbox=sealed; ` + games,
			"worker": `rm -rf store; "$0" tournament run plan.toml --store store --sandbox=sealed --concurrency=0 & run=$!
while [ ! -s store/worker.token ] && kill -0 $run; do sleep 0.1; done
"$0" worker nats://127.0.0.1:PORT --token-file store/worker.token --sandbox=sealed & worker=$!
wait $run; kill $worker; wait $worker; ` + games,
		} {
			t.Run(fmt.Sprintf("user_%d/%s", uid, name), func(t *testing.T) {
				fill := strings.NewReplacer("DIR", p.path("cwd"), "PORT", freePort(t)).Replace
				if err := os.WriteFile(p.path("cwd", "plan.toml"), []byte(fill(hoardPlan)), 0o644); err != nil {
					t.Fatal(err)
				}
				f := order{
					Args: []string{"/bin/sh", "-c", fill(script), command},
					Dir:  p.path("cwd"), UID: uid, Mark: p.Mark, Limit: 3 * time.Minute, StopAfter: time.Second,
					Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.path("home"), "TMPDIR=" + p.path("tmp")},
				}.run(t)
				if said := f.Stdout + f.Stderr; !strings.Contains(said, "memory in all") || f.Overdue || f.Left != nil {
					t.Errorf("it took %v, left %q, and says nothing of memory in all: %s", f.Took, f.Left, said)
				}
			})
		}
	}
}
