package attack

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// readHidden tries the path itself, and by ways that lead around what may cover it.
func readHidden(s *scene) (string, error) {
	relative, err := filepath.Rel(s.Own, s.Hidden)
	if err != nil {
		return "", err
	}
	var tries []func() (string, error)
	for _, path := range []string{s.Hidden, relative, "/proc/1/root" + s.Hidden, "/proc/self/root" + s.Hidden, "/proc/1/cwd/" + relative} {
		tries = append(tries, func() (string, error) { return s.reads(path) })
	}
	tries = append(tries, func() (string, error) {
		link := "link-" + s.Mark
		defer os.Remove(link)
		if err := os.Link(s.Hidden, link); err != nil {
			return "", err
		}
		return s.reads(link)
	})
	return every(tries...)
}

// changeOther changes the opponent's directory in several ways. Whether that has come about, only an observer outside
// can tell: it may be a layer that is thrown away.
func changeOther(s *scene) (string, error) {
	file := filepath.Join(s.Other, othersFile)
	return every(
		quietly(func() error { return os.WriteFile(filepath.Join(s.Other, "attacked"), nil, 0o666) }),
		quietly(func() error { return os.WriteFile(file, []byte("attacked"), 0o666) }),
		quietly(func() error { return os.Link(file, filepath.Join(s.Other, "linked")) }),
		quietly(func() error { return os.Rename(file, file+"-moved") }),
	)
}

// changeModes changes what a file is rather than what is in it.
func changeModes(s *scene) (string, error) {
	file := filepath.Join(s.Other, attributesFile)
	return every(
		quietly(func() error { return os.Chmod(file, 0o777) }),
		quietly(func() error { return os.Chtimes(file, time.Unix(1, 0), time.Unix(1, 0)) }),
		quietly(func() error { return unix.Setxattr(file, "user.attacked", []byte("x"), 0) }),
	)
}

func quietly(do func() error) func() (string, error) {
	return func() (string, error) { return "", do() }
}

// changeOwn leaves a file, for the observer.
func changeOwn(s *scene) (string, error) {
	return "", os.WriteFile("left-"+s.Mark, nil, 0o666)
}

func readElsewhere(s *scene) (string, error) { return s.reads(s.Elsewhere) }

func readShadow(*scene) (string, error) {
	f, err := os.Open("/etc/shadow")
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("%w: there is no /etc/shadow", errUntried)
	}
	if err != nil {
		return "", err
	}
	f.Close()
	return "opened /etc/shadow", nil
}

func readTemporary(s *scene) (string, error) {
	var tries []func() (string, error)
	for _, path := range s.Temporary {
		tries = append(tries, func() (string, error) { return s.reads(path) })
	}
	if len(tries) == 0 {
		return "", fmt.Errorf("%w: no file could be made in a place for temporary files", errUntried)
	}
	return every(tries...)
}

func readSharedFiles(s *scene) (string, error) {
	if s.Shared == "" {
		return "", fmt.Errorf("%w: no file could be made in /dev/shm", errUntried)
	}
	return s.reads(s.Shared)
}

// fillDisk writes half as much again as it may, over all places that it can write into.
func fillDisk(s *scene) (string, error) {
	block := make([]byte, 1<<20)
	var written int64
	var failed error
	for _, dir := range []string{".", os.TempDir(), "/dev/shm"} {
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

// dumpCore leaves a core dump, if it can, for the observer.
func dumpCore(*scene) (string, error) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		return "", fmt.Errorf("%w: %w", errUntried, err)
	}
	return "", exec.Command(sh, "-c", "ulimit -c unlimited || ulimit -c $(ulimit -H -c); kill -ABRT $$").Run()
}

// openSettings opens for writing and writes nothing.
func openSettings(*scene) (string, error) {
	return openAll(os.O_WRONLY, "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sys/vm/swappiness", "/proc/sysrq-trigger",
		"/sys/kernel/mm/ksm/run", "/sys/power/state", "/sys/fs/cgroup/cgroup.procs")
}

// openDevices opens what is worth most, and makes a device that does nothing.
func openDevices(s *scene) (string, error) {
	disks, _ := filepath.Glob("/dev/[svxn][dvm]*[a-z0-9]")
	return every(
		func() (string, error) {
			return openAll(os.O_RDONLY, append(disks, "/dev/mem", "/dev/kmsg", "/proc/kcore", "/dev/fuse", "/dev/kvm", "/dev/net/tun")...)
		},
		func() (string, error) {
			name := "device-" + s.Mark
			defer os.Remove(name)
			if err := unix.Mknod(name, unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3))); err != nil {
				return "", err
			}
			f, err := os.Open(name)
			if err == nil {
				f.Close()
			}
			return got(err, "made a device")
		},
	)
}

func openAll(flag int, paths ...string) (string, error) {
	var tries []func() (string, error)
	for _, path := range paths {
		tries = append(tries, func() (string, error) {
			f, err := os.OpenFile(path, flag|unix.O_NONBLOCK, 0)
			if err == nil {
				f.Close()
			}
			return got(err, "opened %s", path)
		})
	}
	return every(tries...)
}
