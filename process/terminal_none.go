//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package process

import "os"

const hasTerminals = false

// newTerminal is never called: terminalTrouble comes first.
func newTerminal() (sink, source, *os.File, error) { return nil, nil, nil, ErrNoTerminal }
