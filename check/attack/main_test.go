package attack

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"luzhanqi/process"
	"luzhanqi/process/sandbox"
)

// childVariable has the test's binary do nothing but Run, in the directory that it names.
const childVariable = "ATTACK_TEST_DIR"

func TestMain(m *testing.M) {
	process.Reexec(Attacker)
	process.AdoptOrphans()
	dir := os.Getenv(childVariable)
	if dir == "" {
		os.Exit(m.Run())
	}
	os.Unsetenv(childVariable)
	r, err := Run(context.Background(), Options{Profiles: sandbox.Profiles, Dir: dir})
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}
