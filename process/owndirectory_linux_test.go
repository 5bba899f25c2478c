package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"luzhanqi/process/processtest"
	"luzhanqi/process/sandbox"
)

// TestOwnDirectory: in each way, a program writes into a directory that is given to it, as a build does, and none of its files there
// runs as its owner: by one of root's, any user of the machine would be root. A directory of root's that is not given, and that
// programs cannot write into, is an error before they start where they are isolated. It starts the test below, and [TestReachInWay], in each way, as root and as an ordinary user.
func TestOwnDirectory(t *testing.T) {
	if r := Isolation(); r.Level != sandbox.Isolated || os.Getenv(wayOf) != "" {
		t.Skip(r)
	}
	for way := sandbox.ByFilters; way <= Isolation().By; way++ {
		for _, uid := range []int{os.Getuid(), nobody} {
			if way == sandbox.ByUserNamespace && uid != 0 || os.Getuid() != 0 && uid == nobody {
				continue
			}
			t.Run(fmt.Sprint(way, "/user_", uid), func(t *testing.T) {
				if way == sandbox.ByBubblewrap {
					processtest.Need(t, "bwrap")
				}
				c := exec.Command("/proc/self/exe", "-test.run", "^Test(OwnDirectory|Reach)InWay$", "-test.v")
				dir := processtest.Folder(t, uid)
				c.Dir = dir
				c.Env = append(os.Environ(), wayOf+"="+way.String(), wayRoom+"="+dir, "HOME="+dir)
				c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
				if out, err := c.CombinedOutput(); err != nil || strings.Count(string(out), "--- PASS: Test") != 2 {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
}

// TestOwnDirectoryInWay is for TestOwnDirectory.
func TestOwnDirectoryInWay(t *testing.T) {
	if os.Getenv(wayRoom) == "" {
		t.Skip("TestOwnDirectory starts it")
	}
	by := Isolation().By
	if by.String() != os.Getenv(wayOf) {
		t.Fatal(Isolation())
	}
	for _, given := range []bool{true, false} {
		dir := room(t, "plain", "sub/deep")
		const script = `echo x >new && echo x >>plain && echo x >>sub/deep && mkdir made && chmod 700 new made || exit 3
chmod u+s new || chmod g+s new || exit 0; exit 4`
		r := Run(t.Context(), Command{Args: []string{"/bin/sh", "-c", script}, Dir: dir, Sandbox: sandbox.Policy{Profile: sandbox.Guarded, Own: true, Give: given}},
			RunLimits{Time: time.Minute})
		if !given && os.Getuid() == 0 && by != sandbox.ByNamespaces {
			silent := by == sandbox.ByFilters && r.Err == nil && r.Exit.Code != 0 // many programs do not write
			if !silent && (r.Err == nil || !strings.Contains(r.Err.Error(), "cannot map owners")) {
				t.Errorf("a directory of root's, which it cannot write into: %v, %v", r.Err, r.Exit)
			}
			continue
		}
		if r.Err != nil || !r.OK() {
			t.Errorf("given %v: %v, %v\n%s", given, r.Err, r.Exit, r.Stderr)
		}
		if err := sandbox.TakeBack(dir); err != nil {
			t.Error(err)
		}
		for _, name := range append(listed(dir), ".") {
			info, err := os.Lstat(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if stat := info.Sys().(*syscall.Stat_t); int(stat.Uid) != os.Getuid() || info.Mode()&(os.ModeSetuid|os.ModeSetgid) != 0 {
				t.Errorf("given %v: %s is user %d's, %v", given, name, stat.Uid, info.Mode())
			}
			if given && os.Getuid() == 0 && by != sandbox.ByNamespaces && info.Mode().Perm()&0o4 == 0 {
				t.Errorf("%s cannot be read by another program: %v", name, info.Mode())
			}
		}
	}
}
