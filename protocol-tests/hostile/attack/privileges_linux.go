package attack

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// powers are what the kernel says that this process may do.
func powers(*Scene) (string, error) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "", err
	}
	var found []string
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch name {
		case "CapInh", "CapPrm", "CapEff", "CapAmb":
			if strings.Trim(value, "0") != "" {
				found = append(found, name+" "+value)
			}
		case "NoNewPrivs":
			if value != "1" {
				found = append(found, "no_new_privs is off")
			}
		case "Groups":
			if value != "" && os.Getuid() != 0 {
				for group := range strings.FieldsSeq(value) {
					if group == "0" {
						found = append(found, "is of root's group")
					}
				}
			}
		}
	}
	return strings.Join(found, "; "), nil
}

// becomeRoot changes who it is, directly and by way of a set-uid program.
func becomeRoot(s *Scene) (string, error) {
	runtime.LockOSThread()
	return every(
		func() (string, error) {
			if os.Geteuid() == 0 && func() bool { _, err := os.ReadFile("/etc/shadow"); return err != nil }() {
				return "", nil // a root of a name only
			}
			return got(syscall3(unix.SYS_SETRESUID, 0, 0, 0), "is root")
		},
		func() (string, error) { return got(syscall3(unix.SYS_SETGROUPS, 0, 0, 0), "setgroups") },
		func() (string, error) {
			out, err := exec.Command(s.near("players", "suid"), "-pids", "", "-descendant", whoami).Output()
			if err != nil {
				return "", err
			}
			if ids := strings.TrimSpace(string(out)); ids != fmt.Sprint(os.Getuid(), " ", os.Geteuid()) {
				return "a set-uid program runs as " + ids, nil
			}
			return "", errors.New("the set-uid program runs as the attacker")
		},
	)
}

// rootsFiles reads what only root may.
func rootsFiles(s *Scene) (string, error) {
	var tries []func() (string, error)
	for _, path := range []string{s.near("secret"), "/etc/shadow", "/dev/mem", "/dev/kmsg", "/var/log/btmp", "/proc/1/environ"} {
		tries = append(tries, func() (string, error) {
			file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
			if err != nil {
				return "", err
			}
			defer file.Close()
			n, err := file.Read(make([]byte, 64))
			if n <= 0 {
				return "", err
			}
			return "read " + path, nil
		})
	}
	return every(tries...)
}

// handles opens a file by its handle, past all directories.
func handles(s *Scene) (string, error) {
	return every(
		func() (string, error) { return byHandle(s.near("secret")) },
		func() (string, error) { return byHandle(s.near("players")) },
		func() (string, error) { return byHandle("/") },
	)
}

func byHandle(path string) (string, error) {
	handle, _, err := unix.NameToHandleAt(unix.AT_FDCWD, path, 0)
	if err != nil {
		return "", fmt.Errorf("handle of %s: %w", path, err)
	}
	mount, err := unix.Open(filepath.Dir(path), unix.O_RDONLY, 0)
	if err != nil {
		return "", err
	}
	defer unix.Close(mount)
	fd, err := unix.OpenByHandleAt(mount, handle, unix.O_RDONLY)
	if err == nil {
		unix.Close(fd)
	}
	return got(err, "opened %s by its handle", path)
}

// namespaces makes new ones: in them, it would have every power again.
func namespaces(*Scene) (string, error) {
	var tries []func() (string, error)
	for name, flag := range map[string]uintptr{
		"user": unix.CLONE_NEWUSER, "mount": unix.CLONE_NEWNS, "network": unix.CLONE_NEWNET, "process": unix.CLONE_NEWPID, "host name": unix.CLONE_NEWUTS,
		"cgroup": unix.CLONE_NEWCGROUP, "IPC": unix.CLONE_NEWIPC, "time": unix.CLONE_NEWTIME,
	} {
		tries = append(tries, func() (string, error) {
			c := exec.Command("/proc/self/exe", "-pids", "", "-descendant", whoami)
			c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: flag}
			if flag == unix.CLONE_NEWTIME { // of which clone's lowest byte is the signal
				runtime.LockOSThread()
				return got(unix.Unshare(int(flag)), "a %s namespace", name)
			}
			return got(c.Run(), "a %s namespace by clone", name)
		}, func() (string, error) {
			arguments := [11]uint64{uint64(flag), 0, 0, 0, uint64(unix.SIGCHLD)}
			pid, _, e := unix.RawSyscall(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&arguments)), 64, 0)
			if e == 0 && pid == 0 {
				unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
			}
			return got(errno(e), "a %s namespace by clone3", name)
		})
	}
	tries = append(tries, func() (string, error) {
		out, err := exec.Command("unshare", "--user", "--map-root-user", "id", "-u").Output()
		return got(err, "root of a user namespace: %q", out)
	})
	for _, name := range []string{"user", "mnt", "pid", "net", "ipc", "cgroup"} {
		tries = append(tries, func() (string, error) {
			runtime.LockOSThread()
			fd, err := unix.Open("/proc/1/ns/"+name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
			if err != nil {
				return "", err
			}
			defer unix.Close(fd)
			return got(unix.Setns(fd, 0), "entered the %s namespace of process 1", name)
		})
	}
	return every(tries...)
}

// mounts changes what files there are, in the test's own directory and below what hides it.
func mounts(s *Scene) (string, error) {
	dir, err := os.MkdirTemp("", "hostile-mount-")
	if err != nil {
		dir = "."
	}
	defer os.Remove(dir)
	mounted := func(what string, err error) (string, error) {
		if err == nil {
			unix.Unmount(dir, unix.MNT_DETACH)
		}
		return got(err, "%s", what)
	}
	return every(
		func() (string, error) {
			return mounted("mounted a tmpfs", unix.Mount("hostile", dir, "tmpfs", 0, "size=64k"))
		},
		func() (string, error) { return mounted("mounted /proc again", unix.Mount("proc", dir, "proc", 0, "")) },
		func() (string, error) {
			return mounted("bound a directory of the test", unix.Mount(s.near("players"), dir, "", unix.MS_BIND, ""))
		},
		func() (string, error) {
			fd, err := unix.OpenTree(unix.AT_FDCWD, "/", unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
			if err == nil {
				unix.Close(fd)
			}
			return got(err, "copied the tree of mounts")
		},
		func() (string, error) {
			fd, err := unix.Fsopen("tmpfs", unix.FSOPEN_CLOEXEC)
			if err == nil {
				unix.Close(fd)
			}
			return got(err, "opened a new file system")
		},
		func() (string, error) {
			var errs []error
			for _, path := range []string{s.near("records"), s.near("store"), "/tmp", "/proc", s.Dir} { // nothing is mounted there, unless to hide it
				if !mountPoint(path) {
					continue
				}
				err := unix.Unmount(path, unix.MNT_DETACH)
				if err == nil {
					return "took away what hides " + path, nil
				}
				errs = append(errs, err)
			}
			return "", errors.Join(errs...)
		},
		func() (string, error) {
			if !mountPoint(s.Dir) && os.Geteuid() == 0 && s.refereeSeen() {
				return "", errors.New("not tried: it would change the machine")
			}
			return got(unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND, ""), "mounted / again, writable")
		},
		func() (string, error) { return got(leaveRoot(), "left its root directory") },
	)
}

// mountPoint says whether something is mounted there, by the list of this process.
func mountPoint(path string) bool {
	text, _ := os.ReadFile("/proc/self/mountinfo")
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) > 4 && fields[4] == path && path != "/tmp" && path != "/proc" {
			return true
		}
	}
	return false
}

// leaveRoot is the classic way out of chroot, which needs the right to call it again.
func leaveRoot() error {
	dir, err := os.MkdirTemp("", "hostile-root-")
	if err != nil {
		dir = "/proc"
	} else {
		defer os.Remove(dir)
	}
	if err := unix.Chroot(dir); err != nil {
		return err
	}
	for range 64 {
		unix.Chdir("..")
	}
	return unix.Chroot(".")
}

// devices makes one that is harmless, and opens those that are not.
func devices(*Scene) (string, error) {
	tries := []func() (string, error){func() (string, error) {
		for _, dir := range []string{".", "/tmp", "/dev/shm", os.Getenv("HOME")} {
			path := filepath.Join(dir, fmt.Sprintf("hostile-null-%d", os.Getpid()))
			err := unix.Mknod(path, unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3)))
			if err != nil {
				continue
			}
			defer os.Remove(path)
			file, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err == nil {
				file.Close()
				return "made a device in " + dir, nil
			}
		}
		return "", errors.New("no device could be made and opened")
	}}
	disks, _ := filepath.Glob("/dev/*d[a-z]")
	for _, path := range append(disks, "/dev/mem", "/dev/port", "/dev/kmsg", "/dev/kvm", "/dev/fuse", "/dev/net/tun", "/dev/loop-control",
		"/dev/vsock", "/dev/rtc0", "/dev/watchdog", "/dev/uinput") {
		tries = append(tries, func() (string, error) {
			if path == "/dev/watchdog" { // to open it is to start it
				_, err := os.Stat(path)
				return got(err, "%s is there", path)
			}
			file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
			if err == nil {
				file.Close()
			}
			return got(err, "opened %s", path)
		})
	}
	return every(tries...)
}

// machine sets the time, the names and the modules of the machine to what they are.
func machine(*Scene) (string, error) {
	return every(
		func() (string, error) {
			var now unix.Timex
			if _, err := unix.Adjtimex(&now); err != nil {
				return "", err
			}
			_, err := unix.Adjtimex(&unix.Timex{Modes: unix.ADJ_FREQUENCY, Freq: now.Freq})
			return got(err, "the clock can be set")
		},
		func() (string, error) {
			var name unix.Utsname
			if err := unix.Uname(&name); err != nil {
				return "", err
			}
			return got(unix.Sethostname([]byte(unix.ByteSliceToString(name.Nodename[:]))), "the host name can be set")
		},
		func() (string, error) {
			err := syscall3(unix.SYS_INIT_MODULE, 0, 0, 0)
			if !errors.Is(err, unix.EPERM) && !errors.Is(err, unix.ENOSYS) {
				return fmt.Sprintf("modules can be loaded: %v", err), nil
			}
			return "", err
		},
		func() (string, error) {
			err := syscall3(unix.SYS_REBOOT, 1, 2, 3) // no such magic: refused to everybody, but first to those without the right
			if errors.Is(err, unix.EINVAL) {
				return "the machine could be restarted", nil
			}
			return "", err
		},
		func() (string, error) {
			path, _ := unix.BytePtrFromString("/nowhere/swap")
			err := syscall3(unix.SYS_SWAPON, uintptr(unsafe.Pointer(path)), 0, 0)
			if errors.Is(err, unix.ENOENT) {
				return "swap could be added", nil
			}
			return "", err
		},
	)
}
