package sandbox

import "fmt"

// Way is by what programs are shut in. The higher, the better.
type Way int

// The ways.
const (
	Openly          Way = iota // by nothing
	ByFilters                  // Landlock and seccomp alone
	ByBubblewrap               // namespaces that bubblewrap makes, where it may and others may not
	ByUserNamespace            // root's: namespaces of its own in a user namespace that has the same ids, where root's own rights do not suffice
	ByNamespaces               // namespaces of its own
)

var wayNames = [...]string{"nothing", "filters", "bubblewrap", "user-namespace", "namespaces"}

func (w Way) String() string {
	if w < 0 || int(w) >= len(wayNames) {
		return fmt.Sprintf("way %d", int(w))
	}
	return wayNames[w]
}

// MarshalText writes the way's name.
func (w Way) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads it.
func (w *Way) UnmarshalText(text []byte) error {
	for i, name := range wayNames {
		if string(text) == name {
			*w = Way(i)
			return nil
		}
	}
	return fmt.Errorf("way of isolation %q: allowed are nothing, filters, bubblewrap, user-namespace and namespaces", text)
}

// Level is what a way reaches.
func (w Way) Level() Level {
	switch {
	case w >= ByBubblewrap:
		return Isolated
	case w == ByFilters:
		return Filtered
	}
	return None
}
