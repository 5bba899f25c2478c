package processtest

import (
	"bufio"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"
)

// LeavesNothing starts a command again and again, which writes a line when it begins to make things in its folder for temporary
// files, and kills it within 20 ms of that: soon after the last, nothing must be left there.
func LeavesNothing(t *testing.T, kills int, args ...string) {
	t.Helper()
	temporary := t.TempDir()
	for range kills {
		c := exec.Command(args[0], args[1:]...)
		c.Env, c.Stderr = append(os.Environ(), "TMPDIR="+temporary), os.Stderr
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Errorf("it did not begin: %v", err)
		}
		time.Sleep(time.Duration(rand.Int64N(int64(20 * time.Millisecond))))
		c.Process.Kill()
		c.Wait()
	}
	var left []os.DirEntry
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if left, _ = os.ReadDir(temporary); len(left) == 0 {
			return
		}
	}
	t.Errorf("left after %d kills: %v", kills, left)
}
