package isolation

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"luzhanqi/process"
	"luzhanqi/process/processtest"
	"luzhanqi/process/sandbox"
)

// TestBareFileSystem: an image that holds little but the referee reaches what its machine does, and a program plays there.
func TestBareFileSystem(t *testing.T) {
	processtest.Need(t, "bwrap")
	if r := process.Isolation(); r.Level != sandbox.Isolated {
		t.Skip(r)
	}
	root := t.TempDir()
	for _, name := range []string{"home", "tmp"} {
		if err := os.Mkdir(filepath.Join(root, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(command)
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "home", "luzhanqi"), text, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	inside := func(args ...string) string {
		t.Helper()
		c := exec.Command("bwrap", append([]string{"--unshare-user", "--bind", root, "/", "--proc", "/proc", "--dev", "/dev", "--chdir", "/home"}, args...)...)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	if out := inside("/home/luzhanqi", "version"); !strings.Contains(out, "isolation: isolated") {
		t.Errorf("it is not isolated:\n%s", out)
	}
	if out := inside("/home/luzhanqi", "match", "./luzhanqi player --level random", "builtin:random", "--quiet", "--seed=1"); !strings.Contains(out, "1 game in") {
		t.Errorf("no game was played:\n%s", out)
	}
}
