// Package processtest is for tests that start programs which not every machine has.
package processtest

import (
	"os"
	"os/exec"
	"testing"
)

// Need skips the test if one of the programs is not installed. Where LUZHANQI_NO_SKIP is set, as it is in continuous
// integration, a missing program is a failure.
func Need(t testing.TB, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("LUZHANQI_NO_SKIP") != "" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
}
