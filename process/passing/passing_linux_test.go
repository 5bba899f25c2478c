package passing

import (
	"io"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func pair(t *testing.T) (a, b *os.File) {
	t.Helper()
	a, b, err := Pair()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close(); b.Close() })
	return a, b
}

// TestFilesComeWithWhatIsRead: whoever has read the byte that a file was sent with has the file, whatever was sent before and is
// read together with it.
func TestFilesComeWithWhatIsRead(t *testing.T) {
	from, to := pair(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	from.WriteString("order\n")
	if err := Send(from, []byte("go"), int(w.Fd())); err != nil {
		t.Fatal(err)
	}
	w.Close()
	from.Close()
	receiver := &Receiver{From: to}
	text, err := io.ReadAll(receiver)
	if err != nil || string(text) != "order\ngo" {
		t.Fatalf("%q, %v", text, err)
	}
	files := receiver.Take()
	if len(files) != 1 || len(receiver.Take()) != 0 {
		t.Fatal(files)
	}
	flags, err := unix.FcntlInt(uintptr(files[0]), unix.F_GETFD, 0)
	if err != nil || flags&unix.FD_CLOEXEC == 0 {
		t.Errorf("flags %d, %v: programs that are started would inherit it", flags, err)
	}
	sent := os.NewFile(uintptr(files[0]), "w")
	sent.WriteString("through")
	sent.Close()
	if text, err := io.ReadAll(r); string(text) != "through" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestNobodyReceives: what is sent to a socket whose other end is closed is an error, not a signal.
func TestNobodyReceives(t *testing.T) {
	from, to := pair(t)
	to.Close()
	if err := Send(from, []byte{1}, int(os.Stdin.Fd())); err == nil || !strings.Contains(err.Error(), "broken pipe") {
		t.Error(err)
	}
}
