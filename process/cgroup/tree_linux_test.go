package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestFind(t *testing.T) {
	const (
		whole  = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
		hybrid = "41 31 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n42 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
		part   = "30 23 0:26 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup rw\n"
	)
	for _, c := range []struct{ name, own, mounts, path, wrong string }{
		{"a scope", "0::/user.slice/run-1.scope\n", whole, "/sys/fs/cgroup/user.slice/run-1.scope", ""},
		{"a container of its own namespace", "0::/\n", whole, "/sys/fs/cgroup", ""},
		{"a container in the machine's namespace", "0::/docker/abc/x\n", part, "/sys/fs/cgroup/x", ""},
		{"the group of a mounted part", "0::/docker/abc\n", part, "/sys/fs/cgroup", ""},
		{"beside v1", "4:memory:/a\n0::/b\n", hybrid, "/sys/fs/cgroup/unified/b", ""},
		{"blanks", "0::/b\n", strings.Replace(whole, "/sys/fs/cgroup", `/my\040groups`, 1), "/my groups/b", ""},
		{"the second mount", "0::/b\n", strings.Replace(whole, " rw,nosuid", " ro,nosuid", 1) + hybrid, "/sys/fs/cgroup/unified/b", ""},
		{"only v1", "4:memory:/a\n", hybrid, "", "no cgroup v2"},
		{"nothing", "", "", "", "no cgroup v2"},
		{"not mounted", "0::/b\n", "30 23 0:26 / / rw - ext4 /dev/vda rw\n", "", "not mounted"},
		{"read-only", "0::/b\n", strings.Replace(whole, "rw,nosuid", "ro,nosuid", 1), "", "read-only at /sys/fs/cgroup"},
		{"elsewhere", "0::/docker/abcd\n", part, "", "/docker/abcd of this process does not lie in the part"},
		{"above the namespace", "0::/../x\n", whole, "", "/../x of this process does not lie in the part"},
		{"cut off", "0::/b\n", "30 23 0:26 / - cgroup2", "", "not mounted"},
	} {
		path, _, err := find([]byte(c.own), []byte(c.mounts))
		if path != c.path || (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s: %q, %v; want %q, %q", c.name, path, err, c.path, c.wrong)
		}
	}
}

// fakeKernel keeps groups in directories of a file system as the kernel does: it makes their files, and refuses what
// it refuses. A group in refuse cannot be changed.
type fakeKernel struct {
	t       *testing.T
	root    string
	refuse  map[string]error // by file, relative to root
	written []string
}

func newFakeKernel(t *testing.T, controllers string, group string, pids ...int) (*fakeKernel, string) {
	t.Helper()
	f := &fakeKernel{t: t, root: t.TempDir(), refuse: map[string]error{}}
	path := filepath.Join(f.root, group)
	f.put("cgroup.controllers", controllers)
	f.put("cgroup.subtree_control", controllers)
	if err := f.mkdir(path); err != nil {
		t.Fatal(err)
	}
	f.put(filepath.Join(group, "cgroup.procs"), lines(pids))
	return f, path
}

func lines(pids []int) (text string) {
	for _, pid := range pids {
		text += fmt.Sprintln(pid)
	}
	return text
}

func (f *fakeKernel) put(file, text string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.root, file), []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fakeKernel) get(file string) string {
	text, _ := os.ReadFile(filepath.Join(f.root, file))
	return strings.TrimSpace(string(text))
}

func (f *fakeKernel) kernel() kernel { return kernel{mkdir: f.mkdir, rmdir: f.rmdir, write: f.write} }

func (f *fakeKernel) mkdir(path string) error {
	name, _ := filepath.Rel(f.root, path)
	if err := f.refuse[name]; err != nil {
		return &os.PathError{Op: "mkdir", Path: path, Err: err}
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		return err
	}
	controllers := f.get(filepath.Join(name, "..", "cgroup.subtree_control"))
	for file, text := range map[string]string{"cgroup.controllers": controllers, "cgroup.subtree_control": "", "cgroup.procs": "", "cgroup.events": "populated 0\n", "cgroup.kill": ""} {
		f.put(filepath.Join(name, file), text)
	}
	if slices.Contains(strings.Fields(controllers), "memory") {
		for _, file := range []string{"memory.max", "memory.oom.group", "memory.swap.max"} {
			f.put(filepath.Join(name, file), "")
		}
		f.put(filepath.Join(name, "memory.events"), "low 0\nmax 0\noom 0\noom_kill 0\noom_group_kill 0\n")
	}
	if slices.Contains(strings.Fields(controllers), "pids") {
		f.put(filepath.Join(name, "pids.max"), "max")
	}
	return nil
}

func (f *fakeKernel) rmdir(path string) error {
	name, _ := filepath.Rel(f.root, path)
	if _, err := os.Stat(path); err != nil {
		return unix.ENOENT
	}
	below, _ := filepath.Glob(filepath.Join(path, "*", "cgroup.procs"))
	if f.get(filepath.Join(name, "cgroup.procs")) != "" || len(below) > 0 {
		return unix.EBUSY
	}
	return os.RemoveAll(path)
}

func (f *fakeKernel) write(path, text string) error {
	name, _ := filepath.Rel(f.root, path)
	group, file := filepath.Split(name)
	f.written = append(f.written, name+" "+text)
	if err := f.refuse[name]; err != nil {
		return &os.PathError{Op: "write", Path: path, Err: err}
	}
	if _, err := os.Stat(path); err != nil {
		return err
	}
	switch file {
	case "cgroup.subtree_control":
		controller := text[1:]
		all := slices.DeleteFunc(strings.Fields(f.get(name)), func(c string) bool { return c == controller })
		if text[0] == '+' {
			if f.get(group+"cgroup.procs") != "" {
				return &os.PathError{Op: "write", Path: path, Err: unix.EBUSY}
			}
			all = append(all, controller)
		}
		f.put(name, strings.Join(all, " "))
	case "cgroup.procs":
		if f.get(group+"cgroup.subtree_control") != "" {
			return &os.PathError{Op: "write", Path: path, Err: unix.EBUSY}
		}
		others, _ := filepath.Glob(filepath.Join(f.root, "*", "cgroup.procs"))
		deeper, _ := filepath.Glob(filepath.Join(f.root, "*", "*", "cgroup.procs"))
		for _, other := range append(others, deeper...) {
			other, _ = filepath.Rel(f.root, other)
			f.put(other, strings.Join(slices.DeleteFunc(strings.Fields(f.get(other)), func(pid string) bool { return pid == text }), "\n"))
		}
		f.put(name, strings.TrimSpace(f.get(name)+"\n"+text))
	case "cgroup.kill":
		f.put(group+"cgroup.procs", "")
		f.put(group+"cgroup.events", "populated 0\n")
	default:
		f.put(name, text)
	}
	return nil
}

func nothing(*Group) error { return nil }

func open(path, group string, k kernel, try func(*Group) error) (*Tree, error) {
	t := newTree(path, group, k)
	sweepers := 0
	err := t.open(Starter{Trial: try, Sweeper: func(bool) error { sweepers++; return nil }})
	if err == nil && sweepers != 1 {
		return t, fmt.Errorf("%d sweepers", sweepers)
	}
	return t, err
}

// TestOpen: who is alone in a group that was delegated to it moves into one of its own below, and limits the others.
func TestOpen(t *testing.T) {
	f, path := newFakeKernel(t, "cpu memory pids", "scope", os.Getpid())
	started := false
	tree, err := open(path, "/scope", f.kernel(), func(g *Group) error {
		started = true
		if got := f.get(filepath.Join("scope", filepath.Base(g.path), "memory.oom.group")); got != "1" {
			t.Errorf("memory.oom.group %q", got)
		}
		return nil
	})
	if err != nil || !started {
		t.Fatal(err, started)
	}
	if got := f.get("scope/cgroup.subtree_control"); got != "memory pids" {
		t.Errorf("enabled are %q", got)
	}
	if got := f.get("scope/" + HomeName + "/cgroup.procs"); got != strconv.Itoa(os.Getpid()) {
		t.Errorf("in a group of its own: %q", got)
	}
	g, err := tree.Make(Limits{Memory: 12345, Tasks: 67})
	if err != nil {
		t.Fatal(err)
	}
	name := "scope/" + filepath.Base(g.path) + "/"
	if m, s, p := f.get(name+"memory.max"), f.get(name+"memory.swap.max"), f.get(name+"pids.max"); m != "12345" || s != "0" || p != "67" {
		t.Errorf("limits %q %q %q", m, s, p)
	}
	if g.Exceeded() {
		t.Error("exceeded from the beginning")
	}
	for events, want := range map[string]bool{
		"oom 0\noom_kill 1\n":                          false, // for want of memory elsewhere
		"oom 1\noom_kill 0\n":                          false, // it ended anyway
		"max 9\noom 1\noom_kill 3\noom_group_kill 1\n": true,
	} {
		f.put(name+"memory.events", events)
		if g.Exceeded() != want {
			t.Errorf("%q: want %v", events, want)
		}
	}
	if g.Full() {
		t.Error("full from the beginning")
	}
	f.put(name+"pids.events", "max 3\n")
	f.put(name+"memory.events", "oom 1\noom_kill 1\n")
	if err := g.Remove(); err != nil || !g.Exceeded() || !g.Full() {
		t.Errorf("%v; exceeded %v, full %v, after it was removed", err, g.Exceeded(), g.Full())
	}
	tree.leave()
	if left, _ := filepath.Glob(path + "/luzhanqi*"); len(left) > 0 || f.get("scope/cgroup.procs") != strconv.Itoa(os.Getpid()) || f.get("scope/cgroup.subtree_control") != "" {
		t.Errorf("left behind: %q", left)
	}
}

// TestOpenBeside: a process that was started by another one, or by systemd, in the group of a referee makes groups beside it.
func TestOpenBeside(t *testing.T) {
	f, path := newFakeKernel(t, "memory", "scope", os.Getpid())
	if _, err := open(path, "/scope", f.kernel(), nothing); err != nil {
		t.Fatal(err)
	}
	f.written = nil
	tree, err := open(filepath.Join(path, HomeName), "/scope/"+HomeName, f.kernel(), nothing)
	if err != nil || tree.path != path || tree.home != filepath.Join(path, HomeName) {
		t.Fatal(tree, err)
	}
	for _, w := range f.written {
		if strings.Contains(w, "subtree_control") || strings.Contains(w, "cgroup.procs") {
			t.Errorf("needless: %s", w)
		}
	}
}

// TestCannotOpen: the reason is said in words, and nothing has changed.
func TestCannotOpen(t *testing.T) {
	self := os.Getpid()
	for _, c := range []struct {
		name, controllers string
		pids              []int
		refuse            string
		err               error
		start             error
		want              string
	}{
		{"no memory", "cpu pids", []int{self}, "", nil, nil, "the group /scope of this process is not given the control of memory"},
		{"others", "memory", []int{self, 71, 72}, "", nil, nil, "the group /scope: it holds other processes than this one (71, 72), which"},
		{"not delegated", "memory", []int{self}, "scope/cgroup.subtree_control", unix.EACCES, nil, "enable limits of memory below the group /scope: permission denied"},
		{"no group", "memory", []int{self}, "scope/" + HomeName, unix.EACCES, nil, "enable limits of memory below the group /scope: permission denied"},
		{"cannot move", "memory", []int{self}, "scope/" + HomeName + "/cgroup.procs", unix.EACCES, nil, "enable limits of memory below the group /scope: permission denied"},
		{"cannot start", "memory", []int{self}, "", nil, unix.EPERM, "operation not permitted"},
		{"no names", "memory", []int{self}, "scope/" + groupPrefix + strconv.Itoa(self) + "-1", unix.EROFS, nil, "make a group below the group /scope: read-only file system"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, path := newFakeKernel(t, c.controllers, "scope", c.pids...)
			if c.refuse != "" {
				f.refuse[c.refuse] = c.err
			}
			_, err := open(path, "/scope", f.kernel(), func(*Group) error { return c.start })
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want %s", err, c.want)
			}
			if left, _ := filepath.Glob(path + "/luzhanqi*"); len(left) > 0 || f.get("scope/cgroup.procs") != strings.TrimSpace(lines(c.pids)) || f.get("scope/cgroup.subtree_control") != "" {
				t.Errorf("left behind: %q, processes %q, enabled %q", left, f.get("scope/cgroup.procs"), f.get("scope/cgroup.subtree_control"))
			}
		})
	}
}

// TestOlderKernels: without swap and without limits of threads, there is still one of memory.
func TestOlderKernels(t *testing.T) {
	f, path := newFakeKernel(t, "memory", "scope", os.Getpid())
	tree, err := open(path, "/scope", f.kernel(), nothing)
	if err != nil {
		t.Fatal(err)
	}
	tree.write = func(path, text string) error {
		if filepath.Base(path) == "memory.swap.max" {
			return os.ErrNotExist
		}
		return f.write(path, text)
	}
	g, err := tree.Make(Limits{Memory: 1 << 20, Tasks: 5})
	if err != nil || f.get("scope/"+filepath.Base(g.path)+"/memory.max") != "1048576" {
		t.Error(err)
	}
}

// TestSweep: groups of the dead are removed with all in them, those of the living are left alone.
func TestSweep(t *testing.T) {
	f, path := newFakeKernel(t, "memory", "scope", os.Getpid())
	tree, err := open(path, "/scope", f.kernel(), nothing)
	if err != nil {
		t.Fatal(err)
	}
	live, err := tree.Make(Limits{Memory: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	dead := filepath.Join(path, groupPrefix+"7-1")
	for _, dir := range []string{dead, filepath.Join(dead, "below"), filepath.Join(path, groupPrefix+"7-2"), filepath.Join(path, "somebody's")} {
		if err := f.mkdir(dir); err != nil {
			t.Fatal(err)
		}
	}
	f.put("scope/"+groupPrefix+"7-1/below/cgroup.procs", "99")
	f.put("scope/"+groupPrefix+"7-1/cgroup.procs", "98")
	if err := tree.Sweep(); err != nil {
		t.Error(err)
	}
	var left []string
	all, _ := os.ReadDir(path)
	for _, e := range all {
		if e.IsDir() {
			left = append(left, e.Name())
		}
	}
	slices.Sort(left)
	want := []string{filepath.Base(live.path), HomeName, "somebody's"}
	if slices.Sort(want); !slices.Equal(left, want) {
		t.Errorf("left are %q, want %q", left, want)
	}
	starting, err := lock(live.path)
	if !errors.Is(err, unix.EWOULDBLOCK) {
		t.Fatal(starting, err)
	}
	swept := make(chan error)
	go func() { swept <- tree.sweep(os.Getpid()) }()
	live.dir.Close() // as by the end of what was being started
	if err := <-swept; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(live.path); err == nil {
		t.Error("a group of the dead is left that was locked a moment ago")
	}
	f.put("scope/"+groupPrefix+"7-3", "") // a file, which no kernel makes
	f.mkdir(filepath.Join(path, groupPrefix+"7-4"))
	tree.rmdir = func(string) error { return unix.EPERM }
	if err := tree.Sweep(); !errors.Is(err, unix.EPERM) {
		t.Errorf("%v: want a refusal", err)
	}
}
