//go:build !linux

package attack

import "errors"

// Table is empty: what the attacks reach for is Linux's.
var Table []Attack

// A Scene is what an attacker knows.
type Scene struct{}

func newScene(string) (*Scene, error) { return nil, errors.New("there are no attacks for this system") }

func serve(string) int { return 0 }
