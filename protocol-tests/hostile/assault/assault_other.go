//go:build !linux

package assault

import (
	"errors"
	"io"
)

var errNone = errors.New("there are no attacks for this system")

// Check finds no attack.
func Check(string) error { return errNone }

// Run tries nothing.
func Run(string, int) string { return errNone.Error() }

// Print writes nothing.
func Print(io.Writer) {}

// Descend has no descendants.
func Descend(string, int) (int, bool) { return 0, false }
