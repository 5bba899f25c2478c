package filter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// landlockTest is what a child allows itself and then tries.
type landlockTest struct {
	ReadOnly, ReadWrite, Siblings []string
	Read, Write, Run, List        []string // paths
	Address                       string   // of a TCP listener
	Abstract                      string   // of a Unix socket
	Signal                        int      // a process to send signal 0 to
	Network                       bool     // DenyTCP and Scoped
}

type landlockResult struct {
	ABI       int
	Refused   []string // by Landlock: EACCES, and EPERM for signals
	Other     []string // errors of another kind
	Elsewhere string   // what another thread of the process was refused
}

var landlockChild = child("landlock", func(args []string) (any, error) {
	var test landlockTest
	if err := json.Unmarshal([]byte(args[0]), &test); err != nil {
		return nil, err
	}
	if err := DropCapabilities(); err != nil {
		return nil, err
	}
	abi, err := Landlock(Rules{
		ReadOnly: test.ReadOnly, ReadWrite: test.ReadWrite, Siblings: test.Siblings,
		DenyTCP: test.Network, Scoped: test.Network,
	})
	if err != nil {
		return nil, err
	}
	r := landlockResult{ABI: abi}
	note := func(what string, err error) {
		switch {
		case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
			r.Refused = append(r.Refused, what)
		case err != nil:
			r.Other = append(r.Other, fmt.Sprint(what, ": ", err))
		}
	}
	for _, path := range test.Read {
		_, err := os.ReadFile(path)
		note("read "+path, err)
	}
	for _, path := range test.Write {
		note("write "+path, os.WriteFile(path, []byte("written"), 0o600))
	}
	for _, path := range test.Run {
		note("run "+path, exec.Command(path).Run())
	}
	for _, path := range test.List {
		_, err := os.ReadDir(path)
		note("list "+path, err)
	}
	if test.Address != "" {
		c, err := net.Dial("tcp", test.Address)
		if err == nil {
			c.Close()
		}
		note("connect", err)
		var plain net.ListenConfig
		plain.SetMultipathTCP(false)
		l, err := plain.Listen(context.Background(), "tcp", "127.0.0.1:0")
		if err == nil {
			l.Close()
		}
		note("listen", err)
	}
	if test.Abstract != "" {
		c, err := net.Dial("unix", test.Abstract)
		if err == nil {
			c.Close()
		}
		note("abstract socket", err)
	}
	if test.Signal != 0 {
		note("signal", syscall.Kill(test.Signal, 0))
		started := exec.Command("/bin/sleep", "10")
		note("start", started.Start())
		note("signal to what it started", syscall.Kill(started.Process.Pid, syscall.SIGKILL))
		started.Wait()
	}
	elsewhere := make(chan string)
	go func() {
		runtime.LockOSThread()
		for _, path := range test.Read {
			if _, err := os.ReadFile(path); errors.Is(err, syscall.EACCES) {
				r.Elsewhere = path
			}
		}
		elsewhere <- r.Elsewhere
	}()
	<-elsewhere
	return r, nil
})

// sharedDir is a folder that an ordinary user can reach and write in, unlike those that tests get.
func sharedDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "sandbox")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// write makes a file that everybody may read and write, with the folders above it.
func write(t *testing.T, path, text string) string {
	t.Helper()
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{dir, path} {
		if err := os.Chmod(p, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// systemDirs are what a program needs to run at all.
var systemDirs = []string{"/usr", "/bin", "/lib", "/lib64", "/etc", "/proc"}

func needLandlock(t *testing.T) int {
	t.Helper()
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		t.Skip("no Landlock: ", errno)
	}
	return min(int(version), landlockABI)
}

func tryLandlock(t *testing.T, uid int, test landlockTest) landlockResult {
	t.Helper()
	text, err := json.Marshal(test)
	if err != nil {
		t.Fatal(err)
	}
	r := inChild[landlockResult](t, uid, landlockChild, string(text))
	if r.ABI != needLandlock(t) {
		t.Errorf("in force: version %d", r.ABI)
	}
	if len(r.Other) > 0 {
		t.Errorf("further errors: %q", r.Other)
	}
	if r.Elsewhere != "" {
		t.Errorf("another thread was refused %s", r.Elsewhere)
	}
	return r
}

// What is not allowed cannot be opened by the thread, whatever the version says; what is allowed can.
func TestLandlockFiles(t *testing.T) {
	needLandlock(t)
	asUsers(t, func(t *testing.T, uid int) {
		dir := sharedDir(t)
		at := func(name string) string { return filepath.Join(dir, name) }
		secret := write(t, at("records/game"), "hidden set-up")
		readable, writable := write(t, at("read/file"), "text"), write(t, at("write/file"), "text")
		one, other := write(t, at("files/one"), "text"), write(t, at("files/other"), "text")
		script := write(t, at("read/script"), "#!/bin/sh\n")
		forbidden := write(t, at("records/script"), "#!/bin/sh\n")
		if err := os.Symlink(secret, at("read/link")); err != nil {
			t.Fatal(err)
		}
		r := tryLandlock(t, uid, landlockTest{
			ReadOnly:  append([]string{at("read"), one, at("not there"), at("read/file/not a folder")}, systemDirs...),
			ReadWrite: []string{at("write"), "/dev/null"},
			Read:      []string{readable, writable, one, other, secret, at("read/link"), at("write/../records/game"), "/etc/passwd"},
			Write:     []string{readable, writable, at("write/new"), at("read/new"), secret, "/dev/null"},
			Run:       []string{script, forbidden},
			List:      []string{at("read"), at("write"), dir, at("records")},
		})
		want := []string{
			"read " + other, "read " + secret, "read " + at("read/link"), "read " + at("write/../records/game"),
			"write " + readable, "write " + at("read/new"), "write " + secret, "run " + forbidden, "list " + dir, "list " + at("records"),
		}
		if !slices.Equal(r.Refused, want) {
			t.Errorf("refused:\n%s\nwant:\n%s", strings.Join(r.Refused, "\n"), strings.Join(want, "\n"))
		}
	})
}

// A signal, an abstract socket and a TCP port lead nowhere outside; a signal to what the program started arrives.
func TestLandlockReach(t *testing.T) {
	abi := needLandlock(t)
	asUsers(t, func(t *testing.T, uid int) {
		tcp, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer tcp.Close()
		name := fmt.Sprintf("@sandbox-%d-%d", os.Getpid(), time.Now().UnixNano())
		abstract, err := net.Listen("unix", name)
		if err != nil {
			t.Fatal(err)
		}
		defer abstract.Close()
		outside := command(t, uid, sleepChild)
		if err := outside.Start(); err != nil {
			t.Fatal(err)
		}
		defer outside.Wait()
		defer outside.Process.Kill()
		test := landlockTest{
			ReadOnly: []string{"/"}, ReadWrite: []string{"/dev/null"},
			Address: tcp.Addr().String(), Abstract: name, Signal: outside.Process.Pid,
		}
		if r := tryLandlock(t, uid, test); len(r.Refused) > 0 {
			t.Errorf("refused although not asked for: %q", r.Refused)
		}
		test.Network = true
		var want []string
		if abi >= 4 {
			want = append(want, "connect", "listen")
		}
		if abi >= 6 {
			want = append(want, "abstract socket", "signal")
		}
		if r := tryLandlock(t, uid, test); !slices.Equal(r.Refused, want) {
			t.Errorf("version %d refused %q, want %q", abi, r.Refused, want)
		}
	})
}

var sleepChild = child("sleep", func([]string) (any, error) {
	time.Sleep(time.Minute)
	return nil, nil
})

// All but what is hidden can be read, without a name of a link among what is allowed.
func TestAllBut(t *testing.T) {
	dir := sharedDir(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	token, record := write(t, at("run/token"), "secret"), write(t, at("run/records/1/game"), "secret")
	beside := write(t, at("run/records/2/game"), "shown")
	write(t, at("bot/main.py"), "shown")
	if err := os.Symlink(at("run/records/1"), at("link")); err != nil {
		t.Fatal(err)
	}
	list, err := AllBut([]string{token, at("link"), at("run/not yet there"), "/nowhere/at/all"})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{at("bot"), at("run/records/2"), "/usr", "/etc"} {
		if !slices.Contains(list, path) {
			t.Errorf("%s is not listed", path)
		}
	}
	for _, path := range list {
		for _, h := range []string{token, at("run/records/1")} {
			if h == path || strings.HasPrefix(h, path+"/") {
				t.Errorf("%s is hidden, and %s listed", h, path)
			}
		}
		if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
			t.Errorf("the link %s is listed", path)
		}
	}
	if list, err := AllBut([]string{"/usr", "/"}); len(list) > 0 || err != nil {
		t.Errorf("with / hidden there remain %q, %v", list, err)
	}

	// Between the list and the rules, a folder is replaced by a link to what is hidden.
	if err := os.Rename(at("bot"), at("was bot")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(at("run/records/1"), at("bot")); err != nil {
		t.Fatal(err)
	}
	needLandlock(t)
	asUsers(t, func(t *testing.T, uid int) {
		r := tryLandlock(t, uid, landlockTest{
			Siblings: list, ReadWrite: []string{"/dev/null"},
			Read: []string{token, record, at("link/game"), at("bot/game"), beside, "/etc/passwd"},
			Run:  []string{"/bin/true"},
			List: []string{at("run"), "/"},
		})
		want := []string{"read " + token, "read " + record, "read " + at("link/game"), "read " + at("bot/game"), "list " + at("run"), "list /"}
		if !slices.Equal(r.Refused, want) {
			t.Errorf("refused %q, want %q", r.Refused, want)
		}
	})
}

// The list is bounded, and the error says what to do.
func TestAllButTooMany(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c", "hidden"} {
		write(t, filepath.Join(dir, name), "")
	}
	hidden := []string{filepath.Join(dir, "hidden")}
	if list, err := Besides(nil, dir, hidden, 4); len(list) != 3 || err != nil {
		t.Errorf("listed %q, %v", list, err)
	}
	_, err := Besides(nil, dir, hidden, 3)
	if err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "folder of its own") {
		t.Errorf("error: %v", err)
	}
}
