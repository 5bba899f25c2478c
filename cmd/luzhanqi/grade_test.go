package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"luzhanqi/grading"
	"luzhanqi/referee"
)

// TestUngraded: by its exit code a script can tell games that were void again and again from other failures.
func TestUngraded(t *testing.T) {
	broken := grading.Failure{Name: "ann", Err: errors.New("no compiler")}
	void := grading.Failure{Name: "bob", Err: fmt.Errorf("games against easy: %w", referee.ErrVoid)}
	for _, c := range []struct {
		failures []grading.Failure
		code     int
		text     string
	}{
		{nil, 0, ""},
		{[]grading.Failure{broken}, exitFailed, "1 submission could not be graded"},
		{[]grading.Failure{broken, void}, exitVoid, "2 submissions could not be graded"},
	} {
		err := ungraded(grading.Outcome{Failures: c.failures})
		var f failure
		if errors.As(err, &f); (err == nil) != (c.code == 0) || f.code != c.code || c.text != "" && !strings.Contains(err.Error(), c.text) {
			t.Errorf("%v: code %d, %v", c.failures, f.code, err)
		}
	}
}
