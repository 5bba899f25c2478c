//go:build unix

package process

import (
	"os"
	"testing"
)

func streams(t *testing.T) (r, w stream) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); out.Close() })
	return in, out
}
