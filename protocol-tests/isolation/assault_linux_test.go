package isolation

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/protocol-tests/hostile/assault"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

// A foray is a match that the command plays between an attacker, a hostile program with -attack, and an innocent
// player. The attacker ends every game by itself, with status 77, when it has told what it has got.
type foray struct {
	attacks string
	seat    game.Side // the attacker's, in the first game
	against string    // the innocent, a player of the command line; empty: a hostile program that is honest
	flags   []string
	prefix  []string // before the command
	env     []string
	uid     int
	games   int
	private bool // only the owner of the programs' folder can read it
}

// An outcome is what came of it.
type outcome struct {
	finding
	endings []*referee.Ending
	stolen  []string // what the attacker says that it has got
	broken  []string // attacks that did not work as they are meant to
	game    string   // the record without times and without what only the attacker says
	left    []string // outside of processes
	changes []string // in the playground

	contents []string // of these, those that are more than marks on files
}

func (a foray) play(t *testing.T) outcome {
	t.Helper()
	p := newPlayground(t, a.uid)
	attacker := p.path("players", "hostile") + " -attack " + a.attacks + " -referee $HOSTILE_REFEREE"
	p.tell(t, p.path("players"))
	if a.private {
		if err := os.Chmod(p.path("players"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	innocent := cmp.Or(strings.ReplaceAll(a.against, "ATTACKER", attacker), p.path("players", "victim")+" honest")
	players := []string{attacker, innocent}
	if a.seat == game.Second {
		slices.Reverse(players)
	}
	args := slices.Concat(a.prefix, []string{command, "match"}, players, []string{
		"--seed=1", "--setup-time=60s", "--grace=2s", "--json", "--record=../records", fmt.Sprint("--games=", max(a.games, 1)),
	}, a.flags)
	if !slices.ContainsFunc(a.flags, func(f string) bool { return strings.HasPrefix(f, "--time=") }) {
		args = append(args, "--time=60s")
	}
	before := p.image(t)
	o := order{
		Args: args, Dir: p.path("cwd"), UID: a.uid, Mark: p.Mark, Leak: p.Elsewhere, Redirect: p.path("cwd"), Limit: time.Minute, StopAfter: time.Second,
		Env: append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.path("home"), "TMPDIR=" + p.path("tmp")}, a.env...),
	}
	out := outcome{finding: o.run(t)}
	after := p.image(t)
	out.changes, out.contents = changed(before, after, slices.Clone), changed(before, after, unmarked)
	out.left = p.leftovers()
	out.endings = endings([]byte(out.Stdout))
	for _, e := range out.endings {
		for said := range strings.Lines(e.StderrTail) {
			switch {
			case strings.HasPrefix(said, assault.Stolen):
				out.stolen = append(out.stolen, strings.TrimSpace(said))
			case strings.HasPrefix(said, assault.Broken):
				out.broken = append(out.broken, strings.TrimSpace(said))
			}
		}
	}
	out.game = played(t, p.path("records"))
	return out
}

// endings are those of the games in the events of a match.
func endings(events []byte) (all []*referee.Ending) {
	for line := range bytes.Lines(events) {
		var e struct {
			Event  string
			Ending *referee.Ending
		}
		if json.Unmarshal(line, &e) == nil && e.Event == "game" {
			all = append(all, e.Ending)
		}
	}
	return all
}

// played are the games of the records in a directory: what was set up, moved and said to either side, without times,
// and the ending without what the attacker reports.
func played(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	slices.Sort(files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var sides [3]strings.Builder // what happens in which order, of one side
		var lines []record.Line
		for text := range strings.Lines(string(text)) {
			var l record.Line
			if err := json.Unmarshal([]byte(text), &l); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			lines = append(lines, l)
		}
		for _, l := range lines {
			switch l.Event {
			case "sent", "received":
				// The last words of a program that ends are no answer, and may come or not; it may hear the end or not.
				if end := lines[len(lines)-1].End; strings.TrimSpace(l.Text) == "" ||
					strings.HasPrefix(l.Text, "(end ") && end != nil && end.Fault != nil && int(*end.Fault)+1 == l.Side {
					continue
				}
				fmt.Fprintf(&sides[l.Side], "%d %s %q\n", l.Side, l.Event, l.Text)
			case "setup": // of which either may come first
				fmt.Fprintf(&sides[l.Side], "%d set up %s\n", l.Side, l.SetUp)
			case "move", "illegal":
				fmt.Fprintf(&sides[0], "%d %s %s\n", l.Side, l.Event, l.Move)
			case "end":
				e := *l.End
				fmt.Fprintf(&sides[0], "end %s winner %s fault %s %s after %d plies\n", e.Code, side(e.Winner), side(e.Fault), e.Reason, e.Plies)
			}
		}
		fmt.Fprint(&all, sides[1].String(), sides[2].String(), sides[0].String())
	}
	return all.String()
}

// users are whom the command is run as: root, where the test is, and an ordinary user.
func users() []int {
	if os.Getuid() != 0 {
		return []int{os.Getuid()}
	}
	return []int{0, 65534}
}

// names are those of the attacks in a report.
func names(lines []string) (found []string) {
	for _, l := range lines {
		word := strings.Fields(l)[1]
		found = append(found, strings.TrimSuffix(word, ":"))
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// TestAttacksAreReal guards the tests of isolation: in games whose programs are not confined, attacks that need to know
// something of the game succeed. That the others do, package attack tests.
func TestAttacksAreReal(t *testing.T) {
	few := []string{"signal", "ptrace", "read-memory", "inspect", "descriptors", "limits", "hidden-file", "watch", "temporary-files", "leases", "terminal", "keys", "shared-memory"}
	for _, uid := range users() {
		t.Run(fmt.Sprint("user ", uid), func(t *testing.T) {
			t.Parallel()
			out := foray{attacks: strings.Join(few, assault.Separator), uid: uid, flags: []string{"--sandbox=off"}}.play(t)
			if got := names(out.stolen); !slices.Equal(got, slices.Sorted(slices.Values(few))) || out.broken != nil {
				t.Errorf("unconfined, only %q succeed; broken: %q", got, out.broken)
				t.Log(out.Stdout, out.Stderr)
			}
			if !slices.Contains(out.Keys, "a key in the user keyring") {
				t.Errorf("the keys that are left are %q", out.Keys)
			}
		})
	}
}
