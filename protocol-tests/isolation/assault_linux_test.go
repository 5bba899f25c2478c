package isolation

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/protocol-tests/hostile/attack"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

// An assault is a match that the command plays between an attacker, a hostile program with -attack, and an innocent
// player. The attacker ends every game by itself, with status 77, when it has told what it has got.
type assault struct {
	attacks string
	seat    game.Side // the attacker's, in the first game
	against string    // the innocent, a player of the command line; empty: a hostile program that is honest
	flags   []string
	prefix  []string // before the command
	env     []string
	uid     int
	games   int
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

func (a assault) play(t *testing.T) outcome {
	t.Helper()
	p := newPlayground(t, a.uid)
	p.furnish(t)
	tcp, udp := p.listen(t)
	attacker := fmt.Sprintf("%s -attack %s -know dir=%s,mark=%s,tcp=%d,udp=%d,referee=$HOSTILE_REFEREE,warden=$HOSTILE_WARDEN",
		p.path("players", "hostile"), a.attacks, p.dir, p.mark, tcp, udp)
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
		Args: args, Dir: p.path("cwd"), UID: a.uid, Mark: p.mark, Leak: p.path("secret"), Limit: time.Minute, StopAfter: time.Second,
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
			case strings.HasPrefix(said, attack.Stolen):
				out.stolen = append(out.stolen, strings.TrimSpace(said))
			case strings.HasPrefix(said, attack.Broken):
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

// listen answers whoever reaches it: over TCP and UDP on the loopback, at an abstract socket, at one in the home
// directory and at one where services of the machine have theirs.
func (p *playground) listen(t *testing.T) (tcp, udp int) {
	t.Helper()
	for _, at := range [][2]string{
		{"tcp", "localhost:0"},
		{"unix", "@" + attack.SocketName(p.mark)},
		{"unix", p.path("home", attack.SocketName(p.mark))},
		{"unix", "/run/luzhanqi-test-" + p.mark + "/service"},
	} {
		if dir := filepath.Dir(at[1]); strings.HasPrefix(dir, "/run/") {
			if os.Mkdir(dir, 0o755) != nil {
				continue
			}
			t.Cleanup(func() { os.RemoveAll(dir) })
		}
		l, err := net.Listen(at[0], at[1])
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(at[1], "/") {
			os.Chmod(at[1], 0o777)
		}
		t.Cleanup(func() { l.Close() })
		if a, ok := l.Addr().(*net.TCPAddr); ok {
			tcp = a.Port
		}
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				c.Write([]byte("y"))
				c.Close()
			}
		}()
	}
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	go func() {
		buffer := make([]byte, 16)
		for {
			_, from, err := c.ReadFrom(buffer)
			if err != nil {
				return
			}
			c.WriteTo([]byte("y"), from)
		}
	}()
	return tcp, c.LocalAddr().(*net.UDPAddr).Port
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

// unconfined are the flags of a match whose programs are not confined.
func unconfined(t *testing.T) []string {
	t.Helper()
	help, err := exec.Command(command, "match", "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(help), "--sandbox") {
		return []string{"--sandbox=off"}
	}
	return nil
}

// TestAttacksAreReal guards the tests of isolation: against programs that are not confined, the attacks succeed. Nobody
// would see else that one of them does nothing.
func TestAttacksAreReal(t *testing.T) {
	anybody := []string{
		"signal-anyone", "trace-anyone", "read-memory", "read-proc", "count-files", "read-command-lines", "open-files", "take-files",
		"write-proc", "compare-files", "robust-list",
		"priority-of-others", "read-records", "watch-records", "powers", "namespaces", "kernel-doors", "system-v", "posix-ipc",
		"keyrings", "services", "terminal", "network", "socket-families",
	}
	root := []string{"process-1", "settings", "become-root", "read-as-root", "handles", "mounts", "devices", "machine", "get-ahead", "raw-sockets"}
	for _, uid := range users() {
		t.Run(fmt.Sprint("user ", uid), func(t *testing.T) {
			a := assault{attacks: "probes,network,socket-families", uid: uid, flags: unconfined(t)}
			out := a.play(t)
			want := slices.Clone(anybody)
			if uid == 0 {
				want = append(want, root...)
			}
			got := names(out.stolen)
			for _, name := range want {
				if !slices.Contains(got, name) {
					t.Errorf("unconfined, %s does not succeed", name)
				}
			}
			if out.broken != nil {
				t.Errorf("broken: %q", out.broken)
			}
			t.Logf("%d of the probes succeed: %q; left: %q %q %q %q", len(got), got, out.left, out.Keys, out.Terminal, out.changes)
			for _, s := range out.stolen {
				t.Log(s)
			}
			if t.Failed() {
				t.Log(out.Stdout, out.Stderr)
			}
		})
	}
}
