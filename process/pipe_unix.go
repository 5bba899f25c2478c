//go:build unix

package process

import (
	"io"
	"os"
)

// Pipes are pollable here, so the files themselves have deadlines.
func newSink(f *os.File) sink                 { return f }
func newErrorSource(f *os.File) io.ReadCloser { return f }
