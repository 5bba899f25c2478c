package attack

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// setUpText is a set-up as players send it, and as the referee keeps it.
var setUpText = regexp.MustCompile(`\(\(A1 [1-9LBF]\) \(`)

// memory reads the memory of others: through /proc, and by the system call that debuggers use.
func memory(s *Scene) (string, error) {
	return s.each(func(t target) (string, error) {
		return every(
			func() (string, error) {
				file, err := os.Open(t.proc("mem"))
				if err != nil {
					return "", fmt.Errorf("memory of %v: %w", t, err)
				}
				defer file.Close()
				n, setUp := search(file, t)
				return fmt.Sprintf("opened the memory of %v and read %d bytes; a set-up in it: %q", t, n, setUp), nil
			},
			func() (string, error) {
				page := make([]byte, 1)
				_, err := unix.ProcessVMReadv(t.pid, []unix.Iovec{{Base: &page[0], Len: 1}}, []unix.RemoteIovec{{Base: 1 << 20, Len: 1}}, 0)
				if errors.Is(err, unix.EFAULT) { // nothing is there; whoever may not ask is told so first
					err = nil
				}
				return got(err, "process_vm_readv of %v", t)
			},
		)
	})
}

// search looks for a set-up in what a process has written to.
func search(memory io.ReaderAt, t target) (bytesRead int, setUp string) {
	maps, _ := os.ReadFile(t.proc("maps"))
	for line := range strings.Lines(string(maps)) {
		var from, to int64
		var rights string
		fmt.Sscanf(line, "%x-%x %s", &from, &to, &rights)
		if !strings.HasPrefix(rights, "rw") || bytesRead > 64<<20 {
			continue
		}
		part := make([]byte, min(to-from, 16<<20))
		n, _ := memory.ReadAt(part, from)
		bytesRead += n
		if setUp = string(setUpText.Find(part[:n])); setUp != "" {
			break
		}
	}
	return bytesRead, setUp
}

// tellTale reads what /proc tells of others that the kernel keeps from strangers.
func tellTale(s *Scene) (string, error) {
	return s.each(func(t target) (string, error) {
		var tries []func() (string, error)
		for _, name := range []string{"environ", "maps", "smaps", "auxv", "io", "syscall", "stack", "pagemap"} {
			tries = append(tries, func() (string, error) {
				file, err := os.Open(t.proc(name))
				if err != nil {
					return "", err
				}
				defer file.Close()
				n, err := file.Read(make([]byte, 512))
				if n == 0 {
					return "", fmt.Errorf("%s of %v: %w", name, t, err)
				}
				return fmt.Sprintf("%s of %v", name, t), nil
			})
		}
		for _, name := range []string{"root", "cwd", "exe"} {
			tries = append(tries, func() (string, error) {
				link, err := os.Readlink(t.proc(name))
				if err != nil {
					return "", err
				}
				_, err = os.Stat(t.proc(name))
				return got(err, "%s of %v leads to %s", name, t, link)
			})
		}
		return every(tries...)
	})
}

// countFiles learns how many files others have open, and their numbers.
func countFiles(s *Scene) (string, error) {
	return s.each(func(t target) (string, error) {
		var tries []func() (string, error)
		for _, name := range []string{"fd", "fdinfo", "map_files", "ns"} {
			tries = append(tries, func() (string, error) {
				entries, err := os.ReadDir(t.proc(name))
				return got(err, "%d names in %s of %v", len(entries), name, t)
			})
		}
		return every(tries...)
	})
}

// commandLines finds out that there are others at all, and what they were told.
func commandLines(s *Scene) (string, error) {
	for _, pid := range processes() {
		if pid == s.Referee || pid == s.Warden {
			if line := command(pid); strings.Contains(line, s.Mark) {
				return fmt.Sprintf("the command line of process %d: %.80q", pid, line), nil
			}
		}
	}
	return "", errors.New("no process but the attacker's own names the test")
}

// streams opens the standard streams and all other files of others.
func streams(s *Scene) (string, error) {
	return s.each(func(t target) (string, error) {
		var tries []func() (string, error)
		for fd := range 24 {
			tries = append(tries, func() (string, error) {
				path := t.proc("fd/" + strconv.Itoa(fd))
				file, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
				if err != nil {
					return "", err
				}
				file.Close()
				link, _ := os.Readlink(path)
				return fmt.Sprintf("opened %d (%s) of %v", fd, link, t), nil
			})
		}
		return every(tries...)
	})
}

// takeFiles copies the descriptors of others, as pidfd_getfd allows.
func takeFiles(s *Scene) (string, error) {
	return s.each(func(t target) (string, error) {
		handle, err := unix.PidfdOpen(t.pid, 0)
		if err != nil {
			return "", err
		}
		defer unix.Close(handle)
		for fd := range 16 {
			var stolen int
			if stolen, err = unix.PidfdGetfd(handle, fd, 0); err == nil {
				unix.Close(stolen)
				return fmt.Sprintf("took descriptor %d of %v", fd, t), nil
			}
		}
		return "", fmt.Errorf("descriptors of %v: %w", t, err)
	})
}

// opponentStream writes to a standard stream of the opponent, once.
func opponentStream(fd int, text string) func(*Scene) (string, error) {
	return againstOpponent(fmt.Sprintf("wrote %q to descriptor %d of", text, fd), func(pid int) error {
		file, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/%d", pid, fd), os.O_WRONLY|unix.O_NONBLOCK, 0)
		if err != nil {
			return err
		}
		defer file.Close()
		_, err = file.WriteString(text)
		return err
	})
}

// inherited are descriptors that the program was started with, besides its standard streams: what this process has
// without its own doing.
func inherited(*Scene) (string, error) {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return "", err
	}
	var evidence []string
	for _, e := range entries {
		fd, _ := strconv.Atoi(e.Name())
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		if fd > 2 && err == nil && flags&unix.FD_CLOEXEC == 0 { // the runtime's own are closed by exec
			link, _ := os.Readlink("/proc/self/fd/" + e.Name())
			evidence = append(evidence, fmt.Sprintf("descriptor %d is %s", fd, link))
		}
	}
	return strings.Join(evidence, "; "), nil
}

// writeProc writes what stands there already into the settings of others.
func writeProc(s *Scene) (string, error) {
	return s.each(func(t target) (string, error) {
		var tries []func() (string, error)
		for _, name := range []string{"oom_score_adj", "timerslack_ns", "coredump_filter", "comm", "autogroup"} {
			tries = append(tries, func() (string, error) {
				return got(rewrite(t.proc(name)), "%s of %v can be written", name, t)
			})
		}
		return every(tries...)
	})
}

// rewrite writes a file's content back into it.
func rewrite(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.Write(bytes.TrimSpace(text))
	return err
}

// settings writes the machine's settings back as they are, and opens what would be worse.
func settings(*Scene) (string, error) {
	var tries []func() (string, error)
	for _, name := range []string{
		"kernel/hostname", "kernel/core_pattern", "kernel/pid_max", "kernel/printk_ratelimit", "vm/swappiness", "net/ipv4/ip_forward", "fs/file-max",
		"kernel/yama/ptrace_scope", "kernel/shmmni", "kernel/ngroups_max",
	} {
		tries = append(tries, func() (string, error) {
			return got(rewrite("/proc/sys/"+name), "/proc/sys/%s can be written", name)
		})
	}
	for _, name := range []string{
		"/proc/sysrq-trigger", "/proc/kcore", "/proc/kmsg", "/proc/kpageflags", "/proc/timer_list", "/sys/power/state", "/sys/kernel/mm/ksm/run",
		"/sys/kernel/debug/sched/features", "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/unified/cgroup.procs", "/sys/fs/cgroup/pids/cgroup.procs",
	} {
		tries = append(tries, func() (string, error) {
			flags := os.O_WRONLY
			if name == "/proc/kcore" || name == "/proc/kmsg" || name == "/proc/kpageflags" || name == "/proc/timer_list" {
				flags = os.O_RDONLY
			}
			file, err := os.OpenFile(name, flags|unix.O_NONBLOCK, 0)
			if err == nil {
				file.Close()
			}
			return got(err, "%s can be opened", name)
		})
	}
	return every(tries...)
}

// harmlessNames are variables of tests, and the one by which the check finds processes that outlive their game.
var harmlessNames = []string{"LUZHANQI_NIGHTLY", "LUZHANQI_NO_SKIP", "LUZHANQI_STRESS", "LUZHANQI_CHECK_GAME"}

// environment looks for what is not meant for players.
func environment(s *Scene) (string, error) {
	var found []string
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		for _, word := range []string{"TOKEN", "SECRET", "NKEY", "NATS", "LUZHANQI_"} {
			if strings.Contains(name, word) && !slices.Contains(harmlessNames, name) {
				found = append(found, name)
			}
		}
	}
	return strings.Join(found, "; "), nil
}

// initProcess goes through the first process that it sees, its own supervisor if it is enclosed, to what that one
// still has open or mounted.
func initProcess(s *Scene) (string, error) {
	return every(
		func() (string, error) {
			_, err := os.Stat("/proc/1/root" + s.near("secret"))
			return got(err, "the file system of process 1 has the test's secret")
		},
		func() (string, error) {
			entries, err := os.ReadDir("/proc/1/fd")
			if err != nil || len(entries) == 0 {
				return "", err
			}
			return fmt.Sprintf("process 1 has %d files", len(entries)), nil
		},
		func() (string, error) {
			file, err := os.OpenFile("/proc/1/mem", os.O_RDWR, 0)
			if err != nil {
				return "", err
			}
			file.Close()
			return "the memory of process 1", nil
		},
		func() (string, error) {
			text, err := os.ReadFile("/proc/1/environ")
			if len(text) == 0 {
				return "", err
			}
			return "the environment of process 1", nil
		},
	)
}

// compared asks the kernel whether a file of the referee is one of ours: it answers only those who may look.
func compared(s *Scene) (string, error) {
	return s.each(func(t target) (string, error) {
		n, _, e := unix.Syscall6(unix.SYS_KCMP, uintptr(unix.Getpid()), uintptr(t.pid), 0, 0, 0, 0)
		return got(errno(e), "kcmp with %v says %d", t, n)
	})
}

// robust asks for the list of locks of another process.
func robust(pid int) error {
	var head, length uintptr
	return syscall3(unix.SYS_GET_ROBUST_LIST, uintptr(pid), uintptr(unsafe.Pointer(&head)), uintptr(unsafe.Pointer(&length)))
}
