package isolation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"luzhanqi/check/attack"
	"luzhanqi/protocol-tests/hostile/assault"
	"luzhanqi/referee"
)

// planText has an attacker that looks for the token, and moves to its opponent's processor, an innocent program and a
// built-in player. ATTACKER is its command, PORT the queue's.
const planText = `
name = "attacked"
game = "luzhanqi"
format = "round-robin"
games = 2
seed = 4
pin = "auto"
[limits]
setup = "30s"
move = "30s"
grace = "2s"
max_plies = 40
[queue]
listen = "127.0.0.1:PORT"
TOKEN
[[player]]
name = "attacker"
command = "ATTACKER"
[[player]]
name = "victim"
command = "DIR/players/victim honest"
[[player]]
name = "random"
level = "random"
`

// TestTournamentAmongAttackers: players of a tournament find neither plan, store nor token, leave their processor to nobody
// else's harm, and lose; the same in a worker of its own.
func TestTournamentAmongAttackers(t *testing.T) {
	const here = `exec "$0" tournament run plan.toml --store store`
	// The worker goes on until it is told to end.
	const elsewhere = `"$0" tournament run plan.toml --store store --concurrency 0 & run=$!
while [ ! -s store/worker.token ] && kill -0 $run; do sleep 0.1; done
"$0" worker nats://127.0.0.1:PORT --token-file store/worker.token & worker=$!
wait $run; code=$?; kill $worker; wait $worker; exit $code`
	for name, script := range map[string]string{"in one process": here, "in a worker": elsewhere} {
		for _, uid := range users() {
			t.Run(fmt.Sprintf("%s/user %d", name, uid), func(t *testing.T) {
				p := newPlayground(t, uid)
				p.Hidden = append(p.besides(), p.path("cwd", "store"))
				if name == "in one process" { // a worker does not know where the plan is, in which there is no token
					p.Hidden = append(p.Hidden, p.path("cwd", "plan.toml"))
				}
				attacker := p.path("players", "hostile") + " -attack " + levels[0].probes()
				p.tell(t, p.path("players"))
				port := freePort(t)
				token := ""
				if name == "in one process" { // else the run makes one
					token = `token = "` + attack.Secret(p.Mark) + `"`
				}
				text := strings.NewReplacer("ATTACKER", attacker, "DIR", p.dir, "PORT", port, "TOKEN", token).Replace(planText)
				if err := os.WriteFile(p.path("cwd", "plan.toml"), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				os.Chown(p.path("cwd", "plan.toml"), uid, uid)
				f := order{
					Args: []string{"/bin/sh", "-c", strings.ReplaceAll(script, "PORT", port), command}, Dir: p.path("cwd"), UID: uid, Mark: p.Mark, Leak: p.Elsewhere, Redirect: p.path("cwd"),
					Limit: 2 * time.Minute, StopAfter: time.Second,
					Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.path("home"), "TMPDIR=" + p.path("tmp")},
				}.run(t)
				if f.Code != 0 || f.Signal != 0 || f.Overdue || f.Stopped > 0 {
					t.Errorf("the tournament ended with code %d, signal %d, stopped %d times, killed by the test: %v", f.Code, f.Signal, f.Stopped, f.Overdue)
				}
				if f.Left != nil || f.Terminal != nil || f.Keys != nil {
					t.Errorf("left: %q %q %q", f.Left, f.Terminal, f.Keys)
				}
				if left := p.leftovers(); left != nil {
					t.Errorf("left: %q", left)
				}
				p.judged(t)
				if t.Failed() {
					t.Logf("%.3000s\n%.3000s", f.Stdout, f.Stderr)
				}
			})
		}
	}
}

// judged checks the games in the store: all were played, the attacker lost its own, and got nothing.
func (p *playground) judged(t *testing.T) {
	t.Helper()
	c := exec.Command(command, "tournament", "report", p.path("cwd", "plan.toml"), "--store", p.path("cwd", "store"), "--games", p.path("games.jsonl"))
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("report: %v: %s", err, out)
		return
	}
	text, err := os.ReadFile(p.path("games.jsonl"))
	if err != nil {
		t.Error(err)
		return
	}
	games := 0
	for line := range bytes.Lines(text) {
		var g struct {
			Players []int // as the plan lists them; the attacker is 0
			Ending  *referee.Ending
		}
		if err := json.Unmarshal(line, &g); err != nil || g.Ending == nil {
			t.Errorf("%v: %s", err, line)
			continue
		}
		games++
		seat := slices.Index(g.Players, 0)
		if seat >= 0 && (g.Ending.Fault == nil || int(*g.Ending.Fault) != seat) {
			t.Errorf("the attacker, player %d, is not at fault: %s", seat+1, g.Ending.Reason)
		}
		for said := range strings.Lines(g.Ending.StderrTail) {
			if strings.HasPrefix(said, assault.Stolen) || strings.HasPrefix(said, assault.Broken) {
				t.Error(strings.TrimSpace(said))
			}
		}
	}
	if games != 6 {
		t.Errorf("%d games, want 6: %s", games, text)
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}
