package tasks

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestRoom: the tightest of all limits counts, less what is used of it.
func TestRoom(t *testing.T) {
	const enough = 5000
	for name, c := range map[string]struct {
		limit uint64
		files map[string]string
		want  int
	}{
		"none":              {1 << 40, nil, enough},
		"far":               {100_000, map[string]string{"sys/kernel/pid_max": "4194304"}, enough},
		"user":              {400, nil, 400 - 7},
		"machine":           {1 << 40, map[string]string{"sys/kernel/pid_max": "1000"}, 1000 - 300},
		"threads":           {1 << 40, map[string]string{"sys/kernel/pid_max": "1000", "sys/kernel/threads-max": "500"}, 500 - 300},
		"group":             {1 << 40, map[string]string{"groups/a/b/pids.max": "250", "groups/a/b/pids.current": "20"}, 230},
		"group above":       {1 << 40, map[string]string{"groups/a/pids.max": "100", "groups/a/pids.current": "10", "groups/a/b/pids.max": "max"}, 90},
		"unified beside v1": {1 << 40, map[string]string{"groups/unified/a/b/pids.max": "90", "groups/unified/a/b/pids.current": "0"}, 90},
		"v1":                {1 << 40, map[string]string{"groups/pids/c/pids.max": "80", "groups/pids/c/pids.current": "1"}, 79},
		"others' group":     {1 << 40, map[string]string{"groups/d/pids.max": "1", "groups/d/pids.current": "1"}, enough},
		"full":              {1 << 40, map[string]string{"groups/a/pids.max": "10", "groups/a/pids.current": "10"}, 0},
	} {
		dir := t.TempDir()
		write := func(path, text string) {
			path = filepath.Join(dir, path)
			os.MkdirAll(filepath.Dir(path), 0o755)
			if err := os.WriteFile(path, []byte(text+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		write("loadavg", "0.1 0.2 0.3 2/300 4711")
		write("self/cgroup", "7:cpu,pids:/c\n0::/a/b")
		for _, thread := range []string{"10", "11", "12"} { // of process 10, which has three
			os.MkdirAll(filepath.Join(dir, "10/task", thread), 0o755)
		}
		for pid := range 4 {
			os.MkdirAll(filepath.Join(dir, fmt.Sprint(20+pid), "task", fmt.Sprint(20+pid)), 0o755)
		}
		os.MkdirAll(filepath.Join(dir, "sys"), 0o755)
		for path, text := range c.files {
			write(path, text)
		}
		links(t, dir)
		m := machine{proc: dir, groups: filepath.Join(dir, "groups"), user: os.Getuid(), limit: c.limit}
		if got := room(m, enough); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// links skips the test where directories do not count links as those of /proc do.
func links(t *testing.T, dir string) {
	if m := (machine{proc: dir, user: os.Getuid()}); m.ofUser() != 7 {
		t.Skipf("%d threads of 7: directories here have other numbers of links", m.ofUser())
	}
}

// TestOwn: the numbers of this machine are plausible.
func TestOwn(t *testing.T) {
	if n := system().ofUser(); n < 2 { // this process has threads
		t.Errorf("%d threads of this user", n)
	}
	if user, all := system().ofUser(), system().ofAll(); all < user/2 {
		t.Errorf("%d threads of this user, %d of all", user, all)
	}
}

// TestShare: nobody gets more than all have, nor less than an interpreter needs.
func TestShare(t *testing.T) {
	for _, programs := range []int{1, 2, 20, 1000} {
		each, all := Share(programs)
		if each < least || each > Most || all < each*programs {
			t.Errorf("%d programs: %d each, %d all", programs, each, all)
		}
	}
}
