package protocoltests

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"luzhanqi/protocol-tests/protocoltest"
)

// noLeaks checks that games leave no file descriptor and no goroutine behind.
func noLeaks(t *testing.T, games func()) {
	t.Helper()
	before := descriptors()
	known := goleak.IgnoreCurrent()
	games()
	if !eventually(10*time.Second, func() bool { return len(descriptors()) <= len(before) }) {
		t.Errorf("%d descriptors were open before, %d are now:\n%q", len(before), len(descriptors()), descriptors())
	}
	if err := goleak.Find(known, goleak.IgnoreTopFunction("luzhanqi/process.(*thread).run.func1.1")); err != nil {
		t.Errorf("goroutines are left: %v", err)
	}
}

// descriptors are the files that this process has open, but for those of the runtime's poller.
func descriptors() (open []string) {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		if target, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil {
			open = append(open, fmt.Sprintf("%s %s", e.Name(), target))
		}
	}
	return open
}

// TestNothingLeaks plays games one after another, so that a leak has a name. One case of every kind
// of verdict will do: the code of the referee is the same for all. But nightly, the look for leaks after all cases of
// TestHostilePrograms has to do.
func TestNothingLeaks(t *testing.T) {
	if !protocoltest.Nightly() {
		t.Skip("LUZHANQI_NIGHTLY is not set")
	}
	unharmed(t, "") // whatever is made once is made by now
	for _, tr := range slices.Concat(kinds(), pairs[:3], conversationKinds()) {
		t.Run(tr.String(), func(t *testing.T) {
			for range protocoltest.Repeats() {
				noLeaks(t, func() { tr.play(t) })
			}
		})
	}
}

// kinds are the first trials of each code and limits.
func kinds() (some []trial) {
	seen := map[string]bool{}
	for _, tr := range trials() {
		kind := fmt.Sprint(tr.want.codes, tr.want.pace, tr.want.exit == nil, tr.want.stderr == "", tr.want.retry)
		if !seen[kind] && tr.against == "" {
			seen[kind] = true
			some = append(some, tr)
		}
	}
	return some
}

// conversationKinds are the first trials of each conversation.
func conversationKinds() (some []trial) {
	seen := map[string]bool{}
	for _, tr := range conversationTrials() {
		if !seen[tr.talk] {
			seen[tr.talk] = true
			some = append(some, tr)
		}
	}
	return some
}

// eventually asks until the answer is yes. It gives up after a time that only a broken program
// needs.
func eventually(within time.Duration, yes func() bool) bool {
	for deadline := time.Now().Add(within); ; time.Sleep(2 * time.Millisecond) {
		if yes() {
			return true
		}
		if time.Now().After(deadline) {
			return false
		}
	}
}
