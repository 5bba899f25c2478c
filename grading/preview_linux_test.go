package grading

import (
	"os"
	"testing"

	"luzhanqi/process/processtest"
)

// TestKilledLook guards that who looks at submissions and is killed leaves none of them unpacked.
func TestKilledLook(t *testing.T) {
	processtest.LeavesNothing(t, 12, os.Args[0], lookWord, describe(t, "", "honest", "cheat"))
}
