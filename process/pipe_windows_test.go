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
	r, w = readEnd(in), writeEnd(out)
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}
