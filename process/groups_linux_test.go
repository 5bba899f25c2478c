package process

import (
	"bufio"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"luzhanqi/process/cgroup"
	"luzhanqi/process/sandbox"
)

// groupReferee, in the environment, makes this binary a referee in a group of its own: profile, way of isolation, what to do there, and the directory of programs.
const groupReferee = "PROCESS_TEST_GROUPS"

// scope is a group that is delegated to a user, as systemd-run -p Delegate=yes makes them.
type scope struct {
	*cgroup.Group
	path string
	uid  int
}

// newScope makes one below the one in which this process makes its own.
func newScope(t *testing.T, uid int) scope {
	t.Helper()
	needGroups(t)
	tree, _ := memoryTree()
	g, err := tree.Make(cgroup.Limits{Memory: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Remove(); err != nil {
			t.Error(err)
		}
	})
	s := scope{Group: g, uid: uid}
	c := exec.Command("/bin/cat", "/proc/self/cgroup") // says what its name is
	c.SysProcAttr = &syscall.SysProcAttr{}
	g.Attributes(c.SysProcAttr)
	var out strings.Builder
	c.Stdout = &out
	if err := children.start(c); err != nil {
		t.Fatal(err)
	}
	children.wait(c)
	for line := range strings.Lines(out.String()) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "0::"); ok {
			for _, at := range []string{"/sys/fs/cgroup", "/sys/fs/cgroup/unified"} {
				if _, err := os.Stat(filepath.Join(at, name, "memory.max")); err == nil {
					s.path = filepath.Join(at, name)
				}
			}
		}
	}
	if s.path == "" {
		t.Fatalf("no group of %q", out.String())
	}
	for _, file := range []string{"", "cgroup.procs", "cgroup.subtree_control", "cgroup.threads"} {
		if err := os.Chown(filepath.Join(s.path, file), uid, uid); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// referee starts one in the scope, which is killed at the end at the latest.
func (s scope) referee(t *testing.T, profile sandbox.Profile, way sandbox.Way, do string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	dir, err := os.MkdirTemp("", "luzhanqi-test-") // t.TempDir is closed to other users
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("/proc/self/exe")
	c.Dir = "/"
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/", "PROCESS_TEST_REFEREE=groups", groupReferee + "=" + fmt.Sprintf("%s,%s,%s,%s", profile, way, do, dir)}
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if s.uid != os.Getuid() {
		c.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(s.uid), Gid: uint32(s.uid)}
	}
	s.Attributes(c.SysProcAttr)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := children.start(c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); children.wait(c) })
	return c, bufio.NewReader(out)
}

// users are those as whom a referee is tried.
func users() []int {
	if os.Getuid() == 0 {
		return []int{0, nobody}
	}
	return []int{os.Getuid()}
}

// actAsGroupReferee is what the tests below run in a process of its own.
func actAsGroupReferee() {
	words := strings.Split(os.Getenv(groupReferee), ",")
	var wanted sandbox.Way
	if err := wanted.UnmarshalText([]byte(words[1])); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for way := sandbox.ByNamespaces; way > wanted; way-- {
		sandbox.Refused(way, "so wants a test")
	}
	if _, err := memoryTree(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	c := Command{
		Args: []string{"/bin/sh", "-c", "trap '' HUP TERM; sleep 100 & (setsid sleep 100 &); (setsid sh -c '(setsid sleep 100 &); sleep 100' &); echo started; exec sleep 100"}, Dir: words[3],
		Confine: Confinement{Total: 256 << 20}, Sandbox: sandbox.Policy{Profile: sandbox.Profile(words[0])},
	}
	switch words[2] {
	case "reach":
		c.Args[2] = reachForGroups
	case "change":
		for {
			p, err := Start(c)
			if err == nil {
				_, err = p.Stop(0)
			}
			if err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
	}
	p, err := Start(c)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for buf := make([]byte, 1000); ; {
		n, err := p.Read(buf, time.Now().Add(time.Minute))
		os.Stdout.Write(buf[:n])
		if err != nil {
			break
		}
		if strings.Contains(string(buf[:n]), "started") {
			time.Sleep(time.Minute) // until it is killed
		}
	}
	exit, err := p.Stop(time.Second)
	fmt.Println(exit, err)
	if why := ungrouped.Load(); why != nil {
		fmt.Println(*why)
	}
	os.Exit(0)
}

// ways are those by which programs are shut in here.
func ways() []sandbox.Way {
	all := []sandbox.Way{sandbox.ByNamespaces, sandbox.ByFilters}
	if _, err := exec.LookPath("bwrap"); err == nil {
		all = append(all, sandbox.ByBubblewrap)
	}
	return all
}

// TestNoGroupsAfterTheReferee: neither groups nor what was in them, whichever way the referee ends, and its own group is as
// it was before.
func TestNoGroupsAfterTheReferee(t *testing.T) {
	needGroups(t)
	for _, uid := range users() {
		for _, by := range ways() {
			for _, profile := range profiles() {
				if profile == sandbox.Sealed && by.Level() != sandbox.Isolated {
					continue
				}
				for _, way := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
					t.Run(fmt.Sprintf("%d %v %v %v", uid, by, profile, way), func(t *testing.T) {
						s := newScope(t, uid)
						c, out := s.referee(t, profile, by, "hold")
						if line, err := out.ReadString('\n'); line != "started\n" {
							t.Fatal(line, err)
						}
						if n := len(s.groups(t)); n != 2 {
							t.Errorf("%d groups, want one of the program and one of the referee", n)
						}
						c.Process.Signal(way)
						s.mustBeEmpty(t)
					})
				}
			}
		}
	}
}

// TestNoGroupsAfterAKillAtAnyTime: from the first instruction on.
func TestNoGroupsAfterAKillAtAnyTime(t *testing.T) {
	needGroups(t)
	times, _ := strconv.Atoi(os.Getenv("LUZHANQI_STRESS"))
	for _, uid := range users() {
		for i := range max(times, 10) {
			profile := sandbox.Profiles[i%2]
			by := []sandbox.Way{sandbox.ByNamespaces, sandbox.ByFilters}[i/2%2]
			s := newScope(t, uid)
			c, _ := s.referee(t, profile, by, "change")
			after := rand.N(300 * time.Millisecond)
			time.Sleep(after)
			c.Process.Kill()
			t.Logf("user %d, %v, %v: killed after %v", uid, profile, by, after)
			s.mustBeEmpty(t)
		}
	}
}

// mustBeEmpty wants the scope to be as it was made, within 3 seconds.
func (s scope) mustBeEmpty(t *testing.T) {
	t.Helper()
	for begun := time.Now(); len(s.groups(t)) > 0 || s.read("cgroup.subtree_control") != "" || strings.Contains(s.read("cgroup.events"), "populated 1"); time.Sleep(time.Millisecond) {
		if time.Since(begun) > 3*time.Second {
			t.Fatalf("after %v: groups %q, enabled %q, %q", time.Since(begun), s.groups(t), s.read("cgroup.subtree_control"), s.read("cgroup.events"))
		}
	}
}

// groups are those below.
func (s scope) groups(t *testing.T) (names []string) {
	t.Helper()
	filepath.WalkDir(s.path, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != s.path {
			names = append(names, filepath.Base(path))
		}
		return nil
	})
	return names
}

func (s scope) read(file string) string {
	text, _ := os.ReadFile(filepath.Join(s.path, file))
	return strings.TrimSpace(string(text))
}

// reachForGroups is what a program might try to get rid of its limit, and then takes more than that. Each line that it writes
// is something that it has achieved.
const reachForGroups = `exec 2>/dev/null
g=$(sed -n 's/^0:://p' /proc/self/cgroup)
for m in /sys/fs/cgroup /sys/fs/cgroup/unified; do
	for d in "$m$g" "$m"/luzhanqi-* "$m"/*/luzhanqi-* "$m"/*/*/luzhanqi-* "$m"; do
		for f in memory.max memory.oom.group memory.high pids.max cgroup.kill cgroup.freeze; do
			{ echo 0 >"$d/$f"; } && echo "wrote $d/$f"
		done
		{ echo $$ >"$d/cgroup.procs"; } && echo "moved to $d"
		mkdir "$d/mine" && echo "made $d/mine"
		rmdir "$d" && echo "removed $d"
	done
done
mkdir /tmp/groups && mount -t cgroup2 groups /tmp/groups && echo "mounted /tmp/groups"
echo -1000 >/proc/self/oom_score_adj && echo "protected"
unshare -C true && echo "made a namespace"
dd if=/dev/zero of=/dev/null bs=512M count=1
`

// TestGroupsAreOutOfReach: of programs in any sandbox.
func TestGroupsAreOutOfReach(t *testing.T) {
	needGroups(t)
	for _, uid := range users() {
		for _, by := range ways() {
			for _, profile := range slices.DeleteFunc(slices.Clone(profiles()), func(p sandbox.Profile) bool { return p == sandbox.Off }) {
				if profile == sandbox.Sealed && by.Level() != sandbox.Isolated {
					continue
				}
				t.Run(fmt.Sprintf("%d %v %v", uid, by, profile), func(t *testing.T) {
					s := newScope(t, uid)
					_, out := s.referee(t, profile, by, "reach")
					var all strings.Builder
					out.WriteTo(&all)
					if want := "was killed for using more than 256 MiB of memory in all, its limit <nil>\n"; all.String() != want {
						t.Errorf("got %q, want %q", &all, want)
					}
				})
			}
		}
	}
}
