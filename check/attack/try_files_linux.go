package attack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// readHidden tries the paths themselves, and by ways that lead around what may cover them.
func readHidden(s *Scene) (string, error) {
	var tries []func() (string, error)
	for _, link := range s.Links {
		tries = append(tries, func() (string, error) { return s.readBelow(link + "/.") }, func() (string, error) { return s.reads(link) })
	}
	for _, path := range s.Hidden {
		ways := []string{path, "/proc/1/root" + path, "/proc/self/root" + path}
		if here, err := os.Getwd(); err == nil {
			if relative, err := filepath.Rel(here, path); err == nil {
				ways = append(ways, relative, "/proc/1/cwd/"+relative)
			}
		}
		for _, o := range s.Targets() {
			ways = append(ways, o.Proc("root")+path)
		}
		for _, way := range ways {
			tries = append(tries, func() (string, error) { return s.readBelow(way) })
		}
		tries = append(tries, func() (string, error) {
			link := "link-" + s.Mark
			defer os.Remove(link)
			if err := os.Link(path, link); err != nil {
				return "", err
			}
			return s.reads(link)
		})
	}
	return Every(tries...)
}

// readBelow reads a file, or what is in a folder.
func (s *Scene) readBelow(root string) (evidence string, err error) {
	var errs []error
	filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			evidence, err = s.reads(path)
		}
		if evidence != "" {
			return filepath.SkipAll
		}
		errs = append(errs, err)
		return nil
	})
	return evidence, errors.Join(errs...)
}

// watch asks to be told when something happens to hidden files.
func watch(s *Scene) (string, error) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	var tries []func() (string, error)
	for _, path := range s.Hidden {
		files, _ := filepath.Glob(filepath.Join(path, "*"))
		for _, path := range append(files, path) {
			info, err := os.Stat(path)
			if err == nil && (!info.Mode().IsRegular() || info.Size() == 0) {
				continue // something empty lies over what is hidden
			}
			tries = append(tries, func() (string, error) {
				_, err := unix.InotifyAddWatch(fd, path, unix.IN_MODIFY)
				return Got(err, "watches %s", path)
			})
		}
	}
	return Every(tries...)
}

// changeOther changes the opponent's directory in several ways. Whether that has come about, only an observer outside
// can tell: it may be a layer that is thrown away.
func changeOther(s *Scene) (string, error) {
	file := filepath.Join(s.Other, othersFile)
	return Every(
		quietly(func() error { return os.WriteFile(filepath.Join(s.Other, "attacked"), nil, 0o666) }),
		quietly(func() error { return os.WriteFile(file, []byte("attacked"), 0o666) }),
		quietly(func() error { return os.Truncate(file, 0) }),
		quietly(func() error { return os.Link(file, filepath.Join(s.Other, "linked")) }),
		quietly(func() error { return os.Symlink("/etc/passwd", filepath.Join(s.Other, "link")) }),
		quietly(func() error { return unix.Mkfifo(filepath.Join(s.Other, "pipe"), 0o666) }),
		quietly(func() error {
			return unix.Renameat2(unix.AT_FDCWD, file, unix.AT_FDCWD, filepath.Join(s.Other, attributesFile), unix.RENAME_EXCHANGE)
		}),
		quietly(func() error { return os.Rename(file, file+"-moved") }),
	)
}

// accessForAll is a list of who may use a file: version 2; owner, group and others may all do everything.
var accessForAll = []byte{2, 0, 0, 0, 1, 0, 7, 0, 255, 255, 255, 255, 4, 0, 7, 0, 255, 255, 255, 255, 32, 0, 7, 0, 255, 255, 255, 255}

const noDump = 0x40 // FS_NODUMP_FL

// changeModes changes what a file is rather than what is in it.
func changeModes(s *Scene) (string, error) {
	file := filepath.Join(s.Other, attributesFile)
	return Every(
		quietly(func() error { return os.Chmod(file, 0o777) }),
		quietly(func() error { return os.Chtimes(file, time.Unix(1, 0), time.Unix(1, 0)) }),
		quietly(func() error { return unix.Setxattr(file, "user.attacked", []byte("x"), 0) }),
		quietly(func() error { return unix.Setxattr(file, "system.posix_acl_access", accessForAll, 0) }),
		quietly(func() error {
			f, err := os.Open(file)
			if err != nil {
				return err
			}
			defer f.Close()
			return errors.Join(f.Chmod(0o4777), unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, noDump))
		}),
	)
}

// lease asks to be told before others open the opponent's file, who then wait for up to 45 s.
func lease(s *Scene) (string, error) {
	f, err := os.Open(filepath.Join(s.Other, othersFile))
	if err != nil {
		return "", err
	}
	defer f.Close()
	_, err = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_WRLCK)
	return Got(err, "has a lease of %s", f.Name())
}

func quietly(do func() error) func() (string, error) {
	return func() (string, error) { return "", do() }
}

// changeOwn leaves a file, for the observer.
func changeOwn(s *Scene) (string, error) {
	return "", os.WriteFile("left-"+s.Mark, nil, 0o666)
}

func readElsewhere(s *Scene) (string, error) { return s.reads(s.Elsewhere) }

// readRoots opens what only root may read.
func readRoots(s *Scene) (string, error) {
	paths := []string{"/etc/shadow", "/var/log/btmp", "/proc/kcore", "/proc/kmsg", "/proc/kpageflags", "/proc/timer_list"}
	if s.Roots != "" {
		paths = append(paths, s.Roots)
	}
	return openAll(os.O_RDONLY, paths...)
}

// handles opens files by their handles, past all directories.
func handles(s *Scene) (string, error) {
	var tries []func() (string, error)
	for _, path := range append([]string{s.Other, s.Elsewhere, "/"}, s.Hidden...) {
		tries = append(tries, func() (string, error) {
			handle, _, err := unix.NameToHandleAt(unix.AT_FDCWD, path, 0)
			if err != nil {
				return "", fmt.Errorf("handle of %s: %w", path, err)
			}
			mount, err := unix.Open(filepath.Dir(path), unix.O_RDONLY|unix.O_CLOEXEC, 0)
			if err != nil {
				return "", err
			}
			defer unix.Close(mount)
			fd, err := unix.OpenByHandleAt(mount, handle, unix.O_RDONLY)
			if err == nil {
				unix.Close(fd)
			}
			return Got(err, "opened %s by its handle", path)
		})
	}
	return Every(tries...)
}

func readTemporary(s *Scene) (string, error) {
	var tries []func() (string, error)
	for _, path := range s.Temporary {
		tries = append(tries, func() (string, error) { return s.reads(path) })
	}
	if len(tries) == 0 {
		return "", fmt.Errorf("%w: no file could be made in a place for temporary files", errUntried)
	}
	return Every(tries...)
}

// readShared reads the file of others, and leaves one for the observer.
func readShared(s *Scene) (string, error) {
	os.WriteFile(sharedLeft(s.Mark), []byte("left"), 0o666)
	if s.Shared == "" {
		return "", fmt.Errorf("%w: no file could be made in /dev/shm", errUntried)
	}
	return s.reads(s.Shared)
}

// writable are the places that a program can usually write into.
func writable() []string { return []string{".", os.TempDir(), "/dev/shm"} }

// fillDisk writes half as much again as it may, over all places that it can write into.
func fillDisk(s *Scene) (string, error) {
	if s.Disk == 0 {
		return "", fmt.Errorf("%w: it may write as much as any program", errUntried)
	}
	block := make([]byte, 1<<20)
	var written int64
	var failed error
	for _, dir := range writable() {
		name := filepath.Join(dir, "fill-"+s.Mark)
		f, err := os.Create(name)
		if err != nil {
			failed = err
			continue
		}
		defer os.Remove(name)
		defer f.Close()
		for written < s.Disk*3/2 && err == nil {
			var n int
			n, err = f.Write(block)
			written += int64(n)
		}
		failed = errors.Join(failed, err)
	}
	if written <= s.Disk {
		return "", fmt.Errorf("%d bytes could be written: %w", written, failed)
	}
	return fmt.Sprintf("wrote %d MiB, where %d MiB are allowed", written>>20, s.Disk>>20), nil
}

// manyFiles makes files of a byte: each takes 4 KiB, and more that is not counted as disk.
func manyFiles(s *Scene) (string, error) {
	if s.Disk == 0 {
		return "", fmt.Errorf("%w: it may write as much as any program", errUntried)
	}
	allowed := int(s.Disk >> 12)
	made := 0
	var failed error
	for _, where := range writable() {
		dir := filepath.Join(where, "many-"+s.Mark)
		if err := os.Mkdir(dir, 0o777); err != nil {
			failed = err
			continue
		}
		defer os.RemoveAll(dir)
		for made <= allowed {
			if failed = os.WriteFile(filepath.Join(dir, fmt.Sprint(made)), []byte("x"), 0o666); failed != nil {
				break
			}
			made++
		}
	}
	if made <= allowed {
		return "", fmt.Errorf("%d files of a byte could be made: %w", made, failed)
	}
	return fmt.Sprintf("made %d files, which take more than %d MiB", made, s.Disk>>20), nil
}

// dumpCore leaves a core dump, if it can, for the observer.
func dumpCore(*Scene) (string, error) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		return "", fmt.Errorf("%w: %w", errUntried, err)
	}
	return "", exec.Command(sh, "-c", "ulimit -c unlimited || ulimit -c $(ulimit -H -c); kill -ABRT $$").Run()
}

// openSettings writes the machine's settings back as they are, and opens for writing what would be worse.
func openSettings(*Scene) (string, error) {
	var tries []func() (string, error)
	for _, name := range []string{
		"kernel/hostname", "kernel/core_pattern", "kernel/pid_max", "kernel/printk_ratelimit", "vm/swappiness", "net/ipv4/ip_forward", "fs/file-max",
		"kernel/yama/ptrace_scope", "kernel/shmmni",
	} {
		tries = append(tries, func() (string, error) { return Got(rewrite("/proc/sys/"+name), "/proc/sys/%s can be written", name) })
	}
	return Every(append(tries,
		func() (string, error) {
			return openAll(os.O_WRONLY, "/proc/sysrq-trigger", "/sys/power/state", "/sys/kernel/mm/ksm/run", "/sys/kernel/debug/sched/features",
				"/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/unified/cgroup.procs", "/sys/fs/cgroup/pids/cgroup.procs")
		})...)
}

// openDevices opens what is worth most, and makes a device that does nothing.
func openDevices(s *Scene) (string, error) {
	disks, _ := filepath.Glob("/dev/[svxn][dvm]*[a-z0-9]")
	tries := []func() (string, error){func() (string, error) {
		return openAll(os.O_RDONLY, append(disks, "/dev/mem", "/dev/port", "/dev/kmsg", "/dev/fuse", "/dev/kvm", "/dev/net/tun",
			"/dev/loop-control", "/dev/vsock", "/dev/rtc0", "/dev/uinput")...)
	}, func() (string, error) {
		_, err := os.Stat("/dev/watchdog") // to open it is to start it
		return Got(err, "/dev/watchdog is there")
	}}
	for _, dir := range append(writable(), os.Getenv("HOME")) {
		tries = append(tries, func() (string, error) {
			name := filepath.Join(dir, "device-"+s.Mark)
			defer os.Remove(name)
			if err := unix.Mknod(name, unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3))); err != nil {
				return "", err
			}
			f, err := os.Open(name)
			if err == nil {
				f.Close()
			}
			return Got(err, "made a device in %s", dir)
		})
	}
	return Every(tries...)
}

func openAll(flag int, paths ...string) (string, error) {
	var tries []func() (string, error)
	for _, path := range paths {
		tries = append(tries, func() (string, error) {
			f, err := os.OpenFile(path, flag|unix.O_NONBLOCK, 0)
			if err == nil {
				f.Close()
			}
			return Got(err, "opened %s", path)
		})
	}
	return Every(tries...)
}
