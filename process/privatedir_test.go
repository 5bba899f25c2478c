//go:build unix

package process

import (
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"luzhanqi/process/privatedir"
)

// onlyInPrivate begins scripts that delete, so that a mistake in private directories costs nobody files.
const onlyInPrivate = "case $HOME in */luzhanqi-private-*) ;; *) exit 9;; esac\n"

// inPrivate runs a script in a private copy of dir and returns what it prints; its first line is
// the path of the copy.
func inPrivate(t *testing.T, dir, script string, grace time.Duration) (path, rest string) {
	t.Helper()
	p, err := Start(Command{Args: []string{"/bin/sh", "-c", "pwd\n" + onlyInPrivate + script}, Dir: dir, Confine: Confinement{Private: true}})
	if err != nil {
		t.Fatal(err)
	}
	path, rest, _ = strings.Cut(readAll(t, p, ""), "\n")
	if _, err := p.Stop(grace); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); path == "" || err == nil {
		t.Errorf("%q is still there", path)
	}
	return path, rest
}

// listing describes all below a directory: kind, permissions, contents and, but for links and
// directories, time.
func listing(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		text := info.Mode().String()
		switch {
		case info.Mode().IsRegular():
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text += fmt.Sprint(" ", info.ModTime().UnixNano(), " ", string(content))
		case info.Mode().Type() == fs.ModeSymlink:
			to, _ := os.Readlink(path)
			text += " " + to
		}
		below, _ := filepath.Rel(dir, path)
		all[below] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func write(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// TestPrivateCopy: what is in it, and what is not. The original stays as it was.
func TestPrivateCopy(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "original")
	write(t, filepath.Join(dir, "bot"), "#!/bin/sh\necho ran $0\n", 0o750)
	write(t, filepath.Join(dir, "data/deep/er/x"), "content", 0o640)
	write(t, filepath.Join(dir, "suid"), "x", 0o755|fs.ModeSetuid|fs.ModeSetgid)
	os.Symlink("data/deep", filepath.Join(dir, "relative"))
	os.Symlink(filepath.Join(dir, "bot"), filepath.Join(dir, "data/absolute"))
	os.Symlink("/etc/passwd", filepath.Join(dir, "outside"))
	os.Chtimes(filepath.Join(dir, "bot"), time.Unix(1e9, 0), time.Unix(1e9, 0))
	os.Chmod(filepath.Join(dir, "data/deep"), 0o555)
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "data/deep"), 0o755) })
	before := listing(t, dir)

	private, err := privatedir.New()
	if err != nil {
		t.Fatal(err)
	}
	defer private.Close()
	if err := private.CopyFrom(dir, 0, nil); err != nil {
		t.Fatal(err)
	}
	copied := listing(t, private.Path)
	want := maps.Clone(before)
	want["suid"] = strings.Replace(want["suid"], "ugrwxr-xr-x", "-rwxr-xr-x", 1)
	want["data/absolute"] = strings.Replace(want["data/absolute"], dir, "..", 1)
	want["."] = copied["."]
	if !maps.Equal(copied, want) {
		t.Errorf("copied\n%q, want\n%q", copied, want)
	}
	if err := private.Remove(); err != nil {
		t.Error(err)
	}

	p, err := Start(Command{Args: []string{"./bot"}, Dir: dir, Confine: Confinement{Private: true}})
	if err != nil {
		t.Fatal(err)
	}
	if got := readAll(t, p, ""); !strings.HasPrefix(got, "ran "+os.TempDir()) || !strings.HasSuffix(got, "/bot\n") {
		t.Errorf("./bot %q", got)
	}
	p.Stop(time.Second)
	inPrivate(t, dir, `rm -rf data; echo changed >bot; rm relative; echo x >relative; mkdir -p "$HOME/a" && cd "$HOME/a" && rm -rf "$HOME"/*`, time.Second)
	if after := listing(t, dir); !maps.Equal(after, before) {
		t.Errorf("the original was\n%q and is\n%q", before, after)
	}
}

// TestPrivateEnvironment: everything that programs ask for a place to write points into the copy.
func TestPrivateEnvironment(t *testing.T) {
	path, rest := inPrivate(t, t.TempDir(), `echo "$HOME" "$TMPDIR" "$TMP" "$TEMP" "$PWD"; dirname "$(mktemp)"`, time.Second)
	if want := strings.Join(slices.Repeat([]string{path}, 5), " ") + "\n" + path + "\n"; rest != want {
		t.Errorf("%q, want %q", rest, want)
	}
}

// TestPrivateIsRemoved: whatever the program has made of its directory; and nothing else is.
func TestPrivateIsRemoved(t *testing.T) {
	around := t.TempDir()
	canary := filepath.Join(around, "canary")
	write(t, filepath.Join(canary, "inner/sings"), "tweet", 0o644)
	before := listing(t, canary)
	t.Setenv("CANARY", canary)
	t.Setenv("TMPDIR", around) // the canary and the private directory are neighbours
	dir := filepath.Join(around, "original")
	write(t, filepath.Join(dir, "x"), "x", 0o644)
	for name, script := range map[string]string{
		"nothing":          ``,
		"unreadable":       `mkdir -p a/b/c; echo x >a/b/c/d; chmod 000 a/b/c a/b a . `,
		"not writable":     `mkdir -p a/b/c; echo x >a/b/c/d; chmod 555 a/b/c a/b a .`,
		"links":            `ln -s "$CANARY" link; ln -s ../canary relative; ln -s /etc etc; mkdir a; ln -s "$CANARY/inner" a/inner; ln -s ../../canary a/r; ln "$CANARY/inner/sings" hard`,
		"3,000 files":      `mkdir -p many && cd many && seq 3000 | xargs touch`,
		"odd names":        "mkdir -- '-rf' '*' ' ' '\n' removing-1; touch -- '-rf/-rf' '*/*' ' / ' '\n/\n'; mkfifo pipe",
		"gone":             `cd / && rm -rf "$HOME"`,
		"replaced by link": `cd / && rm -rf "$HOME/"* && rmdir "$HOME" && ln -s "$CANARY" "$HOME"; rm "$HOME"`,
		"moved elsewhere":  `mkdir a; touch a/b; cd / && mv "$HOME" "$HOME-moved" && rmdir "$CANARY/none" 2>/dev/null; mv "$HOME-moved" "$HOME"`,
		"200 directories":  `i=0; while test $i -lt 200; do mkdir d && cd d && touch f || exit 1; i=$((i+1)); done`,
	} {
		t.Run(name, func(t *testing.T) { inPrivate(t, dir, script, time.Second) })
	}
	if after := listing(t, canary); !maps.Equal(after, before) {
		t.Errorf("the canary was\n%q and is\n%q", before, after)
	}
	if left, _ := filepath.Glob(filepath.Join(around, "*")); len(left) != 2 {
		t.Errorf("left are %q", left)
	}
}

// TestPrivateImpostor: a program that puts something else in the place of its directory cannot
// have that removed; its own is emptied all the same.
func TestPrivateImpostor(t *testing.T) {
	for name, script := range map[string]string{
		"link":      `mv "$HOME" "$HOME-moved"; ln -s "$CANARY" "$HOME"`,
		"directory": `mv "$HOME" "$HOME-moved"; mv "$CANARY" "$HOME"`,
	} {
		t.Run(name, func(t *testing.T) {
			around := t.TempDir()
			canary := filepath.Join(around, "canary")
			write(t, filepath.Join(canary, "sings"), "tweet", 0o644)
			t.Setenv("CANARY", canary)
			t.Setenv("TMPDIR", around)
			dir := filepath.Join(around, "original")
			write(t, filepath.Join(dir, "x"), "x", 0o644)
			p, err := Start(Command{Args: []string{"/bin/sh", "-c", onlyInPrivate + "cd /; " + script + `; echo "$HOME"`}, Dir: dir, Confine: Confinement{Private: true}})
			if err != nil {
				t.Fatal(err)
			}
			home := strings.TrimSpace(readAll(t, p, ""))
			if _, err := p.Stop(time.Second); err == nil || !strings.Contains(err.Error(), "another file") {
				t.Error(err)
			}
			if text, err := os.ReadFile(filepath.Join(home, "sings")); string(text) != "tweet" {
				t.Errorf("the canary is gone: %v", err)
			}
			if files, err := os.ReadDir(home + "-moved"); err != nil || len(files) > 0 {
				t.Errorf("%d files are left, %v", len(files), err)
			}
		})
	}
}

// TestPrivateDepth: deeper than any path can say, which only a program that changes into each
// directory can make, and than files may be open.
func TestPrivateDepth(t *testing.T) {
	const depth, maxOpen = 200, 100
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	few := limit
	few.Cur = maxOpen
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few); err != nil {
		t.Fatal(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)
	private, err := privatedir.New()
	if err != nil {
		t.Fatal(err)
	}
	defer private.Close()
	at, err := os.OpenRoot(private.Path)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.Repeat("d", 200)
	for range depth {
		if err := at.Mkdir(name, 0o700); err != nil {
			t.Fatal(err)
		}
		below, err := at.OpenRoot(name)
		if err != nil {
			t.Fatal(err)
		}
		at.Close()
		at = below
	}
	at.Close()
	if err := private.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(private.Path); err == nil {
		t.Error("still there")
	}
	if err := private.Remove(); err != nil {
		t.Errorf("removed again: %v", err)
	}
}

// TestPrivateRefused: what cannot be copied is named, and nothing is left.
func TestPrivateRefused(t *testing.T) {
	around := t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(around, "tmp"))
	os.Mkdir(filepath.Join(around, "tmp"), 0o755)
	for want, make := range map[string]func(dir string) error{
		"sub/p is a pipe; allowed are files, directories and links": func(dir string) error {
			os.Mkdir(filepath.Join(dir, "sub"), 0o755)
			return syscall.Mkfifo(filepath.Join(dir, "sub/p"), 0o600)
		},
		"s is a socket": func(dir string) error {
			l, err := net.Listen("unix", filepath.Join(dir, "s"))
			if err == nil {
				l.(*net.UnixListener).SetUnlinkOnClose(false)
				l.Close()
			}
			return err
		},
		"more than 1 GiB, which is the most allowed": func(dir string) error {
			write(t, filepath.Join(dir, "huge"), "", 0o600)
			return os.Truncate(filepath.Join(dir, "huge"), 1<<30+1)
		},
		"allowed are 256 directories in one another": func(dir string) error {
			return os.MkdirAll(filepath.Join(dir, strings.Repeat("d/", 300)), 0o755)
		},
	} {
		dir, err := os.MkdirTemp(around, "d")
		if err != nil {
			t.Fatal(err)
		}
		if err := make(dir); err != nil {
			t.Fatal(err)
		}
		_, err = Start(Command{Args: []string{"/bin/sh"}, Dir: dir, Confine: Confinement{Private: true}})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(around, "tmp/*")); len(left) != 0 {
		t.Errorf("left are %q", left)
	}
}
