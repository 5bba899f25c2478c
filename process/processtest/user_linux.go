package processtest

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Ordinary is a user without any rights.
const Ordinary = 65534

// Again runs a test of this binary once more, in a process of an ordinary user; with a pattern after a slash, some of its subtests. Only
// root can; whoever else runs the tests is an ordinary user.
func Again(t *testing.T, pattern string) {
	t.Helper()
	name, subtests, some := strings.Cut(pattern, "/")
	if os.Getuid() != 0 {
		t.Skipf("an ordinary user runs %s", name)
	}
	run := "^" + name + "$"
	if some {
		run += "/" + subtests
	}
	dir := Folder(t, Ordinary)
	// Where go test has put the binary, nobody but root can go.
	binary := filepath.Join(dir, filepath.Base(os.Args[0]))
	if err := copyProgram(binary); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), binary, "-test.run", run, "-test.v", "-test.timeout=5m")
	c.Env = append(os.Environ(), "HOME="+dir, "TMPDIR="+dir)
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: Ordinary, Gid: Ordinary}}
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+name) {
		t.Errorf("%v\n%s", err, out)
	}
}

// Folder is an empty folder of a user, which goes with the test. Unlike that of t.TempDir, every user can go there.
func Folder(t testing.TB, uid int) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "luzhanqi-test-")
	if err == nil {
		t.Cleanup(func() { os.RemoveAll(dir) })
		err = errors.Join(os.Chmod(dir, 0o755), os.Chown(dir, uid, uid))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func copyProgram(to string) error {
	from, err := os.Open("/proc/self/exe")
	if err != nil {
		return err
	}
	defer from.Close()
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, from)
	return errors.Join(err, file.Close())
}
