package process

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestPrivateOutlivesNoReferee: a referee that is killed cannot remove anything itself, be it
// during the game or while it still copies.
func TestPrivateOutlivesNoReferee(t *testing.T) {
	for _, way := range []string{"private", "copying"} {
		t.Run(way, func(t *testing.T) {
			around := t.TempDir()
			dir := filepath.Join(around, "original")
			for _, name := range []string{"a/b/x", "c/y"} {
				write(t, filepath.Join(dir, name), "x", 0o644)
			}
			if way == "copying" { // takes a while
				for _, name := range []string{"1", "2", "3", "4", "5", "6", "7", "8"} {
					write(t, filepath.Join(dir, name), strings.Repeat(name, 16<<20), 0o644)
				}
			}
			tmp := filepath.Join(around, "tmp")
			os.Mkdir(tmp, 0o755)
			referee := exec.Command(os.Args[0])
			referee.Env = append(os.Environ(), "PROCESS_TEST_REFEREE="+way, "TMPDIR="+tmp, "ORIGINAL="+dir)
			out, err := referee.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			children.start(referee)
			copies := func() []string { found, _ := filepath.Glob(filepath.Join(tmp, "*")); return found }
			if way == "private" {
				if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
					t.Fatal(line, err)
				}
			}
			for end := soon(); len(copies()) == 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
			}
			if len(copies()) != 1 {
				t.Errorf("%d private directories", len(copies()))
			}
			syscall.Kill(referee.Process.Pid, syscall.SIGKILL)
			children.wait(referee)
			for end := soon(); len(copies()) != 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
			}
			if left := copies(); len(left) != 0 {
				t.Errorf("left are %q", left)
			}
		})
	}
}

// TestPrivateOutlivesNoSupervisor: a program that kills its supervisor has its directory removed
// by the referee.
func TestPrivateOutlivesNoSupervisor(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x"), "x", 0o644)
	p, err := Start(Command{
		Args: []string{"/bin/sh", "-c", `mkdir a b; touch a/c; pwd; read x; kill -KILL $PPID; exec sleep 100`}, Dir: dir,
		Confine: Confinement{Private: true, Memory: 1 << 30, Processes: 20},
	})
	if err != nil {
		t.Fatal(err)
	}
	path := strings.TrimSpace(readAll(t, p, "\n"))
	if files, err := os.ReadDir(path); err != nil || len(files) != 3 {
		t.Errorf("%d files, %v", len(files), err)
	}
	p.Write([]byte("\n"), soon())
	<-p.Exited()
	if exit, err := p.Stop(0); err != nil || exit.Signal != syscall.SIGKILL {
		t.Errorf("%s, %v", exit, err)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Errorf("%s is still there", path)
	}
}
