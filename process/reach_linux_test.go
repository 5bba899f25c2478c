package process

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"luzhanqi/process/sandbox"
)

// TestReachInWay is for TestOwnDirectory: a guarded program finds its working directory also below one that only its owner can pass,
// and of that nothing else if it is another user's; what it caches it can write; and one that it may not start says so before.
func TestReachInWay(t *testing.T) {
	if os.Getenv(wayRoom) == "" {
		t.Skip("TestOwnDirectory starts it")
	}
	by, root := Isolation().By, os.Getuid() == 0
	run := func(dir string, args ...string) Result {
		return Run(t.Context(), Command{Args: args, Dir: dir, Sandbox: sandbox.Policy{Profile: sandbox.Guarded}}, RunLimits{Time: time.Minute})
	}
	outer := room(t, "closed/work/plain", "closed/secret")
	closed, cache := filepath.Join(outer, "closed"), filepath.Join(os.Getenv("HOME"), ".cache", "tool")
	if err := errors.Join(os.Chmod(closed, 0o700), os.MkdirAll(cache, 0o755)); err != nil {
		t.Fatal(err)
	}
	if r := run(filepath.Join(closed, "work"), "/bin/sh", "-c", "cat plain"); r.Err != nil || r.Stdout.String() != "secret\n" {
		t.Errorf("a working directory below a closed one: %v, %v\n%s", r.Err, r.Exit, r.Stderr)
	}
	if r := run(filepath.Join(closed, "work"), "/bin/sh", "-c", "cat ../secret"); root && by == sandbox.ByNamespaces && (r.Err != nil || r.OK()) {
		t.Errorf("a file in the closed directory: %v, %v\n%s", r.Err, r.Exit, r.Stdout)
	}
	if by >= sandbox.ByUserNamespace {
		if r := run(outer, "/bin/sh", "-c", "mkdir -p $HOME/.cache/tool && echo x >$HOME/.cache/tool/new"); r.Err != nil || !r.OK() {
			t.Errorf("its cache: %v, %v\n%s", r.Err, r.Exit, r.Stderr)
		}
	}
	program := filepath.Join(room(t, "program"), "program")
	if err := errors.Join(os.WriteFile(program, []byte("#!/bin/sh\n"), 0o744), os.Chmod(program, 0o744)); err != nil {
		t.Fatal(err)
	}
	r := run(outer, program)
	if root && by < sandbox.ByNamespaces && (r.Err == nil || !strings.Contains(r.Err.Error(), "allow it to all users (chmod)")) {
		t.Errorf("a program that only root may start: %v, %v", r.Err, r.Exit)
	}
	if !root && (r.Err != nil || !r.OK()) {
		t.Errorf("its user's program: %v, %v\n%s", r.Err, r.Exit, r.Stderr)
	}
}
