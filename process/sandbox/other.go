//go:build !linux

package sandbox

import "runtime"

// Current is the way in which programs are started here: none.
func Current() (way Way, why string) {
	return Openly, runtime.GOOS + " offers nothing that this program uses"
}
