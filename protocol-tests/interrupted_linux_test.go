package protocoltests

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"luzhanqi/process/processtest"
	"luzhanqi/protocol-tests/protocoltest"
	"luzhanqi/referee"
)

// TestInterruptedTournament ends a tournament again and again in the middle of its first game, at night more often than workers
// may vanish with a game (40 times). That is no failure of a machine: the game is played when the tournament is left alone, and it counts.
func TestInterruptedTournament(t *testing.T) {
	times := 3
	if protocoltest.Nightly() {
		times = 41
	}
	for _, s := range settings() {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			interrupt(t, s, times)
		})
	}
}

func interrupt(t *testing.T, s setting, times int) {
	dir := processtest.Folder(t, s.uid)
	pids, plan := filepath.Join(dir, "pids"), filepath.Join(dir, "plan.toml")
	planText := fmt.Sprintf(`
name = "interrupted"
game = "luzhanqi"
format = "round-robin"
games = 2
seed = 4
[limits]
setup = "30s"
move = "30s"
max_plies = 40
[[player]]
name = "one"
command = "%s late 20"
[[player]]
name = "other"
command = "%[1]s late 20"
`, hostile)
	if err := os.WriteFile(plan, []byte(planText), 0o644); err != nil {
		t.Fatal(err)
	}
	start := func() (c *exec.Cmd, said *strings.Builder) {
		c, _ = s.command(t, "tournament", "run", plan, "--store", filepath.Join(dir, "store"), "--concurrency=1")
		c.Env = append(c.Env, withPIDs(pids)...)
		said = &strings.Builder{}
		c.Stdout, c.Stderr = said, said
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c, said
	}
	ends := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
	if signal.Ignored(syscall.SIGHUP) { // as nohup wants it, of what we start, too
		ends = ends[:2]
	}
	for attempt := range times {
		number := ends[attempt%len(ends)]
		c, said := start()
		if !eventually(30*time.Second, func() bool { return strings.Count(strings.Join(survivors(pids), "\n"), " (hostile) ") > 1 }) {
			c.Process.Kill()
			c.Wait()
			t.Fatalf("attempt %d: the game was not begun: %s", attempt, said)
		}
		c.Process.Signal(number)
		c.Wait()
		if code := c.ProcessState.ExitCode(); code != 128+int(number) {
			t.Fatalf("attempt %d: exit code %d: %s", attempt, code, said)
		}
		if left := survivors(pids); left != nil {
			t.Fatalf("attempt %d: outlive the tournament: %q", attempt, left)
		}
	}
	c, said := start()
	if err := c.Wait(); err != nil {
		t.Fatalf("the last time: %v: %s", err, said)
	}
	list := filepath.Join(dir, "games.jsonl")
	out, err := exec.Command(command, "tournament", "report", plan, "--store", filepath.Join(dir, "store"), "--games", list).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	games := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, line := range games {
		var game struct {
			Attempt int
			Ending  referee.Ending
		}
		if err := json.Unmarshal([]byte(line), &game); err != nil || game.Attempt != 1 || game.Ending.Code != referee.Drawn {
			t.Errorf("want a draw at the first attempt that counts: %v, %s\n%s", err, line, said)
		}
	}
	if len(games) != 2 {
		t.Errorf("%d games, want 2", len(games))
	}
}
