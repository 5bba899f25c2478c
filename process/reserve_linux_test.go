package process

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"luzhanqi/process/sandbox"
)

// readied is how much is ready for a command.
func (r *Reserve) readied(c Command) int {
	r.getting.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.ready[c.reserveKey()])
}

// TestReserve: what is ready is used once, has a user and a disk of its own, and is gone when it was not used.
func TestReserve(t *testing.T) {
	if way, _ := sandbox.Current(); Isolation().Level != sandbox.Isolated || way < sandbox.ByUserNamespace {
		t.Skip(way)
	}
	for _, profile := range []sandbox.Profile{sandbox.Guarded, sandbox.Sealed} {
		starts := 3
		r := NewReserve(func() bool { starts--; return starts > 0 })
		c := Command{Args: []string{"/bin/sh", "-c", "ls -d /tmp/a b 2>/dev/null | wc -l; id -u; touch /tmp/a b; exec cat"}, Dir: t.TempDir(), Ready: r}
		c.Sandbox.Profile = profile
		seen, roots := map[string]bool{}, []int{}
		for i := range 3 {
			p, err := Start(c)
			if err != nil {
				t.Fatal(err)
			}
			p.CloseInput()
			var said []byte
			for buf := make([]byte, 100); err == nil; {
				var n int
				n, err = p.Read(buf, soon())
				said = append(said, buf[:n]...)
			}
			lines := strings.Fields(string(said))
			if len(lines) != 2 || lines[0] != "0" || os.Getuid() == 0 && seen[lines[1]] {
				t.Errorf("%s, start %d: it finds so many files of those before, and its user is: %q; before there were %v", profile, i+1, lines, seen)
			}
			if len(lines) == 2 {
				seen[lines[1]] = true
			}
			roots = append(roots, p.guard.family().Root)
			if want := min(1, 2-i); r.readied(c) != want {
				t.Errorf("%s: after start %d, %d are ready, want %d", profile, i+1, r.readied(c), want)
			}
			if _, err := p.Stop(time.Second); err != nil {
				t.Error(err)
			}
		}
		mustBeDead(t, roots, 0)
		starts = 2
		r.again(c, &stayed{})
		if r.readied(c) != 1 {
			t.Errorf("%s: %d are ready for a further game", profile, r.readied(c))
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if entries, _ := os.ReadDir(c.Dir); len(entries) != 0 {
			t.Errorf("%s: the directory holds %v", profile, entries)
		}
	}
}

// TestReservePinned: what was made ready before its processor was known runs on it all the same, and on it only.
func TestReservePinned(t *testing.T) {
	if way, _ := sandbox.Current(); Isolation().Level != sandbox.Isolated || way < sandbox.ByUserNamespace {
		t.Skip(way)
	}
	cores := Cores()
	if len(cores) < 2 {
		t.Skip("one processor")
	}
	for _, profile := range []sandbox.Profile{sandbox.Guarded, sandbox.Sealed} {
		starts := 3
		r := NewReserve(func() bool { starts--; return starts > 0 })
		defer r.Close()
		c := Command{Args: []string{"/bin/sh", "-c", "grep Cpus_allowed_list /proc/self/status"}, Dir: t.TempDir(), Ready: r}
		c.Sandbox.Profile = profile
		for i, pin := range [][]int{nil, cores[1:2], cores[:1]} {
			if want := min(1, i); r.readied(c) != want {
				t.Fatalf("%s, start %d: %d are ready, want %d", profile, i+1, r.readied(c), want)
			}
			c.Confine.CPUs = pin
			p, err := Start(c)
			if err != nil {
				t.Fatal(err)
			}
			said := readAll(t, p, "")
			if _, err := p.Stop(time.Second); err != nil {
				t.Error(err)
			}
			if fields := strings.Fields(said); pin != nil && (len(fields) != 2 || fields[1] != fmt.Sprint(pin[0])) {
				t.Errorf("%s, start %d: it may run on %q, want %d", profile, i+1, said, pin[0])
			}
		}
	}
}

// TestReserveFails: a program that cannot be started is an error also when all else is ready, and so is one that has gone.
func TestReserveFails(t *testing.T) {
	if way, _ := sandbox.Current(); Isolation().Level != sandbox.Isolated || way < sandbox.ByUserNamespace {
		t.Skip(way)
	}
	dir := t.TempDir()
	program := dir + "/program"
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho ok\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	r := NewReserve(func() bool { return true })
	defer r.Close()
	c := Command{Args: []string{"./program"}, Dir: dir, Ready: r, Sandbox: sandbox.Policy{Profile: sandbox.Guarded}}
	for _, text := range []string{"#!/bin/sh\necho ok\n", "#!/nowhere/sh\n", "#!/bin/sh\necho ok\n"} {
		os.WriteFile(program, []byte(text), 0o755)
		p, err := Start(c)
		if bad := strings.Contains(text, "nowhere"); bad != (err != nil) || bad && !strings.Contains(err.Error(), "/nowhere/sh") {
			t.Fatalf("%q: %v", text, err)
		}
		if err == nil {
			p.Stop(time.Second)
			r.readied(c)
		}
	}
}

// TestRefusedBeforehand: what was refused while it was made ready says why when it is started, as what is refused then.
func TestRefusedBeforehand(t *testing.T) {
	way, _ := sandbox.Current()
	if Isolation().Level != sandbox.Isolated || way < sandbox.ByUserNamespace {
		t.Skip(way)
	}
	c := Command{Args: []string{"/bin/true"}, Dir: t.TempDir(), Sandbox: sandbox.Policy{Profile: sandbox.Guarded}}
	order, env, err := orderFor(way, c, "/bin/true")
	if err != nil {
		t.Fatal(err)
	}
	order.View.Dir = "/nowhere"
	for _, pause := range []time.Duration{0, 300 * time.Millisecond} {
		s, err := beforehand(c, env, order)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(pause)
		null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.begin(nil, [3]*os.File{null, null, null})
		null.Close()
		if err == nil || !strings.Contains(err.Error(), "/nowhere") {
			t.Errorf("after %v: %v", pause, err)
		}
	}
}

// TestConclude: what supervises programs is gone when Conclude returns, whether there was a program or not.
func TestConclude(t *testing.T) {
	for _, way := range []string{"concluding", "concluding nothing"} {
		referee := exec.Command(os.Args[0])
		referee.Env = append(os.Environ(), "PROCESS_TEST_REFEREE="+way)
		if out, err := referee.CombinedOutput(); err != nil || !strings.HasSuffix(string(out), "0 left\n") {
			t.Errorf("%s: %v: %s", way, err, out)
		}
	}
}

// actAsConcluding is what the test before runs in a process of its own.
func actAsConcluding(play bool) {
	if play {
		p, err := Start(Command{Args: []string{"/bin/true"}, Sandbox: sandbox.Policy{Profile: sandbox.Guarded}})
		if err == nil {
			_, err = p.Stop(time.Second)
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	Conclude()
	fmt.Println(len(childrenByParent()[os.Getpid()]), "left")
	os.Exit(0)
}

// TestNothingReadySurvivesTheReferee: what is ready for a program dies with the referee, as programs do.
func TestNothingReadySurvivesTheReferee(t *testing.T) {
	if way, _ := sandbox.Current(); Isolation().Level != sandbox.Isolated || way < sandbox.ByUserNamespace {
		t.Skip(way)
	}
	referee := exec.Command(os.Args[0])
	referee.Env = append(os.Environ(), "PROCESS_TEST_REFEREE=reserve")
	out, err := referee.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := children.start(referee); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	var host int
	if n, _ := fmt.Sscan(line, &host); n != 1 {
		t.Fatal(line, err)
	}
	all := []int{host}
	for end := soon(); len(all) < 4; { // the program, process 1 of its namespace, and the one that is ready
		if all = append([]int{host}, listedChildren(host, threadsOf(host))...); time.Now().After(end) {
			t.Fatalf("below supervisor %d there are %v", host, all[1:])
		}
	}
	syscall.Kill(referee.Process.Pid, syscall.SIGKILL)
	children.wait(referee)
	end := soon()
	for _, pid := range all { // to this process they fall, and a process 1 ends when others in its namespace are waited for
		for syscall.Kill(pid, 0) == nil {
			for _, dead := range all {
				syscall.Wait4(dead, nil, syscall.WNOHANG, nil)
			}
			if stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); time.Now().After(end) {
				t.Fatalf("still there: %s", stat)
			}
		}
	}
}

// actAsReserving is what the test before runs in a process of its own.
func actAsReserving() {
	c := Command{Args: []string{"/bin/sleep", "100"}, Sandbox: sandbox.Policy{Profile: sandbox.Guarded}, Ready: NewReserve(func() bool { return true })}
	if _, err := Start(c); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	c.Ready.getting.Wait()
	fmt.Println(hosts.current.cmd.Process.Pid)
	time.Sleep(100 * time.Second)
}
