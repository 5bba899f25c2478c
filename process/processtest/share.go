package processtest

import (
	"fmt"
	"os"
	"runtime"
	"testing"
)

// NeedShare skips a test that has failed since so much else runs on this machine that a program which only computes gets less
// than a tenth of a processor: its games are void then, as they should be. Where LUZHANQI_NO_SKIP is set it does nothing.
func NeedShare(t testing.TB) {
	t.Helper()
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil || os.Getenv("LUZHANQI_NO_SKIP") != "" {
		return
	}
	var running float64
	if _, err := fmt.Sscan(string(text), &running); err == nil && running > 10*float64(runtime.NumCPU()) {
		t.Skipf("%.0f threads want %d processors", running, runtime.NumCPU())
	}
}
