package tournament

import (
	"os"
	"testing"

	"luzhanqi/process/processtest"
)

// TestHostileWorkersOfAnOrdinaryUser (T1): what nobody gains from root's queue and store, nobody gains from an ordinary user's. Not at
// night, some attacks.
func TestHostileWorkersOfAnOrdinaryUser(t *testing.T) {
	which := "TestHostileWorkers"
	if os.Getenv("LUZHANQI_NIGHTLY") == "" {
		which += "/^(reads_everything|brings_a_lie)$"
	}
	processtest.Again(t, which)
}
