package queue

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A token is made once, nobody else can read it, and nothing but a whole file of it is ever there.
func TestMakeToken(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "worker.token")
	token, err := MakeToken(file)
	if err != nil || len(token) < 32 {
		t.Fatalf("%q, %v", token, err)
	}
	if again, err := MakeToken(file); again != token || err != nil {
		t.Errorf("the second time it is %q, %v", again, err)
	}
	if read, err := ReadToken(file); read != token || err != nil {
		t.Errorf("read: %q, %v", read, err)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if entries, err := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("beside it are %v, %v", entries, err)
	}
}

// A file that others can read, or that holds no token, is refused with what cures it, and without the token.
func TestReadToken(t *testing.T) {
	for name, c := range map[string]struct {
		mode os.FileMode
		text string
		want string
	}{
		"good": {0o600, "secret word\n", ""}, "read only": {0o400, "secret word", ""}, "a name": {0o600, "lab1:secret", ""},
		"group reads": {0o640, "secret", "chmod 600"}, "all read": {0o644, "secret", "chmod 600"}, "all write": {0o602, "secret", "chmod 600"},
		"empty": {0o600, "\n", "one line"}, "two lines": {0o600, "secret\nsecret\n", "one line"}, "long": {0o600, strings.Repeat("secret", 1000), "one line"},
	} {
		if c.want == "chmod 600" && runtime.GOOS == "windows" {
			continue
		}
		file := filepath.Join(t.TempDir(), "token")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, c.mode); err != nil {
			t.Fatal(err)
		}
		token, err := ReadToken(file)
		switch {
		case c.want == "" && (err != nil || token != strings.TrimSpace(c.text)):
			t.Errorf("%s: %q, %v", name, token, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret")):
			t.Errorf("%s: %v", name, err)
		}
	}
	file := filepath.Join(t.TempDir(), "token")
	if _, err := MakeToken(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(file, file+"-elsewhere"); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadToken(file); runtime.GOOS != "windows" && (err == nil || !strings.Contains(err.Error(), "hard link")) {
		t.Errorf("with two names: %v", err)
	}
	if _, err := ReadToken(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("a folder: %v", err)
	}
}

// The parts of a result are put together in their order, and not without bound.
func TestParts(t *testing.T) {
	g := &gate{partial: map[string]*partial{}}
	part := func(mark string, i, n int, text string) (string, answer) {
		whole, a := g.gather(&request{Ticket: &ticket{Mark: []byte(mark)}, Part: i, Parts: n}, []byte(text))
		return string(whole), a
	}
	part("a", 0, 3, "one ")
	part("b", 0, 2, "another ")
	part("a", 1, 3, "two ")
	if whole, _ := part("a", 2, 3, "three"); whole != "one two three" {
		t.Errorf("found %q", whole)
	}
	if _, a := part("a", 1, 3, "late"); !a.Again {
		t.Error("a part without its first is taken")
	}
	if _, a := part("b", 5, 2, "wrong"); !a.Again {
		t.Error("a part out of order is taken")
	}
	if whole, _ := part("b", 1, 2, "whole"); whole != "another whole" || g.held != 0 || len(g.partial) != 0 {
		t.Errorf("found %q; %d bytes are held", whole, g.held)
	}
	g.held = maxPartial - 3
	if _, a := part("c", 0, 2, "much"); a.Error == "" || len(g.partial) != 0 {
		t.Errorf("it takes as much as anybody sends: %+v", a)
	}
}

// A service's credential has the mode 440 where systemd gives it by an access list; nobody else may enter its folder.
func TestReadCredential(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing there")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "token")
	if err := os.WriteFile(file, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		mode    os.FileMode
		folder  string
		refused bool
	}{{0o440, "", true}, {0o440, dir, false}, {0o440, filepath.Dir(dir), true}, {0o444, dir, true}, {0o460, dir, true}} {
		t.Setenv("CREDENTIALS_DIRECTORY", c.folder)
		if err := os.Chmod(file, c.mode); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadToken(file); (err != nil) != c.refused {
			t.Errorf("mode %#o, credentials in %q: %v", c.mode, c.folder, err)
		}
	}
}

// A name is a part of subjects: nothing in it may separate them, or stand for others.
func TestNameOfCredential(t *testing.T) {
	for name, allowed := range map[string]bool{
		"lab1": true, "a-B_9": true, strings.Repeat("x", 80): true,
		"": false, strings.Repeat("x", 81): false, "a.b": false, "a b": false, "*": false, ">": false, "é": false, "a\n": false,
	} {
		c, err := newCredential(name+":secret", "host")
		if (err == nil) != allowed || allowed && (c.name != name || c.password != "secret") {
			t.Errorf("%q: %+v, %v", name, c, err)
		}
	}
}
