package attack

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// status reads a line of /proc/self/status.
func status(name string) (string, error) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(value), nil
		}
	}
	return "", fmt.Errorf("/proc/self/status has no line %s", name)
}

func capabilities(*scene) (string, error) {
	var tries []func() (string, error)
	for _, name := range []string{"CapInh", "CapPrm", "CapEff", "CapAmb"} {
		tries = append(tries, func() (string, error) {
			value, err := status(name)
			if err != nil || strings.Trim(value, "0") == "" {
				return "", err
			}
			return name + " is " + value, nil
		})
	}
	tries = append(tries, func() (string, error) {
		if os.Getuid() == 0 || os.Geteuid() == 0 {
			return "it is user 0", nil
		}
		return "", nil
	})
	return every(tries...)
}

func newPrivileges(*scene) (string, error) {
	value, err := status("NoNewPrivs")
	if err != nil || value == "1" {
		return "", err
	}
	return "NoNewPrivs is " + value, nil
}

func runSetUID(s *scene) (string, error) {
	if s.SetUID == "" {
		return "", fmt.Errorf("%w: only root can make a set-uid program", errUntried)
	}
	out, err := exec.Command(s.SetUID, "-u").Output()
	if err == nil && strings.TrimSpace(string(out)) != "0" {
		return "", fmt.Errorf("it ran as user %s", strings.TrimSpace(string(out)))
	}
	return got(err, "a program of root ran as user 0")
}

func mount(s *scene) (string, error) {
	return every(
		func() (string, error) {
			dir := "mount-" + s.Mark
			if err := os.Mkdir(dir, 0o777); err != nil {
				return "", err
			}
			defer os.Remove(dir)
			err := unix.Mount("luzhanqi", dir, "tmpfs", 0, "size=4096")
			if err == nil {
				err = unix.Unmount(dir, unix.MNT_DETACH)
			}
			return got(err, "mounted a file system")
		},
		func() (string, error) {
			fd, err := unix.Fsopen("tmpfs", unix.FSOPEN_CLOEXEC)
			if err == nil {
				unix.Close(fd)
			}
			return got(err, "fsopen")
		},
	)
}

func userNamespace(*scene) (string, error) {
	c := exec.Command("/proc/self/exe", attackerWord)
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}
	err := c.Start()
	if err == nil {
		c.Wait() // it ends at once: it has nothing to do
	}
	return got(err, "made one")
}

// namespaces are those of a thread that ends with this process.
func namespaces(*scene) (string, error) {
	runtime.LockOSThread()
	var tries []func() (string, error)
	for name, flag := range map[string]int{"mount": unix.CLONE_NEWNS, "network": unix.CLONE_NEWNET, "IPC": unix.CLONE_NEWIPC} {
		tries = append(tries, func() (string, error) { return got(unix.Unshare(flag), "made a namespace (%s)", name) })
	}
	return every(tries...)
}

// clone3 with arguments that nobody accepts.
func clone3(*scene) (string, error) {
	_, _, errno := unix.RawSyscall(unix.SYS_CLONE3, 0, 0, 0)
	if errno == unix.ENOSYS || errno == unix.EPERM {
		return "", errno
	}
	return "it is there", nil
}

func ioUring(*scene) (string, error) {
	var parameters [120]byte // struct io_uring_params
	fd, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&parameters)), 0)
	if errno == 0 {
		unix.Close(int(fd))
	}
	return got(failure(errno), "made a ring")
}

// keyrings adds a key to the ring of this process, which goes with it.
func keyrings(s *scene) (string, error) {
	_, err := unix.AddKey("user", s.Mark, []byte("x"), unix.KEY_SPEC_PROCESS_KEYRING)
	return got(err, "added a key")
}

// kernelCalls are made with arguments that nobody accepts, where there are such.
func kernelCalls(*scene) (string, error) {
	return every(
		func() (string, error) {
			var attributes [128]byte // a map of no size
			return answered(unix.SYS_BPF, "bpf", 0, uintptr(unsafe.Pointer(&attributes)), uintptr(len(attributes)))
		},
		func() (string, error) { return answered(unix.SYS_USERFAULTFD, "userfaultfd", 1<<31, 0, 0) },
		func() (string, error) { return answered(unix.SYS_PERF_EVENT_OPEN, "perf_event_open", 0, 0, 0) },
	)
}

// answered says whether the kernel has looked at a call's arguments.
func answered(number uintptr, name string, a, b, c uintptr) (string, error) {
	_, _, errno := unix.Syscall(number, a, b, c)
	if errno == unix.EPERM || errno == unix.EACCES || errno == unix.ENOSYS {
		return "", fmt.Errorf("%s: %w", name, errno)
	}
	return name, nil
}

// affinity looks whether it has what it has asked for: it may have been told so only.
func affinity(*scene) (string, error) {
	runtime.LockOSThread()
	var before, one, after unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return "", err
	}
	if before.Count() < 2 {
		return "", fmt.Errorf("%w: there is one processor", errUntried)
	}
	for i := 0; one.Count() == 0; i++ {
		if before.IsSet(i) {
			one.Set(i)
		}
	}
	err := errors.Join(unix.SchedSetaffinity(0, &one), unix.SchedGetaffinity(0, &after))
	if err == nil && after.Count() == before.Count() {
		return "", errors.New("its processors are the same as before")
	}
	return got(err, "has moved to %d of %d processors", after.Count(), before.Count())
}

func priority(*scene) (string, error) {
	runtime.LockOSThread()
	return every(
		func() (string, error) { return got(unix.Setpriority(unix.PRIO_PROCESS, 0, -1), "setpriority") },
		func() (string, error) {
			parameter := int32(1)
			const realTime = 1 // SCHED_FIFO
			_, _, errno := unix.Syscall(unix.SYS_SCHED_SETSCHEDULER, 0, realTime, uintptr(unsafe.Pointer(&parameter)))
			return got(failure(errno), "sched_setscheduler")
		},
	)
}

// inherited are open files that this process has without its own doing; the runtime's own are closed by exec.
func inherited(*scene) (string, error) {
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return "", err
	}
	var tries []func() (string, error)
	for _, file := range files {
		fd, _ := strconv.Atoi(file.Name())
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if fd > 2 && err == nil && flags&unix.FD_CLOEXEC == 0 {
			tries = append(tries, func() (string, error) { return fmt.Sprintf("descriptor %d is open", fd), nil })
		}
	}
	return every(tries...)
}
