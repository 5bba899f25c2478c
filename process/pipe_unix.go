//go:build unix

package process

import "os"

// Pipes are pollable here, so the files themselves have deadlines.
func readEnd(f *os.File) pipe  { return f }
func writeEnd(f *os.File) pipe { return f }
