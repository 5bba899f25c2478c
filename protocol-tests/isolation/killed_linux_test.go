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
		name := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(mode, "-attack "), told), " ", "_")
		for j := range each {
			uid := users()[(i+j)%len(users())]
			l := isolations()[(i+j)/len(users())%len(isolations())]
			if l.root && uid != 0 {
				l = levels[0]
			}
			after := time.Duration(random.Int64N(int64(killWithin)))
			t.Run(fmt.Sprintf("%s/%s/user_%d/%v", name, l.name, uid, after.Round(time.Millisecond)), func(t *testing.T) {
				t.Parallel()
				l.check(t, uid)
				killAmong(t, mode, l.prefix(), uid, game.Side(j%2), after)
			})
		}
	}
}

func killAmong(t *testing.T, mode string, prefix []string, uid int, seat game.Side, after time.Duration) {
	p := newPlayground(t, uid)
	attacker := p.path("players", "hostile") + " " + mode
	p.tell(t, p.path("players"))
	players := []string{attacker, p.path("players", "victim") + " late 5"}
	if seat == game.Second {
		slices.Reverse(players)
	}
	before := p.image(t)
	o := order{
		Args: slices.Concat(prefix, []string{command, "match"}, players, []string{"--games=100000", "--time=60s", "--quiet", "--record=../records"}),
		Dir:  p.path("cwd"), UID: uid, Mark: p.Mark, Limit: time.Minute, KillAfter: after, StopAfter: time.Millisecond,
		Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.path("home"), "TMPDIR=" + p.path("tmp")},
	}
	found := o.run(t)
	if found.Overdue || found.Signal != 9 && found.Code != 0 {
		t.Errorf("the referee was not killed, but ended with code %d, signal %d: %s%s", found.Code, found.Signal, found.Stdout, found.Stderr)
	}
	if found.Left != nil {
		t.Errorf("processes outlive the referee:\n%s", strings.Join(found.Left, "\n"))
	}
	if left := p.leftovers(); left != nil {
		t.Errorf("left:\n%s", strings.Join(left, "\n"))
	}
	if changes := changed(before, p.image(t), slices.Clone); changes != nil {
		t.Errorf("files changed:\n%s", strings.Join(changes, "\n"))
	}
}
