package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// reached is the way in which programs are started. It begins with the best and goes down when the machine refuses one.
var reached struct {
	sync.Mutex
	refused bool // ByNamespaces was
	way     Way
	why     string
}

// Current is the way that is tried next: the best that was not refused yet. What was reached at last, process.Isolation says.
func Current() (way Way, why string) {
	reached.Lock()
	defer reached.Unlock()
	if !reached.refused {
		return ByNamespaces, ""
	}
	return reached.way, reached.why
}

// Refused notes that the machine does not offer a way; the next is tried from now on. Below [Isolated], programs
// are processes of this one's user and see its number, so its memory and its files are closed to them.
func Refused(way Way, why string) {
	reached.Lock()
	defer reached.Unlock()
	if way == Openly || reached.refused && way > reached.way {
		return
	}
	why = strings.ReplaceAll(strings.TrimPrefix(why, "isolation is not available: "), "\n", "; ")
	if reached.why != "" && reached.why != why {
		why = reached.why + "; " + why
	}
	if way--; way == ByUserNamespace && !mayMapIDs() {
		way--
	}
	if way == ByBubblewrap && bubblewrap() == "" {
		way--
		why += "; bubblewrap (bwrap) is not installed"
	}
	reached.refused, reached.way, reached.why = true, way, why
	if way.Level() < Isolated {
		unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	}
}

// View is what a program sees that is started at path in dir with these arguments and this environment. Nil: there
// is nothing to enforce.
func (p Policy) View(way Way, dir, path string, args, env []string) (*View, error) {
	if !p.On() || way == Openly {
		return nil, nil
	}
	v := &View{Policy: p, By: way}
	var err error
	if dir == "" {
		if dir, err = os.Getwd(); err != nil {
			return nil, fmt.Errorf("sandbox: find the working directory: %w", err)
		}
	}
	if v.Dir, err = resolve(dir); err != nil {
		return nil, fmt.Errorf("sandbox: working directory: %w", err)
	}
	v.Hidden = slices.Concat(v.Hidden, streams())
	for _, list := range []*[]string{&v.Hidden, &v.Read, &v.Write} {
		*list = resolveAll(*list)
	}
	if err := v.Check(v.Dir); err != nil {
		return nil, err
	}
	if p.Profile == Guarded {
		if home, err := resolve(variable(env, "HOME")); err == nil && home != "/" && (v.Dir == "/" || !within(home, v.Dir)) {
			v.Home = home
		}
	}
	v.Shown = v.shown(path, args, env)
	if os.Geteuid() == 0 {
		switch err := v.reachable(path); {
		case way == ByNamespaces || err == nil:
			v.User = newUser()
		case p.Profile == Sealed: // it must have nothing that is root's
			return nil, fmt.Errorf("sandbox: %w", err)
		}
	}
	if path == "" || v.User == 0 && way != ByBubblewrap { // a probe has no program
		return v, nil
	}
	if err := v.handOver(); err != nil {
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	switch way {
	case ByBubblewrap, ByUserNamespace:
		return v, errors.Join(v.measure(), v.usable(), v.executable(path))
	case ByFilters:
		return v, v.executable(path)
	}
	return v, nil
}

// reachable says why an unprivileged user cannot read all that the program needs to start; nil: it can. Where owners cannot be
// mapped, a guarded program below root's home directory cannot be started as another user: it keeps root's, without its
// capabilities. A sealed one sees the directories above what it is shown as its own, and of its working directory a copy.
func (v *View) reachable(path string) error {
	for _, at := range slices.Concat([]string{target(path), v.Dir}, v.Shown, v.Read) {
		own := within(at, v.Dir) && (v.Profile == Sealed || v.Give)
		if !filepath.IsAbs(at) { // a probe has no program
			continue
		}
		if err := open(at, 0o4); err != nil && !own {
			return err
		}
		for dir := at; v.Profile == Guarded && dir != "/"; {
			if dir = filepath.Dir(dir); own && within(dir, v.Dir) {
				continue
			}
			if err := open(dir, 0o1); err != nil {
				return err
			}
		}
	}
	return nil
}

// Readable says why a folder that programs are to be shown cannot be read by those of this user, who may be root; nil: it can.
func Readable(folder string) error {
	if way, _ := Current(); os.Geteuid() != 0 || way == ByNamespaces || newUser() == 0 {
		return nil
	}
	return open(folder, 0o4)
}

// open says why not everybody may read, or pass, what is at a path; nil: everybody may.
func open(at string, need fs.FileMode) error {
	info, err := os.Stat(at)
	if err == nil && info.Mode().Perm()&need == 0 {
		err = fmt.Errorf("%s can be used by root only, and programs are not root, nor can owners be mapped here (%s); allow it to all users (chmod)", at, info.Mode().Perm())
	}
	return err
}

// executable says why another user cannot start the program, where owners cannot be mapped: the system says only that it may not.
func (v *View) executable(path string) error {
	at := target(path)
	info, err := os.Stat(at)
	if err != nil || v.User == 0 || v.Copy && within(at, v.Dir) || given(info) {
		return nil // it will be missed, or is the program's
	}
	return open(at, 0o1)
}

// closed are the highest directories above what the program is shown that only their owner can pass. Each is covered by one in which the
// program sees only that: it is another user, and could see nothing there.
func (v *View) closed() (all []string) {
	if v.User == 0 || v.By != ByNamespaces {
		return nil
	}
	for _, path := range slices.Concat(v.Shown, v.Write, []string{v.Dir}) {
		for _, above := range parents(path) {
			inHome := v.Home != "" && within(above, v.Home)
			if above == v.Home || v.Home != "" && within(v.Home, above) ||
				!inHome && slices.ContainsFunc(privatePlaces, func(place string) bool { return within(above, place) }) {
				continue // it has another one there
			}
			if open(above, 0o1) != nil {
				if !slices.Contains(all, above) {
					all = append(all, above)
				}
				break
			}
		}
	}
	return all
}

// resolve is a path without symbolic links.
func resolve(path string) (string, error) {
	if path == "" || !filepath.IsAbs(path) {
		return "", fmt.Errorf("path %q: allowed are absolute paths", path)
	}
	return filepath.EvalSymlinks(path)
}

// resolveAll leaves out what is not there.
func resolveAll(paths []string) (all []string) {
	for _, path := range paths {
		if real, err := resolve(path); err == nil && !slices.Contains(all, real) {
			all = append(all, real)
		}
	}
	return all
}

func variable(env []string, name string) (value string) {
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			value = v // the last counts
		}
	}
	return value
}

// shown are the directories that the program needs to start and that its view would not hold: those of the program
// itself, of the files that its arguments name, and of the search path.
func (v *View) shown(path string, args, env []string) []string {
	missing := func(at string) bool {
		if within(at, v.Dir) || within(at, "/proc") || within(at, "/dev") { // of the last two each program has its own
			return false
		}
		if v.Profile == Sealed {
			return !slices.ContainsFunc(systemPlaces, func(place string) bool { return within(at, place) })
		}
		return slices.ContainsFunc(privatePlaces, func(place string) bool { return within(at, place) })
	}
	var all []string
	add := func(at string) {
		if at != "/" && missing(at) && !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	// beside adds the directory of a file, so that it finds what lies beside it, unless that holds everybody's files.
	beside := func(file string) {
		dir := filepath.Dir(file)
		if slices.Contains(privatePlaces, dir) || within(variable(env, "HOME"), dir) {
			dir = file
		}
		add(dir)
	}
	for _, program := range []string{path, target(path)} {
		if !filepath.IsAbs(program) {
			continue // a probe has none
		}
		beside(program)
		if prefix := filepath.Dir(filepath.Dir(program)); v.Profile == Sealed && prefix != "/" && !within(variable(env, "HOME"), prefix) &&
			slices.Contains([]string{"bin", "shims"}, filepath.Base(filepath.Dir(program))) {
			add(prefix) // of a tool chain: its libraries are beside its bin
		}
	}
	for _, arg := range args[1:] {
		if v.Profile == Guarded && !filepath.IsAbs(arg) { // a link may lead out; those of submissions that are sealed may not
			arg = target(filepath.Join(v.Dir, arg))
		}
		if filepath.IsAbs(arg) {
			if info, err := os.Stat(arg); err == nil && info.IsDir() {
				add(arg)
			} else if err == nil {
				beside(arg)
			}
		}
	}
	if v.Profile == Guarded {
		for _, dir := range filepath.SplitList(variable(env, "PATH")) {
			if filepath.IsAbs(dir) {
				add(dir)
			}
		}
		add(target("/etc/resolv.conf"))
	}
	return slices.DeleteFunc(all, func(at string) bool { // what lies within another comes with it
		return slices.ContainsFunc(all, func(other string) bool { return other != at && within(at, other) })
	})
}

// target is what a path leads to, or the path.
func target(path string) string {
	if path == "" {
		return ""
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// sealedVariables are what a sealed program keeps of the referee's environment.
var sealedVariables = []string{"PATH", "LANG", "LANGUAGE", "TZ", "TERM", "JAVA_HOME", "GOROOT", "GOTOOLCHAIN", "GOMAXPROCS", "PYENV_VERSION"}

// Environment is what the program gets of the referee's environment, and, whatever its name, what its command adds.
func (v *View) Environment(env, added []string) (all []string) {
	for _, e := range env {
		name, _, _ := strings.Cut(e, "=")
		switch {
		case slices.Contains(added, e): // it comes last
		case name == "TMPDIR", name == "TMP", name == "TEMP", name == "PWD", strings.HasPrefix(name, "XDG_RUNTIME_"):
		case v.Profile == Sealed && !slices.Contains(sealedVariables, name) && !strings.HasPrefix(name, "LC_"):
		default:
			all = append(all, e)
		}
	}
	switch {
	case v.Profile == Sealed:
		all = append(all, "HOME="+SealedHome)
	case v.By == ByBubblewrap && v.User != 0: // root's own cannot even be read
		all = append(all, "HOME=/tmp")
	}
	return append(append(all, "TMPDIR=/tmp", "PWD="+v.Dir), added...)
}

// Attributes makes the start of a supervisor the start of fresh namespaces.
func (v *View) Attributes(attr *syscall.SysProcAttr) {
	if !v.Isolated() {
		return
	}
	if v.By == ByBubblewrap { // which must not die before its child goes on: see bubblewrapOptions
		return
	}
	attr.Pdeathsig = syscall.SIGKILL // with process 1, everything in the namespace dies
	attr.Cloneflags |= syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS
	if v.Profile == Sealed {
		attr.Cloneflags |= syscall.CLONE_NEWNET
	}
	if uid, gid := os.Geteuid(), os.Getegid(); v.By == ByUserNamespace {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings, attr.GidMappings, attr.GidMappingsEnableSetgroups = ownIDs("uid_map"), ownIDs("gid_map"), true
	} else if uid != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SYS_PTRACE, unix.CAP_SETPCAP, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_KILL}
	}
}

// StartError makes an error of starting a supervisor one of this machine, if that is what it is.
func (v *View) StartError(err error) error {
	if v == nil || !v.Isolated() {
		return err
	}
	for _, e := range []error{unix.EPERM, unix.EACCES, unix.EINVAL, unix.ENOSPC, unix.EUSERS, unix.ENOSYS} {
		if errors.Is(err, e) {
			return unavailable("make namespaces", err)
		}
	}
	var path *os.PathError
	if errors.As(err, &path) && path.Op != "fork/exec" { // writing the maps of the user namespace
		return unavailable("make a user namespace", err)
	}
	return err
}
