package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A sealed program knows nothing of the referee's environment that it does not need, and all that its own command says,
// such as the variables of a course.
func TestEnvironment(t *testing.T) {
	all := []string{"PATH=/bin", "TOKEN=secret", "HOME=/root", "TMPDIR=/somewhere", "LC_ALL=C", "GOFLAGS=-x", "GOFLAGS=-v", "PWD=/here"}
	added := []string{"GOFLAGS=-v"}
	for profile, want := range map[Profile][]string{
		Sealed:  {"PATH=/bin", "LC_ALL=C", "HOME=" + SealedHome, "TMPDIR=/tmp", "PWD=/there", "GOFLAGS=-v"},
		Guarded: {"PATH=/bin", "TOKEN=secret", "HOME=/root", "LC_ALL=C", "GOFLAGS=-x", "TMPDIR=/tmp", "PWD=/there", "GOFLAGS=-v"},
	} {
		v := &View{Policy: Policy{Profile: profile}, By: ByNamespaces, Dir: "/there"}
		if got := v.Environment(all, added); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", profile, got, want)
		}
	}
}

// A guarded program finds the files that its command line names, also where it has places of its own, and by a link; a
// sealed one is not led out of its tree by a link that it may have made itself.
func TestShown(t *testing.T) {
	elsewhere, err := os.MkdirTemp("/tmp", "luzhanqi-test-") // where programs have a place of their own
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(elsewhere) })
	dir, script := filepath.Join(elsewhere, "dir"), filepath.Join(elsewhere, "scripts", "bot.py")
	for _, folder := range []string{dir, filepath.Dir(script)} {
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(script, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Dir(script), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for profile, want := range map[Profile]bool{Guarded: true, Sealed: false} {
		for _, arg := range []string{"link/bot.py", "../scripts/bot.py"} {
			v, err := Policy{Profile: profile}.View(ByNamespaces, dir, "/usr/bin/env", []string{"env", arg}, []string{"PATH=/usr/bin"})
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Contains(v.Shown, filepath.Dir(script)); got != want {
				t.Errorf("%s, %s: shown %q", profile, arg, v.Shown)
			}
		}
	}
}
