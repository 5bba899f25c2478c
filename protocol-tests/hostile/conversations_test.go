package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestTalks: the honest program in the conversation of each other game, and one that misbehaves at its turn.
func TestTalks(t *testing.T) {
	for _, c := range []struct{ arguments, input, want string }{
		{"-talk jungle honest", "blue\n0 6 0 5\n1\n0 2 0 3\n0 5 0 6\n2\n0 3 0 2\n0 3 0 4\n", "0 2 0 3\n0 3 0 2\n"},
		{"-talk gastank honest", "first\nD6B5\n", "D2B3\nB3A1\n"},
		{"-talk gastank honest", "second\nD6B5\n", "D2B3\n"},
		{"-talk gastank-console honest", "second\nD2B3\n", "Do you want to move first or second? I move: D6B5\nYour move:\nI move: B5A7\nYour move:\n"},
		{"-talk gastank-console honest", "first\nD2B3\n", "Do you want to move first or second? Your move:I move: D6B5\nYour move:\n"},
		{"-talk quagmire honest", "X\nd1 e1\na4 a5\n", "e8 d8\nh5 h4\n"},
		{"-talk chess1d honest", "0\n", "kst  c\n"},
		{"-talk chess1d honest", "1\nks  t cC  TSK  \n", "43\n"},
		{"-talk quagmire leading-garbage", "O\n", "hello d1 e1\n"},
	} {
		var out, errs bytes.Buffer
		if status := run(strings.Fields(c.arguments), strings.NewReader(c.input), &out, &errs); status != 0 || out.String() != c.want {
			t.Errorf("%s: status %d, %q, want %q; %s", c.arguments, status, &out, c.want, &errs)
		}
	}
	for _, c := range []struct {
		arguments, input string
		want             int
	}{
		{"-talk nosuch honest", "", exitUsage},
		{"-talk jungle honest", "green\n", exitProtocol},
		{"-talk jungle honest", "red\n-1 -1 -1 -1\nmany\n", exitProtocol},
		{"-talk chess1d honest", "1\nk\n", exitProtocol},
	} {
		var out, errs bytes.Buffer
		if status := run(strings.Fields(c.arguments), strings.NewReader(c.input), &out, &errs); status != c.want || errs.Len() == 0 {
			t.Errorf("%s: status %d, want %d; %s", c.arguments, status, c.want, &errs)
		}
	}
}
