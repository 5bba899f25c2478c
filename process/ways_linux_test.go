package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"luzhanqi/process/processtest"
	"luzhanqi/process/sandbox"
)

const (
	wayOf   = "PROCESS_TEST_WAY"     // the way in which a process tests, since the better ones are refused to it
	wayRoom = "PROCESS_TEST_WAY_DIR" // an empty directory of its user
)

func init() {
	for way := sandbox.ByNamespaces; os.Getenv(wayOf) != "" && way.String() != os.Getenv(wayOf); way-- {
		sandbox.Refused(way, "a test refuses it")
	}
}

// TestWays: where this process is refused namespaces of its own, bubblewrap and root's user namespaces isolate as well. It
// starts the tests below, and those of the languages, as root and as an ordinary user.
func TestWays(t *testing.T) {
	if r := Isolation(); r.Level != sandbox.Isolated || os.Getenv(wayOf) != "" {
		t.Skip(r)
	}
	users := []int{os.Getuid()}
	if os.Getuid() == 0 {
		users = []int{0, nobody}
	}
	for _, way := range []sandbox.Way{sandbox.ByBubblewrap, sandbox.ByUserNamespace} {
		for _, uid := range users {
			if way == sandbox.ByUserNamespace && uid != 0 {
				continue // it is the usual way
			}
			t.Run(fmt.Sprint(way, "/user_", uid), func(t *testing.T) {
				if way == sandbox.ByBubblewrap {
					processtest.Need(t, "bwrap")
				}
				dir, err := os.MkdirTemp("/var/lib", "luzhanqi-test-")
				if os.Getuid() != 0 {
					dir, err = os.MkdirTemp("", "luzhanqi-test-")
				}
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { os.RemoveAll(dir) })
				if err := errors.Join(os.Chmod(dir, 0o755), os.Chown(dir, uid, uid)); err != nil {
					t.Fatal(err)
				}
				c := exec.Command("/proc/self/exe", "-test.run", "^(TestInWay|TestLanguages)$", "-test.v")
				if os.Getenv("LUZHANQI_NIGHTLY") == "" {
					c.Args = append(c.Args, "-test.skip", "/^(Go|C\\+\\+|Java|JavaScript)$")
				}
				c.Dir = dir
				c.Env = append(os.Environ(), wayOf+"="+way.String(), wayRoom+"="+dir, "HOME="+dir, "GOCACHE=")
				c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
				out, err := c.CombinedOutput()
				if err != nil || !strings.Contains(string(out), "--- PASS: TestInWay") {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
}

// room is a directory with files in it.
func room(t *testing.T, files ...string) string {
	t.Helper()
	dir, err := os.MkdirTemp(os.Getenv(wayRoom), "room-")
	if err != nil {
		t.Fatal(err)
	}
	err = os.Chmod(dir, 0o755)
	for _, name := range files {
		path := filepath.Join(dir, name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("secret\n"), 0o644))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func listed(dir string) (names []string) {
	filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if name, _ := filepath.Rel(dir, path); err == nil && name != "." {
			names = append(names, name)
		}
		return nil
	})
	return names
}

// TestInWay is for TestWays.
func TestInWay(t *testing.T) {
	if os.Getenv(wayRoom) == "" {
		t.Skip("TestWays starts it")
	}
	if r := Isolation(); r.By.String() != os.Getenv(wayOf) {
		t.Fatal(r)
	}
	run := func(t *testing.T, dir, script string, p sandbox.Policy) Result {
		t.Helper()
		r := Run(t.Context(), Command{Args: []string{"/bin/sh", "-c", script}, Dir: dir, Sandbox: p}, RunLimits{Time: time.Minute})
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		return r
	}
	both := []sandbox.Profile{sandbox.Guarded, sandbox.Sealed}
	bubblewrap := Isolation().By == sandbox.ByBubblewrap

	t.Run("what is written is told, kept and thrown away", func(t *testing.T) {
		for _, profile := range both {
			for _, whole := range []bool{false, true} {
				dir, kept := room(t, "old", "other", "sub/changed"), room(t)
				r := run(t, dir, "echo new >new; rm old; echo x >>sub/changed; mkdir closed; echo deep >closed/deep; chmod 000 new closed",
					sandbox.Policy{Profile: profile, Keep: kept, Whole: whole})
				if want := []string{"closed/deep", "new", "old (removed)", "sub/changed"}; !r.OK() || !slices.Equal(r.Exit.Changed, want) &&
					!slices.Equal(r.Exit.Changed, slices.Delete(want, 0, 1)) {
					t.Errorf("%s: %v, changed %q, want %q\n%s", profile, r.Exit, r.Exit.Changed, want, r.Stderr)
				}
				if got, want := listed(dir), []string{"old", "other", "sub", "sub/changed"}; !slices.Equal(got, want) {
					t.Errorf("%s: the directory holds %q, want %q", profile, got, want)
				}
				want := []string{"closed", "closed/deep", "new", "sub", "sub/changed"}
				if whole {
					want = []string{"closed", "closed/deep", "new", "other", "sub", "sub/changed"}
				}
				os.Chmod(filepath.Join(kept, "closed"), 0o700)
				if got := listed(kept); !slices.Equal(got, want) {
					t.Errorf("%s, whole %v: kept is %q, want %q", profile, whole, got, want)
				}
			}
		}
	})

	t.Run("what is hidden looks empty", func(t *testing.T) {
		dir := room(t, "records/secret", "token", "plain")
		beside := room(t, "records/secret", "token")
		for _, profile := range both {
			r := run(t, dir, "cat plain; cat records/* token "+beside+"/records/* "+beside+"/token; echo $?", sandbox.Policy{
				Profile: profile, Hidden: []string{filepath.Join(dir, "records"), filepath.Join(dir, "token"), filepath.Join(beside, "records"), filepath.Join(beside, "token")},
				Read: []string{beside},
			})
			if got := r.Stdout.String(); got != "secret\n1\n" {
				t.Errorf("%s: %q\n%s", profile, got, r.Stderr)
			}
		}
	})

	t.Run("its own directory", func(t *testing.T) {
		dir := room(t, "plain")
		os.Chmod(dir, 0o777)
		if r := run(t, dir, "echo new >new", sandbox.Policy{Profile: sandbox.Guarded, Own: true}); !r.OK() || len(listed(dir)) != 2 {
			t.Errorf("%v, %q\n%s", r.Exit, listed(dir), r.Stderr)
		}
		os.Chmod(dir, 0o755)
		r := Run(t.Context(), Command{
			Args: []string{"/bin/true"}, Dir: dir, Sandbox: sandbox.Policy{Profile: sandbox.Guarded, Own: true},
		}, RunLimits{Time: time.Minute})
		if os.Getuid() == 0 && (r.Err == nil || !strings.Contains(r.Err.Error(), "cannot map owners")) {
			t.Errorf("a directory of root's, which it cannot write into: %v, %v", r.Exit, r.Err)
		}
	})

	t.Run("a private disk is limited", func(t *testing.T) {
		const disk = 10 << 20
		for _, profile := range both {
			r := run(t, room(t, "plain"), "for f in b /tmp/a /var/tmp/c /dev/shm/d; do head -c 11000000 /dev/zero >$f; stat -c %s $f; done; exit 3",
				sandbox.Policy{Profile: profile, Disk: disk})
			sum := 0
			for _, size := range strings.Fields(r.Stdout.String()) {
				n, _ := strconv.Atoi(size)
				sum += n
			}
			if r.Exit.Exceeded != LimitDisk || sum > disk || sum < disk/2 {
				t.Errorf("%s: %v, %d bytes\n%s%s", profile, r.Exit, sum, r.Stdout, r.Stderr)
			}
			r = run(t, room(t), `i=0; while [ $i -lt 10000 ]; do i=$((i+1)); echo >/tmp/$i || exit 3; done; sleep 1`, sandbox.Policy{Profile: profile, Disk: disk})
			if r.Exit.Exceeded != LimitDisk {
				t.Errorf("%s: 10,000 files: %v\n%.1000s", profile, r.Exit, r.Stderr)
			}
		}
	})

	t.Run("what is refused is told", func(t *testing.T) {
		r := run(t, room(t), "unshare --user true; unshare --user true", sandbox.Policy{Profile: sandbox.Sealed})
		if !slices.ContainsFunc(r.Exit.Refused, func(r sandbox.Refusal) bool { return r.Call == "unshare" && r.Count == 2 }) {
			t.Errorf("%v, refused %v\n%s", r.Exit, r.Exit.Refused, r.Stderr)
		}
	})

	t.Run("in a directory of the system", func(t *testing.T) {
		r := run(t, "/etc", "test -s passwd && echo new >luzhanqi-new && cat luzhanqi-new && test -s /etc/passwd", sandbox.Policy{Profile: sandbox.Sealed})
		if !r.OK() || r.Stdout.String() != "new\n" || !slices.Contains(r.Exit.Changed, "luzhanqi-new") {
			t.Errorf("%v, changed %q\n%s%s", r.Exit, r.Exit.Changed, r.Stdout, r.Stderr)
		}
		if _, err := os.Stat("/etc/luzhanqi-new"); err == nil {
			t.Error("it has written into /etc")
		}
	})

	t.Run("what is too large for a copy", func(t *testing.T) {
		if !bubblewrap {
			t.Skip("there is a layer")
		}
		dir := room(t, "plain")
		if err := os.Truncate(filepath.Join(dir, "plain"), 65<<20); err != nil {
			t.Fatal(err)
		}
		if r := run(t, dir, "echo new >new", sandbox.Policy{Profile: sandbox.Guarded}); !strings.Contains(r.Stderr.String(), "Read-only file system") {
			t.Errorf("%v: %s", r.Exit, r.Stderr)
		}
		r := Run(t.Context(), Command{
			Args: []string{"/bin/true"}, Dir: dir, Sandbox: sandbox.Policy{Profile: sandbox.Sealed, Disk: 10 << 20},
		}, RunLimits{Time: time.Minute})
		if r.Err == nil || !strings.Contains(r.Err.Error(), "gets a copy of it") {
			t.Errorf("%v, %v", r.Exit, r.Err)
		}
	})

	t.Run("it ends as it does outside", func(t *testing.T) {
		for _, profile := range both {
			if r := run(t, room(t), "kill -9 $$", sandbox.Policy{Profile: profile}); r.Exit.Signal != syscall.SIGKILL {
				t.Errorf("%s: %v", profile, r.Exit)
			}
			p, err := Start(Command{Args: []string{"/bin/sh", "-c", "echo $$; exec >&-; exec sleep 60"}, Dir: room(t), Sandbox: sandbox.Policy{Profile: profile}})
			if err != nil {
				t.Fatal(err)
			}
			var said []byte
			for end := time.Now().Add(20 * time.Second); err == nil; {
				var n int
				b := make([]byte, 16)
				n, err = p.Read(b, end)
				said = append(said, b[:n]...)
			}
			if text := strings.TrimSpace(string(said)); !errors.Is(err, io.EOF) || text == "1" || text == "" {
				t.Errorf("%s: it is process %q, and the end of its output is %v", profile, text, err)
			}
			if _, err := p.Stop(0); err != nil {
				t.Error(err)
			}
		}
	})
}
