package protocoltests

import (
	"os"
	"testing"

	"luzhanqi/process"
	"luzhanqi/protocol-tests/protocoltest"
)

// The programs under test.
var (
	hostile  string
	consoles string
	command  string // luzhanqi
)

// atOnce is how many cases are played at a time: most of them wait for a limit to pass.
const atOnce = 6

func TestMain(m *testing.M) {
	process.Reexec()
	// With -race, every supervisor is this binary with the race detector, which sleeps a second
	// before it exits.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	// As the command does. From here on, a program that kills its supervisor makes the referee kill
	// every child that it does not know; so nothing else may start children beside such a game.
	process.AdoptOrphans()
	os.Exit(protocoltest.Main(m, atOnce, map[string]*string{
		"luzhanqi/protocol-tests/hostile": &hostile, "luzhanqi/protocol-tests/consoles": &consoles, "luzhanqi/cmd/luzhanqi": &command,
	}))
}
