package cgroup

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// HomeName is the name of the group in which this process itself is, below the one that was delegated to it: the kernel
// limits the groups below one only if that holds no process itself. A process that is started in a group of this name
// makes its groups beside it.
const HomeName = "luzhanqi-referee"

// groupPrefix begins the names of all groups of programs.
const groupPrefix = "luzhanqi-program-"

// Tree is the group that was delegated to this process.
type Tree struct {
	path  string // of its directory
	home  string // of that of the group in which this process is
	group string // what the kernel calls it
	moved bool   // home lies in path
	pids  bool   // numbers of threads can be limited
	made  atomic.Int64
	kernel
}

// kernel are the calls by which groups are made and changed. Tests have another.
type kernel struct {
	mkdir, rmdir func(path string) error
	write        func(path, text string) error
}

var linux = kernel{
	mkdir: func(path string) error { return os.Mkdir(path, 0o755) },
	rmdir: unix.Rmdir,
	write: func(path, text string) error {
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = file.WriteString(text)
		return errors.Join(err, file.Close())
	},
}

// Starter starts processes.
type Starter struct {
	Sweeper func(aside bool) error // one that calls [Outlive], and is ready
	Trial   func(*Group) error     // one in a group, that ends at once
}

// Open takes over the group in which this process is, if it may: it enables the limits of memory for the groups below. For
// that, this process moves into a group of its own below, unless it is in one already. A sweeper makes that and is in it
// before, so that nothing stays behind however this process ends. The error says why all that cannot be.
func Open(start Starter) (*Tree, error) {
	score, _ := os.ReadFile("/proc/self/oom_score_adj")
	if strings.TrimSpace(string(score)) == "-1000" {
		return nil, errors.New("this process is protected from being killed for want of memory (oom_score_adj -1000), and so would be all that it starts")
	}
	t, err := own()
	if err != nil {
		return nil, err
	}
	return t, t.open(start)
}

// own is the tree of this process, as it is.
func own() (*Tree, error) {
	group, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, err
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	path, name, err := find(group, mounts)
	if err != nil {
		return nil, err
	}
	return newTree(path, name, linux), nil
}

func newTree(path, group string, k kernel) *Tree {
	t := &Tree{path: path, home: path, group: group, kernel: k}
	if filepath.Base(path) == HomeName {
		t.path, t.group, t.moved = filepath.Dir(path), filepath.Dir(group), true
	}
	return t
}

// find is the directory of the group in which this process is, and what the kernel calls that group, by /proc/self/cgroup
// and /proc/self/mountinfo.
func find(own, mounts []byte) (path, group string, err error) {
	for line := range bytes.Lines(own) {
		if name, ok := strings.CutPrefix(strings.TrimSuffix(string(line), "\n"), "0::"); ok {
			group = name
		}
	}
	if group == "" {
		return "", "", errors.New("this kernel has no cgroup v2")
	}
	err = errors.New("cgroup v2 is not mounted")
	for line := range strings.Lines(string(mounts)) {
		// id parent device root mountpoint options … - type source options; see proc(5).
		place, kind, _ := strings.Cut(line, " - ")
		fields := strings.Fields(place)
		if !strings.HasPrefix(kind, "cgroup2 ") || len(fields) < 6 {
			continue
		}
		root, at := unescape(fields[3]), unescape(fields[4])
		rest, ok := strings.CutPrefix(group, strings.TrimSuffix(root, "/"))
		if !ok || rest != "" && rest[0] != '/' || strings.HasPrefix(rest, "/..") {
			err = fmt.Errorf("the group %s of this process does not lie in the part of cgroup v2 that is mounted at %s", group, at)
			continue
		}
		if slices.Contains(strings.Split(fields[5], ","), "ro") {
			err = fmt.Errorf("cgroup v2 is mounted read-only at %s", at)
			continue
		}
		return filepath.Join(at, rest), group, nil
	}
	return "", "", err
}

// unescape resolves what mountinfo writes for blanks and the like: a backslash and three octal digits.
func unescape(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] == '\\' && i+3 < len(path) {
			if c, err := strconv.ParseUint(path[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(c))
				i += 3
				continue
			}
		}
		b.WriteByte(path[i])
	}
	return b.String()
}

func (t *Tree) open(start Starter) error {
	offered := t.words("cgroup.controllers")
	if !slices.Contains(offered, "memory") {
		return fmt.Errorf("the group %s of this process is not given the control of memory", t.group)
	}
	before := t.moved
	err := t.enable("memory", start)
	if err == nil {
		t.pids = slices.Contains(offered, "pids") && t.enable("pids", start) == nil
		err = t.try(start)
	}
	if err == nil && t.moved == before {
		err = start.Sweeper(false)
	}
	if err != nil && !before {
		t.leave()
	}
	return err
}

// words are those of a file of the tree's own group; none, if it cannot be read.
func (t *Tree) words(file string) []string {
	text, _ := os.ReadFile(filepath.Join(t.path, file))
	return strings.Fields(string(text))
}

// enable lets the groups below have a limit of their own. If this process is in the way, it moves.
func (t *Tree) enable(controller string, start Starter) error {
	const file = "cgroup.subtree_control"
	if slices.Contains(t.words(file), controller) {
		return nil
	}
	err := t.write(filepath.Join(t.path, file), "+"+controller)
	if errors.Is(err, unix.EBUSY) && !t.moved {
		if err = t.move(start); err == nil {
			err = t.write(filepath.Join(t.path, file), "+"+controller)
		}
	}
	if err == nil {
		return nil
	}
	return t.refused("enable limits of "+controller, err)
}

// move moves this process into a group below, which it can leave by [Tree.leave].
func (t *Tree) move(start Starter) error {
	self := strconv.Itoa(os.Getpid())
	if others := slices.DeleteFunc(t.words("cgroup.procs"), func(pid string) bool { return pid == self }); len(others) > 0 {
		return fmt.Errorf("it holds other processes than this one (%s), which are not this one's to move", strings.Join(others[:min(len(others), 5)], ", "))
	}
	err := start.Sweeper(true)
	if err == nil {
		err = t.enter()
	}
	return err
}

// enter moves this process into the group below.
func (t *Tree) enter() error {
	home := filepath.Join(t.path, HomeName)
	if err := t.mkdir(home); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	if err := t.write(filepath.Join(home, "cgroup.procs"), strconv.Itoa(os.Getpid())); err != nil {
		t.rmdir(home) // fails if somebody else is in it
		return err
	}
	t.home, t.moved = home, true
	return nil
}

// leave undoes what Open has done, as far as nobody else needs it.
func (t *Tree) leave() {
	if !t.moved {
		return
	}
	for _, controller := range []string{"pids", "memory"} {
		t.write(filepath.Join(t.path, "cgroup.subtree_control"), "-"+controller)
	}
	if t.write(filepath.Join(t.path, "cgroup.procs"), strconv.Itoa(os.Getpid())) == nil {
		t.rmdir(t.home)
		t.home, t.moved = t.path, false
	}
}

// try makes a group as programs have them.
func (t *Tree) try(start Starter) error {
	g, err := t.Make(Limits{Memory: 1 << 30, Tasks: 1000})
	if err != nil {
		return err
	}
	if _, err = os.Stat(filepath.Join(g.path, "memory.events")); err == nil {
		err = start.Trial(g)
	}
	return errors.Join(err, g.Remove())
}

// refused says in words that something cannot be done with the tree's group.
func (t *Tree) refused(what string, err error) error {
	var path *os.PathError
	if errors.As(err, &path) { // its path says where it is mounted, and nothing else that is new
		err = path.Err
	}
	return fmt.Errorf("%s below the group %s: %w", what, t.group, err)
}

func (t *Tree) String() string { return t.group }
