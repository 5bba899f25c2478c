//go:build unix

package tree

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"luzhanqi/process/processtest"
)

var usual = Rules{Limits: Limits{Bytes: 1 << 20, Files: 100}, Links: Links{Into: System}}

// script runs shell commands in a new folder, beside which another one holds a file, and looks at what they leave.
func script(t *testing.T, commands string, rules Rules) (Found, error) {
	t.Helper()
	dir := t.TempDir()
	own, other := filepath.Join(dir, "own"), filepath.Join(dir, "other")
	rules.Links.Never = []string{dir}
	sh := exec.Command("/bin/sh", "-ec", `mkdir own other; echo theirs >other/bot; cd own; echo mine >source; `+commands)
	sh.Dir = dir
	sh.Env = append(os.Environ(), "OTHER="+other, "OWN="+own)
	if out, err := sh.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", commands, err, out)
	}
	return Look(t.Context(), own, rules)
}

// TestRefused: what leads out of a folder, or would not be what it seems, is refused by its path and the reason.
func TestRefused(t *testing.T) {
	t.Parallel()
	for commands, want := range map[string]string{
		`ln -s ../other/bot bot`:                                  `"bot" is a link to "../other/bot", which leads out of the folder`,
		`ln -s "$OTHER/bot" bot`:                                  `which leads to what is not its own`,
		`mkdir d; ln -s .. d/up; ln -s d/up/../other l`:           `"l" is a link`,
		`mkdir -p a/b; ln -s a/b x; ln -s x/../../../y l`:         `"l" is a link`,
		`ln -s ../own/source l`:                                   `leads out of the folder`,
		`ln -s /etc/passwd l`:                                     `[sandbox] read`,
		`ln -s /proc/self/root/etc l`:                             `[sandbox] read`,
		`ln -s /usr/../etc/passwd l`:                              `[sandbox] read`,
		`ln -s "$OWN/../other/bot" l`:                             `not its own`,
		`cd ..; mv own mine; ln -s other own`:                     `is no folder any more, but a link`,
		`cd ..; rm -r own; mkfifo own`:                            `is no folder any more, but a pipe`,
		`ln "$OTHER/bot" bot`:                                     `"bot" has 2 names (hard links), and only 1 is in the folder`,
		`ln source twin; ln source ../other/triplet`:              `"source" has 3 names (hard links), and only 2 are in the folder`,
		`mkfifo pipe`:                                             `"pipe" is a pipe`,
		`chmod u+s source`:                                        `"source" is a program that would run as somebody else`,
		`chmod g+xs source`:                                       `as somebody else`,
		`dd if=/dev/zero of=big bs=1024 count=1100 2>&1`:          `holds 1126400 bytes or more; allowed are 1 MiB (bytes in [build])`,
		`for i in $(seq 1 100); do : >f$i; done`:                  `holds 101 files and folders or more; allowed are 100`,
		`d=x; for i in $(seq 1 99); do d=$d/x; done; mkdir -p $d`: `holds 101 files and folders or more; allowed are 100`,
	} {
		_, err := script(t, commands, usual)
		var refusal *Refusal
		if !errors.As(err, &refusal) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", commands, err, want)
		}
	}
	deep := Rules{Limits: Limits{Bytes: 1, Files: 1000}}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, strings.Repeat("d/", 210)), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Look(t.Context(), dir, deep); err == nil || !strings.Contains(err.Error(), "201 folders deep") {
		t.Errorf("of 210 folders: %v", err)
	}
}

// TestSpecial: sockets and devices.
func TestSpecial(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "tree") // the name of a socket has no more than 108 bytes
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	listener, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if _, err := Look(t.Context(), dir, usual); err == nil || !strings.Contains(err.Error(), `"socket" is a socket`) {
		t.Errorf("a socket: %v", err)
	}
	dir = t.TempDir()
	if err := syscall.Mknod(filepath.Join(dir, "null"), syscall.S_IFCHR|0o666, 1<<8|3); err != nil {
		t.Skipf("no device can be made: %v", err)
	}
	if _, err := Look(t.Context(), dir, usual); err == nil || !strings.Contains(err.Error(), `"null" is a device`) {
		t.Errorf("a device: %v", err)
	}
}

// TestAllowed: what honest builds leave.
func TestAllowed(t *testing.T) {
	t.Parallel()
	for _, commands := range []string{
		`ln -s source bot; mkdir bin; ln -s ../source bin/bot; ln -s bin all; ln -s all/bot l`,
		`ln -s "$OWN/source" bot; mkdir d; ln -s "$OWN" d/top`,
		`ln -s /usr/bin/env run; ln -s /usr/lib lib; ln -s /lib64/nothing n`,
		`ln source twin; mkdir d; ln twin d/triplet`, // as cargo does
		`ln -s nowhere l; ln -s b a; ln -s a b`,
		`mkdir shared; chmod g+s shared; touch shared/f`,
		`mkdir .git; touch "$(printf 'odd\033\377name')"`,
	} {
		if _, err := script(t, commands, usual); err != nil {
			t.Errorf("%s: %v", commands, err)
		}
	}
}

// TestTools: a virtual environment and the programs of packages are fine where the course names the interpreter's folder.
func TestTools(t *testing.T) {
	t.Parallel()
	processtest.Need(t, "python3")
	base, err := exec.Command("python3", "-c", "import sys; print(sys.base_prefix)").Output()
	if err != nil {
		t.Fatal(err)
	}
	rules := Rules{Limits: Limits{Bytes: 1 << 30, Files: 50_000}, Links: Links{Into: append([]string{strings.TrimSpace(string(base))}, System...)}}
	if found, err := script(t, `python3 -m venv --without-pip venv; test -L venv/bin/python3`, rules); err != nil || found.Files < 5 {
		t.Errorf("venv: %+v, %v", found, err)
	}
	if _, err := script(t, `mkdir -p node_modules/.bin node_modules/tool/bin; echo >node_modules/tool/bin/cli.js
		ln -s ../tool/bin/cli.js node_modules/.bin/tool`, rules); err != nil {
		t.Errorf("node_modules: %v", err)
	}
}

// TestDigest: everything that matters when a program is run changes the digest, and times do not.
func TestDigest(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, commands := range []string{
		`:`, `echo more >>source`, `chmod +x source`, `mv source other`, `mkdir d`, `ln -s source l`, `ln -s nowhere l`, `: >empty`,
		`d=.; for i in $(seq 1 40); do d=$d/x; mkdir $d; done; echo deep >$d/f`, `d=.; for i in $(seq 1 40); do d=$d/x; mkdir $d; done; echo DEEP >$d/f`,
	} {
		found, err := script(t, commands, usual)
		if err != nil {
			t.Fatal(err)
		}
		if before, known := seen[found.Digest]; known {
			t.Errorf("%s has the digest of %s", commands, before)
		}
		seen[found.Digest] = commands
	}
	if found, err := script(t, `touch -d 2001-01-01 source`, usual); err != nil || seen[found.Digest] != ":" {
		t.Errorf("another time: %v, digest of %q", err, seen[found.Digest])
	}
}

// TestMeasure counts what a build has written so far, whatever it does meanwhile.
func TestMeasure(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sh := exec.Command("/bin/sh", "-c", `while :; do mkdir -p a/b; echo x >a/b/f; mkfifo a/p; chmod 0 a/b; chmod 7 a/b; rm -rf a; done`)
	sh.Dir, sh.Stderr = dir, io.Discard // it waits for what sh has started, too
	if err := sh.Start(); err != nil {
		t.Fatal(err)
	}
	defer sh.Wait()
	defer sh.Process.Kill()
	for i := range 200 {
		if err := Measure(t.Context(), dir, usual.Limits); err != nil {
			t.Fatalf("%d: %v", i, err)
		}
	}
	for i := range 3 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("big", i)), make([]byte, 500<<10), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := Measure(t.Context(), dir, usual.Limits); err == nil || !strings.Contains(err.Error(), "or more; allowed are 1 MiB") {
		t.Errorf("of 1.5 MB: %v", err)
	}
}

// TestRead: a folder of tools holds neither submissions nor results.
func TestRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "in/tools"), 0o777), os.Mkdir(filepath.Join(dir, "jdk"), 0o777), os.Symlink("in", filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	in := filepath.Join(dir, "in")
	for folder, want := range map[string]string{"jdk": "", "in": "not apart", "": "not apart", "in/tools": "not apart", "link": "not apart", "gone": "no such file"} {
		err := CheckRead(filepath.Join(dir, folder), in)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", folder, err, want)
		}
	}
}
