package sandbox

import "slices"

// Restriction is what Restrict leaves to the supervisor.
type Restriction struct {
	Landlock int // version of its interface that is enforced; 0: none
	filter   filterSpec
	listener int // at which the kernel tells what was refused; -1: it does not
}

// Refusals tells what the program was refused, and returns when the thread that was restricted and all that came
// of it are gone. Each kind of refused call comes again with a higher count. It belongs on a thread that is not restricted.
func (r Restriction) Refusals(found func(Refusal)) {
	if r.listener >= 0 {
		serveRefusals(r.filter, r.listener, found)
	}
}

// Restrict restricts the calling thread, and all that is forked from it, for good: a user of its own if the
// referee is root, no capabilities, no_new_privs, Landlock and seccomp. The goroutine must be locked to its thread
// and stay so.
func (v *View) Restrict() (r Restriction, err error) {
	inside := v.Level == Isolated
	r.filter = filterSpec{notify: v.Profile == Sealed, network: v.Profile != Sealed, emptyNamespace: inside, namespaces: inside}
	r.listener = -1
	if v.User != 0 {
		if err := becomeUser(v.User, v.User); err != nil {
			return r, unavailable("become an unprivileged user", err)
		}
	}
	if err := dropCapabilities(); err != nil {
		return r, unavailable("drop capabilities", err)
	}
	rules, err := v.rules()
	if err != nil {
		return r, err
	}
	if r.Landlock, err = landlock(rules); err != nil {
		return r, unavailable("Landlock", err)
	}
	if r.Landlock == 0 && !inside {
		return r, Unavailable{"neither namespaces nor Landlock"}
	}
	r.filter.signals = !inside && r.Landlock < scopesSignals
	if r.listener, err = installFilter(r.filter); err != nil {
		return r, unavailable("seccomp", err)
	}
	return r, nil
}

// rules are what Landlock allows on top of the view, or instead of one.
func (v *View) rules() (landlockRules, error) {
	rules := landlockRules{scoped: true, denyTCP: v.Profile == Sealed}
	if v.Level == Isolated && v.Profile == Guarded {
		rules.readWrite = []string{"/"}
		return rules, nil
	}
	rules.readWrite = append(rules.readWrite, v.Write...)
	if v.Level == Isolated {
		rules.readOnly = []string{"/", "/proc/self/exe"} // what can be seen; the latter limits itself and becomes the program
		rules.readWrite = append(rules.readWrite, v.Dir, SealedHome, "/tmp", "/var/tmp", "/dev", "/proc")
		return rules, nil
	}
	for _, device := range devices {
		if device != "tty" { // it could be the referee's
			rules.readWrite = append(rules.readWrite, "/dev/"+device)
		}
	}
	if v.Private != "" {
		rules.readWrite = append(rules.readWrite, v.Private)
	}
	rules.readOnly = append(slices.Clone(v.Read), "/proc/self/exe")
	hidden := append(slices.Clone(v.Hidden), privatePlaces...)
	var err error
	if rules.siblings, err = allBut(hidden); err != nil {
		return rules, err
	}
	for _, dir := range append(slices.Clone(v.Shown), v.Dir) {
		of := &rules.readOnly
		if v.Own && dir == v.Dir {
			of = &rules.readWrite
		}
		if !slices.ContainsFunc(v.Hidden, func(h string) bool { return within(h, dir) }) {
			*of = append(*of, dir)
			continue
		}
		if *of, err = besides(*of, dir, v.Hidden, maxSiblings); err != nil {
			return rules, err
		}
	}
	return rules, nil
}

// scopesSignals is the version of Landlock from which on signals stay inside.
const scopesSignals = 6
