package sandbox

import "fmt"

// Level is how much of a policy a machine can enforce.
type Level int

// The levels.
const (
	None     Level = iota // nothing: other systems, old kernels
	Filtered              // Landlock and seccomp, but no namespaces
	Isolated              // namespaces, Landlock and seccomp
)

var levelNames = [...]string{"none", "filtered", "isolated"}

func (l Level) String() string {
	if l < 0 || int(l) >= len(levelNames) {
		return fmt.Sprintf("level %d", int(l))
	}
	return levelNames[l]
}

// MarshalText writes the level's name.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads it.
func (l *Level) UnmarshalText(text []byte) error {
	for i, name := range levelNames {
		if string(text) == name {
			*l = Level(i)
			return nil
		}
	}
	return fmt.Errorf("level of isolation %q: allowed are none, filtered and isolated", text)
}

// Report is what was found by trying on this machine.
type Report struct {
	Level Level
	// By is the way by which it was reached.
	By Way
	// Landlock is the version of its interface that was enforced; 0: none.
	Landlock int
	// Why is what keeps the machine from the highest level; empty if it was reached.
	Why string
}

// Reached is the level, and the way if it is not the usual one.
func (r Report) Reached() string {
	switch r.By {
	case ByBubblewrap:
		return r.Level.String() + " by bubblewrap"
	case ByUserNamespace:
		return r.Level.String() + " by a user namespace"
	}
	return r.Level.String()
}

func (r Report) String() string {
	switch r.Level {
	case Isolated:
		why := ""
		if r.Why != "" {
			why = fmt.Sprintf(" (%s)", r.Why)
		}
		return fmt.Sprintf("%s%s: every program has processes, files and devices of its own (namespaces, seccomp, Landlock %d); sealed programs have no network",
			r.Reached(), why, r.Landlock)
	case Filtered:
		return fmt.Sprintf("filtered (%s): programs can neither read hidden files nor reach other processes' memory or files (seccomp, Landlock %d); "+
			"open are: the list of processes, the disk, and what a killed referee leaves behind", r.Why, r.Landlock)
	}
	return fmt.Sprintf("none (%s): programs have all powers of the user who starts the referee", r.Why)
}

// Sealed says whether this machine can keep what the profile [Sealed] promises; if not, the error says what is
// missing, and what to do.
func (r Report) Sealed() error {
	if r.Level == Isolated && r.Landlock > 0 {
		return nil
	}
	return fmt.Errorf("this machine cannot seal programs in: %s; allow unprivileged user namespaces, install bubblewrap where only that has them (Ubuntu), or run on a machine that has them, "+
		"or accept less with --sandbox guarded or --sandbox off", r.Why)
}
