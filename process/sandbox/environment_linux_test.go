package sandbox

import (
	"slices"
	"testing"
)

// A sealed program knows nothing of the referee's environment that it does not need, and all that its own command says,
// such as the variables of a course.
func TestEnvironment(t *testing.T) {
	all := []string{"PATH=/bin", "TOKEN=secret", "HOME=/root", "TMPDIR=/somewhere", "LC_ALL=C", "GOFLAGS=-x", "GOFLAGS=-v", "PWD=/here"}
	added := []string{"GOFLAGS=-v"}
	for profile, want := range map[Profile][]string{
		Sealed:  {"PATH=/bin", "LC_ALL=C", "HOME=" + SealedHome, "TMPDIR=/tmp", "PWD=/there", "GOFLAGS=-v"},
		Guarded: {"PATH=/bin", "TOKEN=secret", "HOME=/root", "LC_ALL=C", "GOFLAGS=-x", "TMPDIR=/tmp", "PWD=/there", "GOFLAGS=-v"},
	} {
		v := &View{Policy: Policy{Profile: profile}, Level: Isolated, Dir: "/there"}
		if got := v.Environment(all, added); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", profile, got, want)
		}
	}
}
