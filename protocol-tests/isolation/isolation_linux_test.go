package isolation

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	diff "github.com/google/go-cmp/cmp"

	"luzhanqi/check/attack"
	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/process/processtest"
	"luzhanqi/process/sandbox"
	"luzhanqi/protocol-tests/hostile/assault"
	"luzhanqi/protocol-tests/protocoltest"
	"luzhanqi/referee"
)

// A level is a machine, by what it offers for isolation.
type level struct {
	name    string
	wrapper []string          // without namespaces: arguments of nonamespaces; nil: with them
	root    bool              // only for root
	open    map[string]string // attacks that succeed, and why nothing can be done there
}

var levels = []level{
	{name: "isolated"},
	{name: "isolated by bubblewrap", wrapper: []string{"-bubblewrap"}},
	{name: "isolated by a user namespace", wrapper: []string{"-container"}, root: true},
	{name: "filtered", wrapper: []string{}, open: map[string]string{
		"vandalise": "Landlock does not know the modes, owners, times and attributes of the user's files; their contents and names are safe",
	}},
}

// probes are the attacks of the command itself that are promised to be stopped, and that no token is in the environment here.
func (l level) probes() string {
	report := process.Isolation()
	if l.open != nil {
		report.Level = sandbox.Filtered
	}
	return strings.Join(append(attack.Promised(sandbox.Guarded, report), "own-environment"), assault.Separator)
}

// prefix makes the machine.
func (l level) prefix() []string {
	if l.wrapper == nil {
		return nil
	}
	return append([]string{nonamespaces}, l.wrapper...)
}

// lone is an attack in a game of its own.
type lone struct {
	name    string
	flags   []string
	games   int
	against string // ATTACKER is the attacker's command; empty: an honest program and a built-in player
	// suffers: it may hurt itself, which ends the game earlier, by its own fault.
	suffers bool
}

// alone are the attacks that are not probes, with what they need; those that are not named here are played as they are.
var alone = map[string]lone{
	"outwait-referee":   {flags: []string{"--time=1s"}},
	"notes":             {games: 2},
	"signal-supervisor": {suffers: true},
	// Without a namespace, its death is the player's.
	"kill-own-supervisor": {suffers: true},
	"storm":               {suffers: true},
	"hard-storm":          {suffers: true},
}

func lones(t *testing.T) (all []lone) {
	t.Helper()
	for _, a := range assault.Table {
		if a.Name == "none" {
			continue
		}
		l := alone[a.Name]
		l.name = a.Name
		all = append(all, l)
	}
	for _, name := range []string{"notes", "meet"} { // with an accomplice, who went first
		all = append(all, lone{name: name, against: "ATTACKER -tell=false honest"})
	}
	return all
}

// TestIsolation plays every attack at each level and as each user, against a program and against a built-in player: at night in
// all combinations, else each attack at a level by one user, and by the other at the next.
func TestIsolation(t *testing.T) {
	calm := &calmGames{games: map[string]outcome{}}
	for i, l := range levels {
		for j, uid := range users() {
			if l.root && uid != 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s/user_%d", l.name, uid), func(t *testing.T) {
				l.check(t, uid)
				b := &battle{level: l, uid: uid, calm: calm}
				for k, against := range []string{"", "builtin:random"} {
					if protocoltest.Nightly() || (i+j)%2 == k {
						t.Run("probes/"+against, func(t *testing.T) {
							t.Parallel()
							b.fight(t, foray{attacks: l.probes(), against: against, seat: game.Side(k)}, false)
						})
					}
				}
				for n, lone := range lones(t) {
					if one := 2 + 4*len(l.wrapper); !protocoltest.Nightly() && len(users()) > 1 && (i+j+n)%one != 0 {
						continue // of other ways to be isolated, which must stop the same, a few
					}
					for k, against := range lone.opponents(n + i) {
						t.Run(strings.ReplaceAll(lone.name+"/"+against, " ", "_"), func(t *testing.T) {
							t.Parallel()
							a := foray{attacks: lone.name, against: against, seat: game.Side((n + k) % 2), flags: lone.flags, games: lone.games}
							if lone.against != "" {
								a.seat = game.Second
							}
							b.fight(t, a, lone.suffers)
						})
					}
				}
			})
		}
	}
}

// opponents are whom an attack is played against: at night both a program and a built-in player, else one of them.
func (l lone) opponents(n int) []string {
	both := []string{"", "builtin:random"}
	switch {
	case l.against != "":
		return []string{l.against}
	case protocoltest.Nightly():
		return both
	case strings.HasSuffix(l.name, "-opponent"): // it is a process
		return both[:1]
	}
	return both[n%2 : n%2+1]
}

// isolations are the levels at which nothing is open.
func isolations() []level {
	return slices.DeleteFunc(slices.Clone(levels), func(l level) bool { return l.open != nil })
}

// check guards that the machine reaches what the test is about.
func (l level) check(t *testing.T, uid int) {
	t.Helper()
	if slices.Contains(l.wrapper, "-bubblewrap") {
		processtest.Need(t, "bwrap")
	}
	args := append(l.prefix(), command, "version")
	c := exec.Command(args[0], args[1:]...)
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "isolation: "+l.name) {
		t.Fatalf("luzhanqi version: %v, want isolation: %s: %s", err, l.name, out)
	}
}

// A battle is all forays of a user on a machine.
type battle struct {
	level level
	uid   int
	calm  *calmGames
}

// calmGames are how the same games go when nothing is tried. They are the same at every level and for every user.
type calmGames struct {
	mu    sync.Mutex
	games map[string]outcome
}

// calmly plays the game of a foray without the attack, once.
func (b *battle) calmly(t *testing.T, a foray) outcome {
	t.Helper()
	a.attacks = "none"
	a.against = strings.ReplaceAll(a.against, "ATTACKER", filepath.Join("..", "players", "hostile"))
	key := fmt.Sprint(a.seat, a.against, a.flags, a.games)
	b.calm.mu.Lock()
	defer b.calm.mu.Unlock()
	calm, known := b.calm.games[key]
	if !known {
		if calm = a.play(t); calm.Code != 0 || len(calm.endings) == 0 {
			t.Fatalf("without an attack, the command ends with %d: %s%s", calm.Code, calm.Stdout, calm.Stderr)
		}
		b.calm.games[key] = calm
	}
	return calm
}

// fight plays a foray and checks that the attacker gained nothing, that nothing happened to its opponent and that
// nothing is left.
func (b *battle) fight(t *testing.T, a foray, suffers bool) {
	t.Helper()
	a.uid, a.prefix = b.uid, b.level.prefix()
	calm := b.calmly(t, a)
	out := a.play(t)
	if b.level.open[a.attacks] != "" {
		out.changes = out.contents
	}
	for _, s := range out.stolen {
		if b.level.open[strings.TrimSuffix(strings.Fields(s)[1], ":")] == "" {
			t.Error(s)
		}
	}
	if out.broken != nil {
		t.Errorf("attacks that did not run as they should: %q", out.broken)
	}
	if out.Code != 0 || out.Signal != 0 || out.Overdue || out.Stopped > 0 || out.Took > calm.Took+20*time.Second {
		t.Errorf("the referee ended with code %d, signal %d, after %v; stopped %d times, killed by the test: %v\n%s",
			out.Code, out.Signal, out.Took, out.Stopped, out.Overdue, out.Stderr)
	}
	for what, left := range map[string][]string{
		"processes": out.Left, "things": out.left, "keys": out.Keys, "the terminal": out.Terminal, "files changed": out.changes,
	} {
		if left != nil {
			t.Errorf("left, %s (%d):\n%.2000s", what, len(left), strings.Join(left, "\n"))
		}
	}
	if len(out.endings) != len(calm.endings) {
		t.Errorf("%d games, want %d: %s", len(out.endings), len(calm.endings), out.Stdout)
	}
	for i, e := range out.endings {
		attacker := a.seat
		if i%2 == 1 {
			attacker = a.seat.Other()
		}
		if e.Fault == nil || *e.Fault != attacker || e.Winner == nil || *e.Winner != attacker.Other() || !suffers && e.Code != referee.Crashed {
			t.Errorf("game %d: %s, %s; want the attacker, player %v, at fault", i+1, e.Code, e.Reason, attacker)
		}
	}
	if d := diff.Diff(strings.Split(calm.game, "\n"), strings.Split(out.game, "\n")); d != "" && !suffers {
		t.Errorf("the game is not what it is without an attack (-without +with):\n%.3000s", d)
	}
	if t.Failed() {
		t.Logf("standard error of the command: %s", out.Stderr)
	}
}

// TestStormWithoutASandbox: families that fork and end without end, whose first member kills its supervisor, hold up no verdict and
// are dead soon after, also where no namespace encloses them.
func TestStormWithoutASandbox(t *testing.T) {
	off := level{name: "off", open: map[string]string{"storm": "its supervisor is another process of its user"}}
	for i, uid := range users() {
		t.Run(fmt.Sprint("user ", uid), func(t *testing.T) {
			t.Parallel()
			b := &battle{level: off, uid: uid, calm: &calmGames{games: map[string]outcome{}}}
			b.fight(t, foray{attacks: "storm", seat: game.Side(i % 2), flags: []string{"--sandbox=off"}}, true)
		})
	}
}

// TestRootsPrograms: programs that only root can read, as those below its home directory, do nothing that others cannot, but for
// root's files, and the processes of its number.
func TestRootsPrograms(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root has programs that nobody else can read")
	}
	calm := &calmGames{games: map[string]outcome{}}
	for i, l := range levels {
		if l.name != "isolated" {
			const why = "where owners cannot be mapped, it keeps root's number"
			l.open = maps.Clone(l.open)
			if l.open == nil {
				l.open = map[string]string{}
			}
			for _, name := range rootsOwn {
				l.open[name] = why
			}
		}
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			l.check(t, 0)
			b := &battle{level: l, calm: calm}
			b.fight(t, foray{attacks: l.probes(), seat: game.Side(i % 2), private: true}, false)
		})
	}
}

// rootsOwn are the attacks that root's number alone allows.
var rootsOwn = []string{"capabilities", "set-uid", "shadow", "supervisor", "counts"}

// TestNoNamespaces guards that the machine without namespaces is one.
func TestNoNamespaces(t *testing.T) {
	for _, words := range []string{"unshare --user true", "unshare --mount true", "bwrap --ro-bind / / true"} {
		args := strings.Fields(words)
		if _, err := exec.LookPath(args[0]); err != nil {
			continue
		}
		out, err := exec.Command(nonamespaces, args...).CombinedOutput()
		if err == nil {
			t.Errorf("%s: succeeds: %s", words, out)
		}
	}
	if out, err := exec.Command(nonamespaces, command, "version").CombinedOutput(); err != nil {
		t.Errorf("luzhanqi version: %v: %s", err, out)
	}
}
