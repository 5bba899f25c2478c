package attack

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
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

func capabilities(*Scene) (string, error) {
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
	}, func() (string, error) {
		groups, err := status("Groups")
		if slices.Contains(strings.Fields(groups), "0") {
			return "it is in group 0", nil
		}
		return "", err
	})
	return Every(tries...)
}

func newPrivileges(*Scene) (string, error) {
	value, err := status("NoNewPrivs")
	if err != nil || value == "1" {
		return "", err
	}
	return "NoNewPrivs is " + value, nil
}

// becomeRoot changes who it is, directly and by way of a set-uid program.
func becomeRoot(s *Scene) (string, error) {
	runtime.LockOSThread()
	return Every(
		func() (string, error) { return Got(call(unix.SYS_SETRESUID, 0, 0, 0), "is root") },
		func() (string, error) { return Got(call(unix.SYS_SETGROUPS, 0, 0, 0), "setgroups") },
		func() (string, error) {
			if s.SetUID == "" {
				return "", fmt.Errorf("%w: only root can make a set-uid program", errUntried)
			}
			out, err := exec.Command(s.SetUID, "-u").Output()
			if err == nil && strings.TrimSpace(string(out)) != "0" {
				return "", fmt.Errorf("it ran as user %s", strings.TrimSpace(string(out)))
			}
			return Got(err, "a program of root ran as user 0")
		},
	)
}

// mount changes what files there are.
func mount(s *Scene) (string, error) {
	dir := filepath.Join(os.TempDir(), "mount-"+s.Mark)
	if err := os.Mkdir(dir, 0o777); err != nil {
		return "", err
	}
	defer os.Remove(dir)
	mounted := func(what, source, kind string, flags uintptr) func() (string, error) {
		return func() (string, error) {
			err := unix.Mount(source, dir, kind, flags, "")
			if err == nil {
				err = unix.Unmount(dir, unix.MNT_DETACH)
			}
			return Got(err, "mounted %s", what)
		}
	}
	tries := []func() (string, error){
		mounted("memory", "luzhanqi", "tmpfs", 0), mounted("/proc", "proc", "proc", 0), mounted("a folder", s.Other, "", unix.MS_BIND),
		func() (string, error) {
			fd, err := unix.OpenTree(unix.AT_FDCWD, "/", unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
			if err == nil {
				unix.Close(fd)
			}
			return Got(err, "copied the tree of mounts")
		},
		func() (string, error) {
			fd, err := unix.Fsopen("tmpfs", unix.FSOPEN_CLOEXEC)
			if err == nil {
				unix.Close(fd)
			}
			return Got(err, "fsopen")
		},
		func() (string, error) {
			if s.Seen(s.Referee) && os.Geteuid() == 0 {
				return "", errors.New("not tried: it would change the machine")
			}
			return Got(unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND, ""), "mounted / again, writable")
		},
		func() (string, error) { return Got(unix.Chroot(dir), "made %s its root", dir) },
	}
	for _, path := range s.Hidden { // nothing is mounted there, unless to hide it
		tries = append(tries, func() (string, error) {
			return Got(unix.Unmount(path, unix.MNT_DETACH), "took away what hides %s", path)
		})
	}
	return Every(tries...)
}

func userNamespace(*Scene) (string, error) {
	c := exec.Command("/proc/self/exe", attackerWord)
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}
	err := c.Start()
	if err == nil {
		c.Wait() // it ends at once: it has nothing to do
	}
	return Got(err, "made one")
}

// namespaces makes those of a thread that ends with this process, and enters those of process 1.
func namespaces(*Scene) (string, error) {
	runtime.LockOSThread()
	var tries []func() (string, error)
	for name, flag := range map[string]int{
		"mount": unix.CLONE_NEWNS, "network": unix.CLONE_NEWNET, "IPC": unix.CLONE_NEWIPC, "process": unix.CLONE_NEWPID, "host name": unix.CLONE_NEWUTS,
		"cgroup": unix.CLONE_NEWCGROUP, "time": unix.CLONE_NEWTIME,
	} {
		tries = append(tries, func() (string, error) { return Got(unix.Unshare(flag), "made a namespace (%s)", name) })
	}
	for _, name := range []string{"user", "mnt", "pid", "net", "ipc", "cgroup"} {
		tries = append(tries, func() (string, error) {
			fd, err := unix.Open("/proc/1/ns/"+name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
			if err != nil {
				return "", err
			}
			defer unix.Close(fd)
			return Got(unix.Setns(fd, 0), "entered the %s namespace of process 1", name)
		})
	}
	return Every(tries...)
}

// clone3 with arguments that nobody accepts.
func clone3(*Scene) (string, error) { return answered("clone3", unix.SYS_CLONE3, 0, 0, 0) }

func ioUring(*Scene) (string, error) {
	var parameters [120]byte // struct io_uring_params
	fd, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&parameters)), 0)
	if errno == 0 {
		unix.Close(int(fd))
	}
	return Got(failure(errno), "made a ring")
}

// keyrings looks for the referee's key in every keyring that a process is given, and leaves one there.
func keyrings(s *Scene) (string, error) {
	tries := []func() (string, error){func() (string, error) {
		_, err := unix.AddKey("user", "left-"+s.Mark, []byte("x"), unix.KEY_SPEC_PROCESS_KEYRING)
		return Got(err, "added a key")
	}}
	for name, ring := range map[string]int{
		"session": unix.KEY_SPEC_SESSION_KEYRING, "user": unix.KEY_SPEC_USER_KEYRING, "user session": unix.KEY_SPEC_USER_SESSION_KEYRING,
	} {
		if s.Ring == "" {
			break
		}
		if id, err := unix.AddKey("user", "left-"+s.Mark, []byte("x"), ring); err == nil {
			// Gone in ten minutes, also where whoever looks for it is killed: a user may have 200 keys.
			unix.KeyctlInt(unix.KEYCTL_SET_TIMEOUT, id, 600, 0, 0)
		}
		tries = append(tries, func() (string, error) {
			_, err := unix.KeyctlSearch(ring, "user", s.Ring, 0)
			return Got(err, "found a key in the %s keyring", name)
		})
	}
	return Every(tries...)
}

// kernelCalls are made with arguments that nobody accepts, where there are such.
func kernelCalls(*Scene) (string, error) {
	return Every(
		func() (string, error) {
			var attributes [128]byte // a map of no size
			return answered("bpf", unix.SYS_BPF, 0, uintptr(unsafe.Pointer(&attributes)), uintptr(len(attributes)))
		},
		func() (string, error) { return answered("userfaultfd", unix.SYS_USERFAULTFD, 1<<31, 0, 0) },
		func() (string, error) { return answered("perf_event_open", unix.SYS_PERF_EVENT_OPEN, 0, 0, 0) },
		func() (string, error) { return answered("fanotify_init", unix.SYS_FANOTIFY_INIT, 1<<31, 0, 0) },
		func() (string, error) { return answered("memfd_secret", unix.SYS_MEMFD_SECRET, 1<<31, 0, 0) },
		func() (string, error) { return answered("remap_file_pages", unix.SYS_REMAP_FILE_PAGES, 1, 0, 0) },
		func() (string, error) {
			return answered("prctl PR_SET_MM", unix.SYS_PRCTL, unix.PR_SET_MM, unix.PR_SET_MM_BRK, 0)
		},
		func() (string, error) {
			return answered("personality READ_IMPLIES_EXEC", unix.SYS_PERSONALITY, 0x0400000, 0, 0)
		},
	)
}

// machine tries what concerns all of the machine, in ways that change nothing.
func machine(*Scene) (string, error) {
	nowhere, _ := unix.BytePtrFromString("/nowhere/file")
	return Every(
		func() (string, error) {
			var now unix.Timex
			if _, err := unix.Adjtimex(&now); err != nil {
				return "", err
			}
			_, err := unix.Adjtimex(&unix.Timex{Modes: unix.ADJ_FREQUENCY, Freq: now.Freq})
			return Got(err, "the clock can be set")
		},
		func() (string, error) {
			var name unix.Utsname
			if err := unix.Uname(&name); err != nil {
				return "", err
			}
			return Got(unix.Sethostname([]byte(unix.ByteSliceToString(name.Nodename[:]))), "the host name can be set")
		},
		func() (string, error) { return answered("init_module", unix.SYS_INIT_MODULE, 0, 0, 0) },
		func() (string, error) { return answered("reboot", unix.SYS_REBOOT, 1, 2, 3) }, // no such magic
		func() (string, error) {
			return answered("swapon", unix.SYS_SWAPON, uintptr(unsafe.Pointer(nowhere)), 0, 0)
		},
		func() (string, error) { return answered("acct", unix.SYS_ACCT, uintptr(unsafe.Pointer(nowhere)), 0, 0) },
		func() (string, error) { return answered("kexec_load", unix.SYS_KEXEC_LOAD, 0, 1<<20, 0) },
		func() (string, error) { return answered("syslog", unix.SYS_SYSLOG, 3, 0, 0) }, // the kernel's messages, into nothing
	)
}

// answered says whether the kernel has looked at a call's arguments.
func answered(name string, number uintptr, a, b, c uintptr) (string, error) {
	err := call(number, a, b, c)
	if err == unix.EPERM || err == unix.EACCES || err == unix.ENOSYS {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return name, nil
}

// inherited are open files that this process has without its own doing; the runtime's own are closed by exec.
func inherited(*Scene) (string, error) {
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
	return Every(tries...)
}
