package attack

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Key names an object of System V for a test: the test's own, or one that the attacker leaves.
func Key(mark string, left bool) int {
	key := int(crc32.ChecksumIEEE([]byte(mark)) & 0x3ffffffe)
	if left {
		key++
	}
	return key
}

// systemV reaches for the shared memory, the semaphores and the messages of the test, and leaves some.
func systemV(s *Scene) (string, error) {
	evidence, err := every(
		func() (string, error) {
			id, err := unix.SysvShmGet(Key(s.Mark, false), 0, 0)
			if err != nil {
				return "", fmt.Errorf("shared memory: %w", err)
			}
			memory, err := unix.SysvShmAttach(id, 0, unix.SHM_RDONLY)
			if err != nil {
				return "", err
			}
			return fmt.Sprintf("attached %d bytes of shared memory", len(memory)), nil
		},
		func() (string, error) {
			_, _, e := unix.Syscall(unix.SYS_SEMGET, uintptr(Key(s.Mark, false)), 0, 0)
			return got(errno(e), "the test's semaphores")
		},
		func() (string, error) {
			_, _, e := unix.Syscall(unix.SYS_MSGGET, uintptr(Key(s.Mark, false)), 0, 0)
			return got(errno(e), "the test's messages")
		},
	)
	const create = unix.IPC_CREAT | 0o666
	unix.SysvShmGet(Key(s.Mark, true), 4096, create)
	unix.Syscall(unix.SYS_SEMGET, uintptr(Key(s.Mark, true)), 1, create)
	unix.Syscall(unix.SYS_MSGGET, uintptr(Key(s.Mark, true)), create, 0)
	return evidence, err
}

// QueueName is of a POSIX message queue, as the system call wants it.
func QueueName(mark string, left bool) string {
	if left {
		return "hostile-left-" + mark
	}
	return "luzhanqi-test-" + mark
}

// posix reaches for the message queue and the shared memory of the test, and leaves some.
func posix(s *Scene) (string, error) {
	evidence, err := every(
		func() (string, error) {
			fd, err := OpenQueue(QueueName(s.Mark, false), unix.O_RDONLY|unix.O_NONBLOCK)
			if err == nil {
				unix.Close(fd)
			}
			return got(err, "opened the test's message queue")
		},
		func() (string, error) {
			_, err := os.ReadFile("/dev/shm/" + QueueName(s.Mark, false))
			return got(err, "read the test's POSIX shared memory")
		},
	)
	if fd, err := OpenQueue(QueueName(s.Mark, true), unix.O_RDWR|unix.O_CREAT); err == nil {
		unix.Close(fd)
	}
	os.WriteFile("/dev/shm/"+QueueName(s.Mark, true), []byte("left"), 0o666)
	return evidence, err
}

// OpenQueue opens or makes a message queue.
func OpenQueue(name string, flags int) (int, error) {
	path, err := unix.BytePtrFromString(name)
	if err != nil {
		return -1, err
	}
	fd, _, e := unix.Syscall6(unix.SYS_MQ_OPEN, uintptr(unsafe.Pointer(path)), uintptr(flags), 0o666, 0, 0, 0)
	if e != 0 {
		return -1, e
	}
	return int(fd), nil
}

// keyrings looks for the test's key in every keyring that a process is given, and leaves one there.
func keyrings(s *Scene) (string, error) {
	rings := map[string]int{
		"session": unix.KEY_SPEC_SESSION_KEYRING, "user": unix.KEY_SPEC_USER_KEYRING, "user session": unix.KEY_SPEC_USER_SESSION_KEYRING,
	}
	var tries []func() (string, error)
	for name, ring := range rings {
		tries = append(tries, func() (string, error) {
			_, err := unix.KeyctlSearch(ring, "user", QueueName(s.Mark, false), 0)
			return got(err, "found the test's key in the %s keyring", name)
		})
	}
	evidence, err := every(tries...)
	for _, ring := range rings {
		unix.AddKey("user", QueueName(s.Mark, true), []byte("left"), ring)
	}
	return evidence, err
}

func action0(action *[4]uint64) uintptr { return uintptr(unsafe.Pointer(action)) }

// meet waits for the other player where both could reach, and passes its standard output over to whoever waits there.
func meet(s *Scene) (string, error) {
	dirs := append(s.writable(), s.near("home"), s.near("tmp"), s.near("victim"))
	var errs []error
	for _, dir := range dirs {
		path := filepath.Join(dir, "hostile-meet-"+s.Mark)
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
		if err != nil {
			return "", err
		}
		defer unix.Close(fd)
		if err = unix.Connect(fd, &unix.SockaddrUnix{Name: path}); err == nil {
			unix.Sendmsg(fd, []byte("x"), unix.UnixRights(1), nil, 0)
			return "met the other player at " + path, nil
		}
		errs = append(errs, err)
	}
	var waiting []*os.File
	for _, dir := range dirs {
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
		if err == nil && unix.Bind(fd, &unix.SockaddrUnix{Name: filepath.Join(dir, "hostile-meet-"+s.Mark)}) == nil {
			unix.Listen(fd, 4)
			waiting = append(waiting, os.NewFile(uintptr(fd), dir))
		}
	}
	_, err := daemon(s, "sleeper", "", waiting...)
	return "", errors.Join(append(errs, err)...)
}
