package isolation

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/protocol-tests/hostile/assault"
	"luzhanqi/protocol-tests/protocoltest"
)

const (
	fewKills   = 8 // in ordinary runs, beside as many hostile modes
	killWithin = 700 * time.Millisecond
)

// A killable is a command that is killed beside a hostile program.
type killable struct {
	name   string
	few    int // kills in ordinary runs
	all    int // kills at night
	within time.Duration
	// args are the words of the command with an attacker, of whose mode they are told, in a seat.
	args func(t *testing.T, p *playground, prefix []string, mode string, seat game.Side) []string
}

// killables are killed besides a match, in which each mode has its turns.
var killables = []killable{
	{"check", 2, 100, killWithin, func(t *testing.T, p *playground, prefix []string, mode string, _ game.Side) []string {
		p.tell(t, p.path("players"))
		return slices.Concat(prefix, []string{command, "check", p.path("players", "hostile") + " " + mode, "--games=4", "--time=60s", "--setup-time=60s"})
	}},
	{"grade a program", 2, 100, 2 * killWithin, func(t *testing.T, p *playground, prefix []string, mode string, _ game.Side) []string {
		p.handIn(t, "honest", "true", "exec ./hostile honest")
		p.handIn(t, "attacker", "true", "exec ./hostile "+strings.ReplaceAll(mode, "$HOSTILE_REFEREE", "$(cat pid)"))
		return p.graded(t, prefix, checked)
	}},
	{"grade a build", 2, 100, 2 * killWithin, func(t *testing.T, p *playground, prefix []string, mode string, _ game.Side) []string {
		build := "(echo '(init 1 time/move 60.0)'; sleep 60) | ./hostile " + mode
		if attack, ok := strings.CutSuffix(mode, told); ok {
			build = "exec ./hostile " + attack + " -referee $(cat pid) -now"
		}
		p.handIn(t, "honest", "true", "exec ./hostile honest")
		p.handIn(t, "attacker", build, "exec ./hostile honest")
		return p.graded(t, prefix, checked)
	}},
}

func matchAmong(t *testing.T, p *playground, prefix []string, mode string, seat game.Side) []string {
	p.tell(t, p.path("players"))
	players := []string{p.path("players", "hostile") + " " + mode, p.path("players", "victim") + " late 5"}
	if seat == game.Second {
		slices.Reverse(players)
	}
	return slices.Concat(prefix, []string{command, "match"}, players, []string{"--games=100000", "--time=60s", "--quiet", "--record=../records"})
}

// told ends the arguments of an attacker that plays on.
const told = " -referee $HOSTILE_REFEREE -tell=false honest"

// hostilities are what a hostile program may be doing when the referee is killed: each mode, and each attack.
func hostilities(t *testing.T) (all []string) {
	t.Helper()
	out, err := exec.Command(hostile, "-list").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		if columns := strings.Split(line, "\t"); columns[1] != "FILE" {
			all = append(all, columns[0])
		}
	}
	for _, a := range assault.Table {
		// What would end the referee before it is killed shows nothing here.
		if !strings.Contains(a.Name, "-referee") && !strings.HasPrefix(a.Name, "kill-by") {
			all = append(all, "-attack "+a.Name+told)
		}
	}
	return append(all, "-attack "+levels[0].probes()+told)
}

// TestKilledAmongHostilePrograms kills the referee by SIGKILL at a random moment of a match, whatever its programs do, and
// looks for processes, mounts, control groups and directories 3 s later.
func TestKilledAmongHostilePrograms(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	all := hostilities(t)
	each := protocoltest.Repeats()
	if !protocoltest.Nightly() {
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all, each = all[:fewKills], 1
	}
	for i, mode := range all {
		for j := range each {
			killed(t, killable{"", 0, 0, killWithin, matchAmong}, random, mode, i+j, game.Side(j%2))
		}
	}
}

// TestKilledBesideOthers: the same for commands that run a single hostile program, or build one.
func TestKilledBesideOthers(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)
	modes := hostilities(t)
	for n, k := range killables {
		kills := k.few
		if protocoltest.Nightly() {
			kills = k.all
		}
		t.Run(k.name, func(t *testing.T) {
			random.Shuffle(len(modes), func(i, j int) { modes[i], modes[j] = modes[j], modes[i] })
			for i := range kills {
				killed(t, k, random, modes[i%len(modes)], n+i, game.First)
			}
		})
	}
}

// killed starts a command beside an attacker as the user, and on the machine, that have number n, and kills it.
func killed(t *testing.T, k killable, random *rand.Rand, mode string, n int, seat game.Side) {
	name := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(mode, "-attack "), told), " ", "_")
	uid := users()[n%len(users())]
	l := isolations()[n/len(users())%len(isolations())]
	if l.root && uid != 0 {
		l = levels[0]
	}
	after := time.Duration(random.Int64N(int64(k.within)))
	t.Run(fmt.Sprintf("%s/%s/user_%d/%v", name, l.name, uid, after.Round(time.Millisecond)), func(t *testing.T) {
		t.Parallel()
		l.check(t, uid)
		p := newPlayground(t, uid)
		args := k.args(t, p, l.prefix(), mode, seat)
		killAmong(t, p, args, after)
	})
}

func killAmong(t *testing.T, p *playground, args []string, after time.Duration) {
	before := p.image(t)
	o := order{
		Args: args, Dir: p.path("cwd"), UID: p.uid, Mark: p.Mark, Limit: time.Minute, KillAfter: after, StopAfter: time.Millisecond,
		Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.path("home"), "TMPDIR=" + p.path("tmp")},
	}
	found := o.run(t)
	if found.Overdue || found.Signal != 9 && found.Code != 0 && found.Code != 3 { // steps of a check may fail before
		t.Errorf("the referee was not killed, but ended with code %d, signal %d: %s%s", found.Code, found.Signal, found.Stdout, found.Stderr)
	}
	if found.Left != nil {
		t.Errorf("processes outlive the referee:\n%s", strings.Join(found.Left, "\n"))
	}
	if left := p.leftovers(); left != nil {
		t.Errorf("left:\n%s", strings.Join(left, "\n"))
	}
	changes := slices.DeleteFunc(changed(before, p.image(t), slices.Clone), func(line string) bool { return strings.Contains(line, `/pid"`) })
	if len(changes) > 0 {
		t.Errorf("files changed:\n%s", strings.Join(changes, "\n"))
	}
}
