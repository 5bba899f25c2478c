//go:build linux && !amd64

package attack

import "fmt"

// foreignCalls are known here on amd64 only.
func foreignCalls(*Scene) (string, error) {
	return "", fmt.Errorf("%w: not on this architecture", errUntried)
}

func x32Calls(s *Scene) (string, error) { return foreignCalls(s) }
