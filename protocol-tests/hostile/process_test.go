package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test binary be the program, for the modes that end or fork processes.
func TestMain(m *testing.M) {
	if os.Getenv("HOSTILE_AS_PROGRAM") != "" {
		main()
	}
	os.Exit(m.Run())
}

// program starts the mode as a process of its own whose end of life is the test's.
func program(t *testing.T, pids string, words ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], words...)
	c.Env = append(os.Environ(), "HOSTILE_AS_PROGRAM=1", "HOSTILE_PIDS="+pids)
	c.WaitDelay = time.Second
	return c
}

const opening = "(init 1 time/move 1.0)\n(go 1)\n"

func TestDeaths(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	for words, want := range map[string]string{
		"crash":            "exit status 2",
		"segv":             "signal: segmentation fault",
		"abort":            "signal: aborted",
		"kill9":            "signal: killed",
		"exit3":            "exit status 3",
		"exit0":            "",
		"crash-mid-answer": "exit status 1",
		"honest":           "",
		"silent":           "",
		"close-stdout":     "",
		"nonsense":         "exit status 64",
	} {
		c := program(t, "", words)
		c.Stdin = strings.NewReader(opening)
		found := ""
		if err := c.Run(); err != nil {
			found = err.Error()
		}
		if found != want {
			t.Errorf("%s: %s, want %s", words, found, want)
		}
	}
}

// TestNoise guards that a noisy mode is noisy: it goes on until it is killed.
func TestNoise(t *testing.T) {
	for words, bytes := range map[string]int{
		"babble start": 1 << 13, "babble-paren": 1 << 13, "babble-list setup": 1 << 13, "babble-space": 1 << 13,
		"flood-stdout start": 1 << 24, "dribble start": 20, "deaf-plays": 1 << 11, "big-setup": 10 << 20, "deep": 1_000_000,
	} {
		c := program(t, "", strings.Fields(words)...)
		c.Stdin = strings.NewReader(opening)
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if n, err := io.CopyN(io.Discard, out, int64(bytes)); err != nil {
			t.Errorf("%s: ended after %d bytes: %v", words, n, err)
		}
		_ = c.Process.Kill()
		_ = c.Wait()
	}
}

// TestDescendants guards that the families exist, by their process ids, and ends them.
func TestDescendants(t *testing.T) {
	for words, want := range map[string]int{"orphan": 3, "orphan-exit start": 3, "orphan-tree": 21, "respawn 2": 5} {
		t.Run(words, func(t *testing.T) {
			pids := filepath.Join(t.TempDir(), "pids")
			c := program(t, pids, strings.Fields(words)...)
			in, err := c.StdinPipe()
			if err == nil {
				err = c.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			var written []string
			for deadline := time.Now().Add(20 * time.Second); len(written) < want && time.Now().Before(deadline); {
				time.Sleep(10 * time.Millisecond)
				text, err := os.ReadFile(pids)
				if err != nil && !errors.Is(err, os.ErrNotExist) {
					t.Fatal(err)
				}
				written = strings.Fields(string(text))
			}
			if found := len(written); found < want || words != "respawn 2" && found > want {
				t.Errorf("found %d processes, want %d", found, want)
			}
			_ = in.Close()
			_ = c.Wait()
			if words == "respawn 2" {
				time.Sleep(3 * time.Second) // the chain ends by itself, and is nobody's to wait for
				return
			}
			for _, text := range written[1:] {
				var pid int
				_, _ = fmt.Sscan(text, &pid)
				if descendant, err := os.FindProcess(pid); err == nil {
					_ = descendant.Kill() // its parents have ended by themselves
				}
			}
		})
	}
}
