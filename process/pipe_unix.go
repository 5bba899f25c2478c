//go:build unix && !linux

package process

import "os"

// Pipes are pollable here, so the files themselves have deadlines.
func readEnd(f *os.File) stream  { return f }
func writeEnd(f *os.File) stream { return f }
