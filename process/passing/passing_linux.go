package passing

import (
	"io"
	"os"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// Pair makes two connected sockets, of which ours has deadlines.
func Pair() (ours, theirs *os.File, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	if err := unix.SetNonblock(fds[0], true); err != nil {
		unix.Close(fds[0])
		unix.Close(fds[1])
		return nil, nil, os.NewSyscallError("fcntl", err)
	}
	return os.NewFile(uintptr(fds[0]), "control"), os.NewFile(uintptr(fds[1]), "control"), nil
}

// Send sends bytes together with open files, by their numbers.
func Send(to *os.File, b []byte, files ...int) error {
	raw, err := to.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Write(func(fd uintptr) bool {
		failed = unix.Sendmsg(int(fd), b, unix.UnixRights(files...), nil, unix.MSG_NOSIGNAL)
		return failed != unix.EAGAIN
	})
	if err == nil {
		err = os.NewSyscallError("sendmsg", failed)
	}
	return err
}

// maxFiles is how many files are received at a time.
const maxFiles = 8

// Receiver reads from a socket, and keeps the files that come with what is read.
type Receiver struct {
	From   *os.File
	mu     sync.Mutex
	files  []int // their numbers, which are closed in programs that are started
	closed bool
}

// Files are those that have come and were not taken.
func (r *Receiver) Files() []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.files)
}

// Take returns the files that have come. It is for whoever takes them to close them.
func (r *Receiver) Take() []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	files := r.files
	r.files = nil
	return files
}

// Close closes the files that have come, and all that come from now on.
func (r *Receiver) Close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.keep(nil)
}

// keep keeps files that have come.
func (r *Receiver) keep(files []int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files = append(r.files, files...)
	if r.closed {
		for _, fd := range r.files {
			unix.Close(fd)
		}
		r.files = nil
	}
}

func (r *Receiver) Read(b []byte) (n int, err error) {
	raw, err := r.From.SyscallConn()
	if err != nil {
		return 0, err
	}
	rights := make([]byte, unix.CmsgSpace(maxFiles*4))
	var got int
	var failed error
	err = raw.Read(func(fd uintptr) bool {
		for {
			n, got, _, _, failed = unix.Recvmsg(int(fd), b, rights, unix.MSG_CMSG_CLOEXEC)
			if failed != unix.EINTR {
				return failed != unix.EAGAIN
			}
		}
	})
	if err == nil {
		err = os.NewSyscallError("recvmsg", failed)
	}
	if err != nil {
		return 0, err
	}
	messages, _ := unix.ParseSocketControlMessage(rights[:got])
	for _, m := range messages {
		files, _ := unix.ParseUnixRights(&m)
		r.keep(files)
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}
