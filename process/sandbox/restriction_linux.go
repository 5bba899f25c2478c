package sandbox

import (
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"luzhanqi/process/sandbox/filter"
)

// Restriction is what Restrict leaves to the supervisor.
type Restriction struct {
	Landlock int // version of its interface that is enforced; 0: none
	filter   filter.Spec
	listener int // at which the kernel tells what was refused; -1: it does not
}

// Refusals tells what the program was refused, and returns when the thread that was restricted and all that came
// of it are gone. Each kind of refused call comes again with a higher count. It belongs on a thread that is not restricted.
func (r Restriction) Refusals(found func(Refusal)) {
	if r.listener >= 0 {
		filter.Serve(r.filter, r.listener, found)
	}
}

// Restrict restricts the calling thread, and all that is forked from it, for good: a user of its own if the
// referee is root, no capabilities, no_new_privs, Landlock and seccomp. The goroutine must be locked to its thread
// and stay so.
func (v *View) Restrict() (r Restriction, err error) {
	inside := v.Isolated()
	r.filter = filter.Spec{
		Notify: v.Profile == Sealed, Counted: v.Profile == Sealed, Network: v.Profile != Sealed, EmptyNamespace: inside, Namespaces: inside,
		Equals:  v.By == ByBubblewrap && v.User == 0,
		Lasting: !inside || v.Own && v.Profile == Guarded || len(v.Write) > 0,
	}
	r.listener = -1
	if v.User != 0 {
		if err := filter.BecomeUser(v.User, v.User); err != nil {
			return r, unavailable("become an unprivileged user", err)
		}
	}
	if err := filter.DropCapabilities(); err != nil {
		return r, unavailable("drop capabilities", err)
	}
	if v.self == nil {
		if v.self, err = openSelf(); err != nil {
			return r, err
		}
	}
	defer v.self.Close()
	rules, err := v.rules()
	if err != nil {
		return r, err
	}
	if r.Landlock, err = filter.Landlock(rules); err != nil {
		return r, unavailable("Landlock", err)
	}
	if r.Landlock == 0 && !inside {
		return r, Unavailable{"neither namespaces nor Landlock"}
	}
	r.filter.Signals = !inside && r.Landlock < scopesSignals
	if r.listener, err = filter.Install(r.filter); err != nil {
		return r, unavailable("seccomp", err)
	}
	return r, nil
}

// openSelf opens this binary.
func openSelf() (*os.File, error) {
	fd, err := unix.Open("/proc/self/exe", unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: "/proc/self/exe", Err: err}
	}
	return os.NewFile(uintptr(fd), "this binary"), nil
}

// rules are what Landlock allows on top of the view, or instead of one.
func (v *View) rules() (filter.Rules, error) {
	rules := filter.Rules{Scoped: true, DenyTCP: v.Profile == Sealed}
	if v.Isolated() && v.Profile == Guarded {
		rules.ReadWrite = []string{"/"}
		return rules, nil
	}
	rules.ReadWrite = append(rules.ReadWrite, v.Write...)
	if v.Isolated() {
		rules.ReadOnly = []string{"/"}                    // what can be seen
		rules.Open = append(rules.Open, int(v.self.Fd())) // limits itself and becomes the program
		rules.ReadWrite = append(rules.ReadWrite, v.Dir, SealedHome, "/tmp", "/var/tmp", "/dev", "/proc")
		return rules, nil
	}
	for _, device := range deviceNames {
		if device != "tty" { // it could be the referee's
			rules.ReadWrite = append(rules.ReadWrite, "/dev/"+device)
		}
	}
	if v.Private != "" {
		rules.ReadWrite = append(rules.ReadWrite, v.Private)
	}
	rules.ReadOnly = append(slices.Clone(v.Read), "/proc/self/exe")
	hidden := append(append(slices.Clone(v.Hidden), privatePlaces...), "/dev") // but the devices above: some may be opened by all
	var err error
	if rules.Siblings, err = filter.AllBut(hidden); err != nil {
		return rules, err
	}
	for _, dir := range append(slices.Clone(v.Shown), v.Dir) {
		of := &rules.ReadOnly
		if v.Own && dir == v.Dir {
			of = &rules.ReadWrite
		}
		if !slices.ContainsFunc(v.Hidden, func(h string) bool { return within(h, dir) }) {
			*of = append(*of, dir)
			continue
		}
		if *of, err = filter.Besides(*of, dir, v.Hidden, filter.MaxSiblings); err != nil {
			return rules, err
		}
	}
	return rules, nil
}

// scopesSignals is the version of Landlock from which on signals stay inside.
const scopesSignals = 6
