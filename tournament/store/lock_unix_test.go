//go:build unix

package store

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// A lock that somebody else has laid there is neither followed nor waited for.
func TestStrangeLocks(t *testing.T) {
	for name, lay := range map[string]func(path, elsewhere string) error{
		"pipe": func(path, _ string) error { return syscall.Mkfifo(path, 0o666) },
		"link": func(path, elsewhere string) error { return os.Symlink(elsewhere, path) },
		"folder": func(path, _ string) error {
			return os.Mkdir(path, 0o777)
		},
	} {
		for _, file := range []string{lockFile, pidFile} {
			t.Run(name+" "+file, func(t *testing.T) {
				dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "elsewhere")
				if err := os.WriteFile(elsewhere, []byte("precious"), 0o666); err != nil {
					t.Fatal(err)
				}
				if err := lay(filepath.Join(dir, file), elsewhere); err != nil {
					t.Fatal(err)
				}
				if held, err := Lock(dir, "counts"); err == nil {
					t.Errorf("locked: %v, %v", held, err)
				}
				if pid, err := Holder(dir); file == lockFile && name == "link" && (err == nil || pid != 0) {
					t.Errorf("held by %d, %v", pid, err)
				}
				if text, err := os.ReadFile(elsewhere); string(text) != "precious" {
					t.Errorf("elsewhere: %q, %v", text, err)
				}
			})
		}
	}
}

// A process is not stopped because somebody else says that it holds the lock.
func TestOwner(t *testing.T) {
	dir := t.TempDir()
	held, err := Lock(dir, "counts")
	if err != nil {
		t.Fatal(err)
	}
	defer held.Unlock()
	if err := Owner(dir); err != nil {
		t.Error(err)
	}
	if err := os.Chown(filepath.Join(dir, pidFile), 65534, 65534); err != nil {
		t.Skip(err)
	}
	if err := Owner(dir); err == nil {
		t.Error("anybody may say which process is to be stopped")
	}
}

// TestLockOfTheDead: a child that a killed process had just forked still has its files open, and with them the lock.
func TestLockOfTheDead(t *testing.T) {
	dir := t.TempDir()
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	lock, err := os.Create(filepath.Join(dir, lockFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, pidFile), fmt.Appendln(nil, dead.Process.Pid), 0o666); err != nil {
		t.Fatal(err)
	}
	child := exec.Command("sleep", "0.3")
	child.ExtraFiles = []*os.File{lock}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lock.Close()
	held, err := Lock(dir, "goes on")
	if err != nil {
		t.Fatal(err)
	}
	held.Unlock()
	child.Wait()
}
