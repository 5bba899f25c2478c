package isolation

import (
	"os"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/protocol-tests/protocoltest"
)

// The programs under test.
var hostile, nonamespaces, command string // command: luzhanqi

func TestMain(m *testing.M) {
	process.Reexec(process.Role{Name: "warden", Run: warden})
	os.Exit(protocoltest.Main(m, 4, map[string]*string{ // most of them wait for processes
		"luzhanqi/protocol-tests/hostile": &hostile, "luzhanqi/cmd/luzhanqi": &command, "luzhanqi/protocol-tests/nonamespaces": &nonamespaces,
	}))
}

// eventually asks until the answer is yes, or the time is over.
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

func side(s *game.Side) string {
	if s == nil {
		return "nobody"
	}
	return s.String()
}
