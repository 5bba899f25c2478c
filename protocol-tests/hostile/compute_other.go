//go:build !unix

package main

import "time"

// compute cannot be told here from keeping a processor busy.
func compute(d time.Duration) { burn(d) }
