package attack

import "luzhanqi/process/sandbox"

// promise is where an attack is promised to be stopped. Whatever guarded stops, sealed stops.
type promise struct {
	off      bool // even without a sandbox
	filtered bool // by guarded, where there are no namespaces
	guarded  bool // by guarded, with namespaces
	landlock int  // what filtered and guarded need of it
	because  string
}

// The reasons why guarded leaves something open.
const (
	readsFiles = "a guarded program reads what its user reads"
	hasNetwork = "a guarded program has the network as before"
)

// Whose promise is what.
var (
	always       = promise{off: true, filtered: true, guarded: true}
	byBoth       = promise{filtered: true, guarded: true}
	byNamespaces = promise{guarded: true, because: "without namespaces this is shared with the machine"}
	bySealing    = promise{because: readsFiles}
	byNoNetwork  = promise{because: hasNetwork}
)

// holds says whether the attack is promised to be stopped, and if not, why.
func (p promise) holds(profile sandbox.Profile, isolation sandbox.Report) (bool, string) {
	switch {
	case p.off:
		return true, ""
	case profile == sandbox.Off || isolation.Level == sandbox.None:
		return false, "nothing is promised"
	case profile == sandbox.Sealed:
		return true, ""
	case isolation.Landlock < p.landlock:
		return false, "Landlock here is too old for it"
	case isolation.Level == sandbox.Filtered:
		return p.filtered, p.because
	}
	return p.guarded, p.because
}

// Promised are the attacks that are promised to be stopped under a profile, as far as they can be tried anywhere.
func Promised(profile sandbox.Profile, isolation sandbox.Report) (names []string) {
	for _, a := range table {
		if holds, _ := a.holds(profile, isolation); holds && a.try != nil {
			names = append(names, a.name)
		}
	}
	return names
}

// Names are those of all attacks that can be tried.
func Names() []string { return Promised(sandbox.Sealed, sandbox.Report{Level: sandbox.Isolated}) }
