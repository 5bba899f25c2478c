package process

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// breeder leaves descendants everywhere: in its group, in sessions of their own, orphaned, and
// holding all its pipes. Each writes its process id to $PIDS.
const breeder = `
echo $$ >>"$PIDS"
sleep 100 & echo $! >>"$PIDS"
(setsid sh -c 'echo $$ >>"$PIDS"; exec sleep 100' &)
(setsid sh -c 'echo $$ >>"$PIDS"; (setsid sh -c "echo \$\$ >>\"$PIDS\"; exec sleep 100" &); exec sleep 100' &)
`

func pids(t *testing.T, file string, want int) []int {
	t.Helper()
	for deadline := soon(); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		text, _ := os.ReadFile(file)
		var all []int
		for _, word := range strings.Fields(string(text)) {
			pid, _ := strconv.Atoi(word)
			all = append(all, pid)
		}
		if len(all) >= want {
			return all
		}
	}
	t.Fatalf("%d processes did not start", want)
	return nil
}

func mustBeDead(t *testing.T, all []int, limit time.Duration) {
	t.Helper()
	deadline := time.Now().Add(limit)
	for _, pid := range all {
		for syscall.Kill(pid, 0) == nil {
			if time.Now().After(deadline) {
				state, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
				t.Fatalf("still there: %s", state)
			}
			time.Sleep(time.Millisecond)
		}
	}
}

func startBreeder(t *testing.T, then string) (*Process, []int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pids")
	t.Setenv("PIDS", file)
	p := sh(t, breeder+then)
	return p, pids(t, file, 5)
}

func TestNothingSurvivesStop(t *testing.T) {
	p, all := startBreeder(t, "exec sleep 100")
	if _, err := p.Stop(10 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	mustBeDead(t, all, 0)
}

func TestNothingSurvivesTheProgramsExit(t *testing.T) {
	p, all := startBreeder(t, "sleep 0.3; exit 5")
	<-p.Exited()
	mustBeDead(t, all, 5*time.Second)
	if exit, err := p.Stop(time.Second); err != nil || exit.Code != 5 || exit.Killed {
		t.Fatalf("%+v, %v", exit, err)
	}
}

// TestNothingSurvivesATerminal: neither children in the program's session nor in others.
func TestNothingSurvivesATerminal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	t.Setenv("PIDS", file)
	for _, then := range []string{"exec sleep 100", "sleep 0.2; exit 5"} {
		os.Remove(file)
		p := onTerminal(t, "trap '' HUP\n"+breeder+then)
		all := pids(t, file, 5)
		if then != "exec sleep 100" {
			<-p.Exited()
		}
		if _, err := p.Stop(10 * time.Millisecond); err != nil {
			t.Fatal(err)
		}
		mustBeDead(t, all, 0)
	}
}

func TestNothingSurvivesTheSupervisor(t *testing.T) {
	p, all := startBreeder(t, "exec sleep 100")
	syscall.Kill(p.guard.family().Root, syscall.SIGKILL)
	if exit, err := p.Stop(10 * time.Millisecond); err != nil || exit.Signal != syscall.SIGKILL {
		t.Fatalf("%+v, %v", exit, err)
	}
	mustBeDead(t, all, 0)
}

// TestNewsOfAKilledSupervisor: the exit of a program that killed its supervisor is known before its
// orphans have been found, which takes long if they are many.
func TestNewsOfAKilledSupervisor(t *testing.T) {
	p, all := startBreeder(t, "read line; kill -KILL $PPID; exec sleep 100")
	children.mu.Lock() // a sweep goes on
	p.Write([]byte("now\n"), soon())
	select {
	case <-p.Exited():
	case <-time.After(20 * time.Second):
		t.Error("the exit is not known while orphans are looked for")
	}
	children.mu.Unlock()
	if exit, err := p.Stop(0); err != nil || exit.Signal != syscall.SIGKILL {
		t.Fatalf("%+v, %v", exit, err)
	}
	mustBeDead(t, all, 0)
}

func TestNothingSurvivesTheReferee(t *testing.T) {
	for _, way := range []string{"pipes", "terminal"} {
		t.Run(way, func(t *testing.T) { nothingSurvivesTheReferee(t, way) })
	}
}

func nothingSurvivesTheReferee(t *testing.T, way string) {
	file := filepath.Join(t.TempDir(), "pids")
	referee := exec.Command(os.Args[0])
	referee.Env = append(os.Environ(), "PROCESS_TEST_REFEREE="+way, "PIDS="+file)
	out, err := referee.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	children.start(referee)
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(line, err)
	}
	all := pids(t, file, 5)
	syscall.Kill(referee.Process.Pid, syscall.SIGKILL)
	children.wait(referee)
	mustBeDead(t, all, 5*time.Second)
}

// actAsReferee is what the test before runs in a process of its own.
func actAsReferee() {
	c := Command{Args: []string{"/bin/sh", "-c", "trap '' HUP\n" + breeder + "exec sleep 100"}}
	switch os.Getenv("PROCESS_TEST_REFEREE") {
	case "concluding", "concluding nothing":
		actAsConcluding(os.Getenv("PROCESS_TEST_REFEREE") == "concluding")
	case "crowded":
		actAsCrowded()
	case "refused":
		actAsRefused()
	case "reserve":
		actAsReserving()
	case "groups":
		actAsGroupReferee()
	case "terminal":
		c.Terminal = true
	case "private", "copying":
		c = Command{Args: []string{"/bin/sh", "-c", "chmod 000 a/b a; exec sleep 100"}, Dir: os.Getenv("ORIGINAL"), Confine: Confinement{Private: true}}
	}
	if _, err := Start(c); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("started")
	time.Sleep(100 * time.Second)
}
