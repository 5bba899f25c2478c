package protocoltests

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
)

// The programs that take the referee for a person, as people call the referee to play them: through the
// command, each with its adapter.

// talkers are the console programs, and our own player, which the default adapter must understand.
func talkers() map[string]string {
	all := map[string]string{
		"hatchback":   consoles + " -seed 1 hatchback",
		"convertible": consoles + " -seed 2 convertible",
		"default":     command + " player --game gastank --dialect console --level random --seed 3",
	}
	if runtime.GOOS != "windows" { // it needs a terminal
		all["pickup"] = consoles + " -seed 4 pickup"
	}
	return all
}

// TestProgramsForPeople: every one plays every one to an end by the rules, in both seats; the rules agree with the
// record, and nothing is left of any program.
func TestProgramsForPeople(t *testing.T) {
	for first, one := range talkers() {
		for second, two := range talkers() {
			t.Run(first+"-"+second, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				pids := filepath.Join(dir, "pids")
				run := func(words ...string) string {
					c := exec.Command(command, words...)
					c.Env = append(os.Environ(), withPIDs(pids)...)
					out, err := c.CombinedOutput()
					if err != nil {
						t.Fatalf("%q: %v\n%s", words, err, out)
					}
					return string(out)
				}
				out := run("match", "--game", "gastank", "--dialect-1", "console", "--dialect-2", "console", "--adapter-1", first, "--adapter-2", second,
					"--name-1", "one", "--name-2", "two", "--time", "60s", "--record", dir, one, two)
				if !regexp.MustCompile(`: player [12] \((one|two)\) won: (king captured|no legal moves), \d+ plies\n`).MatchString(out) {
					t.Errorf("no end by the rules:\n%s", out)
				}
				for _, process := range survivors(pids) {
					t.Errorf("outlives its game: %s", process)
				}
				records, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
				if len(records) != 1 {
					t.Fatalf("%d records, want 1", len(records))
				}
				if judged := run("replay", records[0]); !regexp.MustCompile(`won: .*; \d+ moves judged again`).MatchString(judged) {
					t.Errorf("judged again:\n%s", judged)
				}
			})
		}
	}
}

// TestWrongAdapters: with an adapter that does not know its question, a program that waits for an answer loses
// on time, and the reason says what is missing; it is never asked or told anything.
func TestWrongAdapters(t *testing.T) {
	for _, adapter := range []string{"convertible", "default"} {
		t.Run(adapter, func(t *testing.T) {
			t.Parallel()
			program, seen := consoles+" hatchback", "; nothing that it wrote was recognised as a question"
			if adapter == "default" && runtime.GOOS != "windows" {
				program, seen = consoles+" pickup", "; it has written nothing: what it prints may wait in its own buffer" // on pipes
			}
			out, err := exec.Command(command, "match", "--game", "gastank", "--dialect-1", "console", "--adapter-1", adapter,
				"--time", "700ms", "--name-1", "one", program, "builtin:random").CombinedOutput()
			want := "player 1 (one) did not show a move within 700ms + 200ms grace" + seen
			if err != nil || !regexp.MustCompile(regexp.QuoteMeta(want)).Match(out) {
				t.Errorf("%v, want %q:\n%s", err, want, out)
			}
		})
	}
}
