package attack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestForeignCalls: the attack says that this machine knows no calls of 386 if, and only if, a program of 386 cannot make one either.
func TestForeignCalls(t *testing.T) {
	const address, status = 0x0804_8000, 42
	code := []byte{0xb8, 1, 0, 0, 0, 0xbb, status, 0, 0, 0, 0xcd, 0x80} // exit(42)
	const headers = 52 + 32
	var program bytes.Buffer
	program.WriteString("\x7fELF\x01\x01\x01" + string(make([]byte, 9)))
	size := uint32(headers + len(code))
	for _, field := range []any{
		[2]uint16{2, 3}, [5]uint32{1, address + headers, 52, 0, 0}, [6]uint16{52, 32, 1, 0, 0, 0}, // an executable of 386, with one segment
		[8]uint32{1, 0, address, address, size, size, 5, 0x1000}, // all of it, which is read and executed
		code,
	} {
		binary.Write(&program, binary.LittleEndian, field)
	}
	path := filepath.Join(t.TempDir(), "386")
	if err := os.WriteFile(path, program.Bytes(), 0o755); err != nil {
		t.Fatal(err)
	}
	err := exec.Command(path).Run()
	exit := (*exec.ExitError)(nil)
	knows := errors.As(err, &exit) && exit.ExitCode() == status
	said := (&Scene{}).Try("foreign-calls")[0]
	t.Logf("a program of 386: %v; the attack: %+v", err, said)
	if knows != (said.Evidence != "") || said.Untried == knows {
		t.Errorf("a program of 386 ends with %v, and the attack says %+v", err, said)
	}
}
