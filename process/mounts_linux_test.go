package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"luzhanqi/process/sandbox"
)

// mountsOf names the directory that TestInMounts works in, in a process with mounts of its own.
const mountsOf = "PROCESS_TEST_MOUNTS"

// TestMounts: programs are isolated on machines whose file systems are not as simple as here. It starts TestInMounts where
// it can mount what it likes.
func TestMounts(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("it mounts file systems, which takes root")
	}
	if r := Isolation(); r.Level != sandbox.Isolated {
		t.Skip(r)
	}
	dir, err := os.MkdirTemp("/var/lib", "luzhanqi-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	again := func(uid uint32, mount func() error) {
		t.Helper()
		c := exec.Command("/proc/self/exe", "-test.run", "^TestInMounts$", "-test.v")
		c.Dir, c.Env = dir, append(os.Environ(), mountsOf+"="+dir, "HOME="+dir)
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		if err := mount(); err != nil {
			t.Fatal(err)
		}
		out, err := c.CombinedOutput()
		unix.Unmount(filepath.Join(dir, "merged"), unix.MNT_DETACH)
		unix.Unmount(filepath.Join(dir, "inner"), unix.MNT_DETACH)
		if err != nil || !strings.Contains(string(out), "--- PASS: TestInMounts") {
			t.Errorf("user %d: %v\n%s", uid, err, out)
		}
	}
	for _, name := range []string{"lower", "upper", "work", "merged", "inner", "bot"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// The root of a container is an overlay, whose owners cannot be mapped to a user of the program's own.
	again(0, func() error {
		in := func(name string) string { return filepath.Join(dir, name) }
		return unix.Mount("overlay", in("merged"), "overlay", 0, "lowerdir="+in("lower")+",upperdir="+in("upper")+",workdir="+in("work"))
	})
	// What is mounted in the home directory of an ordinary user keeps it from being covered.
	again(nobody, func() error { return unix.Mount("luzhanqi", filepath.Join(dir, "inner"), "tmpfs", 0, "size=4096") })
}

// nobody is an ordinary user's id.
const nobody = 65534

// TestInMounts is for TestMounts.
func TestInMounts(t *testing.T) {
	dir := os.Getenv(mountsOf)
	if dir == "" {
		t.Skip("TestMounts starts it")
	}
	if r := Isolation(); r.Level != sandbox.Isolated {
		t.Skip(r)
	}
	name := "bot"
	if os.Getuid() == 0 {
		name = "merged"
	}
	run := func(own bool, profile sandbox.Profile) Result {
		return Run(t.Context(), Command{
			Args: []string{"/bin/sh", "-c", "cat /dev/null >new; ls >/dev/null"}, Dir: filepath.Join(dir, name),
			Sandbox: sandbox.Policy{Profile: profile, Own: own},
		}, RunLimits{Time: time.Minute})
	}
	for _, profile := range []sandbox.Profile{sandbox.Guarded, sandbox.Sealed} {
		if r := run(false, profile); !r.OK() || len(r.Exit.Changed) != 1 {
			t.Errorf("%s: %v, %v, changed %q\n%s", profile, r.Exit, r.Err, r.Exit.Changed, r.Stderr)
		}
	}
	if os.Getuid() == 0 {
		if r := run(true, sandbox.Guarded); r.Err == nil || !strings.Contains(r.Err.Error(), "cannot map owners") {
			t.Errorf("its own directory, which it cannot write into: %v, %v", r.Exit, r.Err)
		}
	}
}
