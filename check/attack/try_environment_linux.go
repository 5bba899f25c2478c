package attack

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

func environment(s *Scene) (string, error) {
	return s.each(func(o Someone) (string, error) {
		text, err := os.ReadFile(o.Proc("environ"))
		if err == nil && len(text) == 0 {
			return "", errors.New("it is empty")
		}
		return Got(err, "%d bytes of %s's", len(text), o)
	})
}

// secrets looks for the secret with every process: in its environment and on its command line.
func secrets(s *Scene) (string, error) {
	var found []string
	for pid := range s.processes() {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if strings.Contains(strings.Join(append(commandLine(pid), string(text)), " "), Secret(s.Mark)) {
			found = append(found, fmt.Sprintf("process %d has the secret", pid))
		}
	}
	return strings.Join(found, "; "), nil
}

// ownEnvironment looks for what is not meant for players.
func ownEnvironment(*Scene) (string, error) {
	var found []string
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		for _, word := range []string{"TOKEN", "SECRET", "NKEY", "NATS", "LUZHANQI_"} {
			if strings.Contains(name, word) && !slices.Contains(harmlessNames, name) {
				found = append(found, name)
			}
		}
	}
	return strings.Join(found, "; "), nil
}

// harmlessNames are variables of tests.
var harmlessNames = []string{"LUZHANQI_ALONE", "LUZHANQI_NIGHTLY", "LUZHANQI_NO_SKIP", "LUZHANQI_PROGRAMS", "LUZHANQI_STRESS"}
