package process

import (
	"io"
	"net"
	"os"
)

// Anonymous pipes have no deadlines on Windows, so they are copied through one that has. That
// costs a goroutine, a copy and one buffer of read-ahead for each stream.
func readEnd(f *os.File) stream {
	near, far := net.Pipe()
	go func() {
		io.Copy(far, f)
		far.Close()
		f.Close()
	}()
	return near
}

func writeEnd(f *os.File) stream {
	near, far := net.Pipe()
	go func() {
		io.Copy(f, far)
		f.Close()
		far.Close()
	}()
	return near
}
