package sandbox

import (
	"slices"
	"syscall"
	"testing"
)

// TestNoDeathSignalForBubblewrap: a supervisor dies with the referee at once, but a bubblewrap that does so may leave a child
// that waits for it for ever.
func TestNoDeathSignalForBubblewrap(t *testing.T) {
	for by, want := range map[Way]syscall.Signal{ByNamespaces: syscall.SIGKILL, ByBubblewrap: syscall.SIGCONT} {
		v := &View{By: by, Dir: "/usr/bin"}
		attr := &syscall.SysProcAttr{Pdeathsig: syscall.SIGCONT}
		if v.Attributes(attr); attr.Pdeathsig != want {
			t.Errorf("way %v: signal %v, want %v", by, attr.Pdeathsig, want)
		}
	}
	options, err := (&View{By: ByBubblewrap, Dir: "/usr/bin"}).bubblewrapOptions(&Wrapping{})
	if err != nil || !slices.Contains(options, "--as-pid-1") || slices.Contains(options, "--die-with-parent") {
		t.Errorf("the options are %q, %v", options, err)
	}
}
