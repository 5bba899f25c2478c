package attack

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// x32Calls asks for the process id by the numbers of x32, which has the architecture of amd64.
func x32Calls(*Scene) (string, error) {
	const x32 = 1 << 30
	pid, _, errno := unix.RawSyscall(x32|unix.SYS_GETPID, 0, 0, 0)
	return Got(failure(errno), "getpid of x32 says %d", pid)
}

// foreignCalls asks for the process id by the numbers of 386. A filter that looks only at numbers takes it for writev.
func foreignCalls(*Scene) (string, error) {
	page, err := unix.Mmap(-1, 0, unix.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return "", err
	}
	copy(page, []byte{0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3}) // mov eax, 20; int 0x80; ret
	code := &page[0]
	function := &code // what a Go function is: a pointer to the address of its code
	pid := (*(*func() int64)(unsafe.Pointer(&function)))()
	if pid != int64(unix.Getpid()) {
		return "", errors.New("there are no calls of 386 here")
	}
	return fmt.Sprintf("getpid of 386 says %d", pid), nil
}
