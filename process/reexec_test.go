package process

import (
	"errors"
	"testing"
)

// A program that starts others without Reexec would start itself without end; it is told what is missing.
func TestNoReexec(t *testing.T) {
	called := roles
	roles = nil
	defer func() { roles = called }()
	if _, err := Start(Command{Args: []string{"go"}}); !errors.Is(err, ErrNoReexec) {
		t.Errorf("start: %v, want %v", err, ErrNoReexec)
	}
	if r := Run(t.Context(), Command{Args: []string{"go"}}, RunLimits{Time: 1}); !errors.Is(r.Err, ErrNoReexec) {
		t.Errorf("run: %v, want %v", r.Err, ErrNoReexec)
	}
	if CanPlay(Role{Name: "x"}) == nil {
		t.Error("a role that Reexec was not told of can be played")
	}
	roles = []Role{{Name: "x"}}
	if err := CanPlay(Role{Name: "x"}); err != nil {
		t.Error(err)
	}
}
