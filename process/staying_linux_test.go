package process

import (
	"context"
	"errors"
	"fmt"
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

// TestSupervisorOfAllIsKilled: programs die with it, and are not to blame; the next are started below another.
func TestSupervisorOfAllIsKilled(t *testing.T) {
	needStaying(t)
	start := func() *Process {
		p, err := Start(Command{Args: []string{"/bin/cat"}, Dir: t.TempDir(), Sandbox: sandbox.Policy{Profile: sandbox.Guarded}})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	both := []*Process{start(), start()}
	hosts.Lock()
	pid := hosts.current.cmd.Process.Pid
	hosts.Unlock()
	syscall.Kill(pid, syscall.SIGKILL)
	for _, p := range both {
		select {
		case <-p.Exited():
		case <-time.After(10 * time.Second):
			t.Fatal("it lives on")
		}
		if e := p.Exit(); !e.Lost || e.String() != "died with what supervises programs" {
			t.Errorf("%+v", e)
		}
		if _, err := p.Stop(0); err != nil {
			t.Error(err)
		}
	}
	p := start()
	if err := say(p, "still here\n"); err != nil {
		t.Error(err)
	}
	if exit, err := p.Stop(time.Second); err != nil || exit.Lost {
		t.Errorf("%v %v", exit, err)
	}
}

// say writes a line to cat and wants it back.
func say(p *Process, line string) error {
	if _, err := p.Write([]byte(line), time.Now().Add(10*time.Second)); err != nil {
		return err
	}
	_, err := p.Read(make([]byte, len(line)), time.Now().Add(10*time.Second))
	return err
}

func needStaying(t *testing.T) {
	if r := Isolation(); r.By < sandbox.ByUserNamespace {
		t.Skip(r)
	}
}

// TestNeverLess: where a way to isolate programs was reached, no program starts in a lesser one; a refusal that passes is waited
// for. The referee of this test is refused namespaces by a user namespace of its own.
func TestNeverLess(t *testing.T) {
	needStaying(t)
	referee := exec.Command(os.Args[0])
	referee.Env = append(os.Environ(), "PROCESS_TEST_REFEREE=refused")
	id := []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
	referee.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS, UidMappings: id, GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}}
	out, err := referee.CombinedOutput()
	if errors.Is(err, syscall.EPERM) {
		t.Skip(err)
	}
	if want := "first: apart\nrefused for a while: apart\nrefused: start \"/bin/readlink\": this machine isolates programs by "; err != nil || !strings.HasPrefix(string(out), want) {
		t.Errorf("%v: %q, want %q", err, out, want)
	}
}

// actAsRefused is what the test before runs in a user namespace of its own.
func actAsRefused() {
	const path = "/proc/sys/user/max_mnt_namespaces"
	room, err := os.ReadFile(path)
	allow := func(text string) {
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0)
		}
	}
	own, _ := os.Readlink("/proc/self/ns/mnt")
	start := func(title string) {
		r := Run(context.Background(), Command{
			Args: []string{"/bin/readlink", "/proc/self/ns/mnt"}, Dir: "/usr", Sandbox: sandbox.Policy{Profile: sandbox.Guarded},
		}, RunLimits{Time: 10 * time.Second})
		switch said := strings.TrimSpace(r.Stdout.String()); {
		case r.Err != nil:
			fmt.Printf("%s: %v\n", title, r.Err)
		case strings.HasPrefix(said, "mnt:") && said != own:
			fmt.Printf("%s: apart\n", title)
		default:
			fmt.Printf("%s: in %q of %q, %v %s\n", title, said, own, r.Exit, r.Stderr)
		}
	}
	start("first")
	allow("0\n")
	allowed := make(chan struct{})
	time.AfterFunc(100*time.Millisecond, func() { allow(string(room)); close(allowed) })
	start("refused for a while")
	<-allowed
	allow("0\n")
	start("refused")
	if err != nil {
		fmt.Println(err)
	}
	os.Exit(0)
}

// TestCrowdOfProcesses: programs of a user who may have few processes, all of which start as many as they can, are ended one by
// one. Neither others, which start some as well, nor what supervises them is refused any.
func TestCrowdOfProcesses(t *testing.T) {
	needStaying(t)
	if os.Getuid() != 0 {
		t.Skip("it needs a user without other processes")
	}
	dir, err := os.MkdirTemp("", "luzhanqi-test-") // t.TempDir is closed to other users
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	binary := filepath.Join(dir, "referee")
	if err := errors.Join(os.Chmod(dir, 0o755), copyFile(os.Args[0], binary)); err != nil {
		t.Fatal(err)
	}
	referee := exec.Command(binary)
	referee.Env, referee.Dir = append(os.Environ(), "PROCESS_TEST_REFEREE=crowded"), dir
	referee.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 64123, Gid: 64123}}
	if out, err := referee.CombinedOutput(); err != nil || string(out) != "6 ended for their processes, 6 served to the end\n" {
		t.Errorf("%v: %s", err, out)
	}
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o755)
}

// actAsCrowded is what the test before runs as another user.
func actAsCrowded() {
	const pairs = 6
	unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: 400, Max: 400})
	AtATime(2 * pairs)
	start := func(script string) *Process {
		p, err := Start(Command{Args: []string{"/bin/sh", "-c", script}, Sandbox: sandbox.Policy{Profile: sandbox.Guarded}})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return p
	}
	var hogs, innocents []*Process
	for range pairs {
		innocents = append(innocents, start("while read line; do /bin/echo $line; done"))
	}
	for range pairs {
		hogs = append(hogs, start("i=0; while [ $i -lt 300 ]; do sleep 20 & i=$((i+1)); done; wait"))
	}
	ended, served := 0, 0
	for _, p := range hogs {
		select {
		case <-p.Exited():
		case <-time.After(15 * time.Second):
		}
		// Faster than they are looked at, they meet the kernel's limit, and the shell gives up.
		if exit, err := p.Stop(0); (exit.Exceeded == LimitThreads || exit.Code == 2) && err == nil {
			ended++
		} else {
			fmt.Println(exit, err)
		}
	}
	for _, p := range innocents {
		err := say(p, "still here\n")
		if exit, _ := p.Stop(time.Second); err == nil && !exit.Lost {
			served++
		} else {
			fmt.Println(exit, err)
		}
	}
	fmt.Printf("%d ended for their processes, %d served to the end\n", ended, served)
	os.Exit(0)
}

// TestFirstHasNoHeap: process 1 of a program's namespace is a copy of the supervisor that has nothing of its heap, and this machine's
// best way to isolate programs works with it.
func TestFirstHasNoHeap(t *testing.T) {
	needStaying(t)
	p, err := Start(Command{Args: []string{"/bin/cat"}, Dir: t.TempDir(), Sandbox: sandbox.Policy{Profile: sandbox.Guarded}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop(0)
	hosts.Lock()
	supervisor := hosts.current.cmd.Process.Pid
	hosts.Unlock()
	own := func(pid int) (kib int) {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(status), "RssAnon:")
		if _, err := fmt.Sscan(rest, &kib); err != nil {
			t.Fatal(err)
		}
		return kib
	}
	// The heap of one that has started one program is 1 MiB.
	if first, all := own(p.guard.family().Root), own(supervisor); first > all-700 {
		t.Errorf("process 1 has %d KiB of its own, its supervisor %d", first, all)
	}
}
