package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// solvedBut DIR PAIR… fills a directory as if 1-D chess had been solved and every game were a draw, but
// for some pairs of armies. What a solve then still has to do takes seconds.
func solvedBut(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: solvedbut DIR PAIR…")
	}
	var armies []string
	for n := range 16 {
		army := ""
		for place, letters := range []string{"fc", "hs", "at", "kq"} {
			army += letters[n>>place&1:][:1]
		}
		armies = append(armies, army)
	}
	ts.Check(os.MkdirAll(ts.MkAbs(args[0]), 0o777))
	for n, first := range armies {
		for _, second := range armies[n:] {
			pair := first + "-" + second
			if slices.Contains(args[1:], pair) {
				continue
			}
			text := fmt.Sprintf("chess1d values 1: %s nomoves=loss, 360 times 360, first to move and second to move\n", pair) +
				strings.Repeat("=", 2*360*360)
			ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[0]), pair+"-nomoves-loss.values"), []byte(text), 0o666))
		}
	}
}

// interrupted TEXT STATUS [ARGUMENT…] runs luzhanqi, sends it SIGINT when a line of its standard error
// holds the text, and compares its exit status. Its standard error is then in the file err.
func interrupted(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: interrupted TEXT STATUS [ARGUMENT…]")
	}
	program := exec.Command("luzhanqi", args[2:]...)
	program.Dir = ts.MkAbs(".")
	pipe, err := program.StderrPipe()
	ts.Check(err)
	ts.Check(program.Start())
	var all strings.Builder
	sent := false
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		fmt.Fprintln(&all, lines.Text())
		if !sent && strings.Contains(lines.Text(), args[0]) {
			ts.Check(program.Process.Signal(syscall.SIGINT))
			sent = true
		}
	}
	found := status(ts, program.Wait())
	ts.Check(os.WriteFile(ts.MkAbs("err"), []byte(all.String()), 0o666))
	if !sent || strconv.Itoa(found) != args[1] {
		ts.Fatalf("interrupted: %v, exit status %d, want %s\n%s", sent, found, args[1], all.String())
	}
}
