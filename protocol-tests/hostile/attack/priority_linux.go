package attack

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// priorities sets what others may have of the processors to what they have.
func priorities(s *Scene) (string, error) {
	return s.each(func(t target) (string, error) {
		return every(
			func() (string, error) {
				raw, err := unix.Getpriority(unix.PRIO_PROCESS, t.pid)
				if err != nil {
					return "", err
				}
				return got(unix.Setpriority(unix.PRIO_PROCESS, t.pid, 20-raw), "setpriority on %v", t)
			},
			func() (string, error) { return moveOther(t) },
			func() (string, error) {
				attributes, err := unix.SchedGetAttr(t.pid, 0)
				if err != nil {
					return "", err
				}
				return got(unix.SchedSetAttr(t.pid, attributes, 0), "sched_setattr on %v", t)
			},
			func() (string, error) {
				const ioprioWhoProcess = 1
				class, _, e := unix.Syscall(unix.SYS_IOPRIO_GET, ioprioWhoProcess, uintptr(t.pid), 0)
				if e != 0 {
					return "", e
				}
				return got(syscall3(unix.SYS_IOPRIO_SET, ioprioWhoProcess, uintptr(t.pid), class), "ioprio_set on %v", t)
			},
			func() (string, error) {
				var limit unix.Rlimit
				if err := unix.Prlimit(t.pid, unix.RLIMIT_NOFILE, nil, &limit); err != nil {
					return "", err
				}
				return got(unix.Prlimit(t.pid, unix.RLIMIT_NOFILE, &limit, nil), "set the limits of %v", t)
			},
		)
	})
}

// moveOther takes a processor from another process, if it has several, and gives it back. That the call reports success
// proves nothing.
func moveOther(t target) (string, error) {
	var had, now unix.CPUSet
	if err := unix.SchedGetaffinity(t.pid, &had); err != nil {
		return "", err
	}
	fewer := had
	for cpu := range 1024 {
		if fewer.Count() > 1 && fewer.IsSet(cpu) {
			fewer.Clear(cpu)
		}
	}
	if err := unix.SchedSetaffinity(t.pid, &fewer); err != nil {
		return "", err
	}
	unix.SchedGetaffinity(t.pid, &now)
	unix.SchedSetaffinity(t.pid, &had)
	if now == had {
		return "", fmt.Errorf("%v has the processors that it had", t)
	}
	return fmt.Sprintf("moved %v to %d of its %d processors", t, now.Count(), had.Count()), nil
}

// ahead gives the attacker more of the processors than its opponent has.
func ahead(*Scene) (string, error) {
	return every(
		func() (string, error) {
			return got(unix.Setpriority(unix.PRIO_PROCESS, 0, -5), "nice -5")
		},
		func() (string, error) {
			return got(unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1}, 0), "real-time scheduling")
		},
		func() (string, error) {
			const realtime = 1 << 13 // class 1
			return got(syscall3(unix.SYS_IOPRIO_SET, 1, 0, realtime), "real-time I/O")
		},
		func() (string, error) {
			return got(os.WriteFile("/proc/self/oom_score_adj", []byte("-1"), 0), "others are killed first when memory is short")
		},
		func() (string, error) {
			var limit unix.Rlimit
			if err := unix.Getrlimit(unix.RLIMIT_RTPRIO, &limit); err != nil {
				return "", err
			}
			if limit.Max > 1<<40 { // who has such a limit needs no power to raise it
				return "", nil
			}
			limit.Max++
			return got(unix.Prlimit(0, unix.RLIMIT_RTPRIO, &limit, nil), "hard limits can be raised")
		},
	)
}

// elsewhere moves the attacker to processors that it was not given.
func elsewhere(*Scene) (string, error) {
	var given, all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &given); err != nil {
		return "", err
	}
	online, err := os.ReadFile("/sys/devices/system/cpu/online")
	if err != nil {
		online = []byte("0-63")
	}
	all.Zero()
	var first, last int
	if n, _ := fmt.Sscanf(strings.TrimSpace(string(online)), "%d-%d", &first, &last); n < 2 {
		return "", errors.New("there is one processor only")
	}
	for cpu := first; cpu <= last; cpu++ {
		if !given.IsSet(cpu) {
			all.Set(cpu)
		}
	}
	if all.Count() == 0 {
		return "", errors.New("it was given all processors")
	}
	if err := unix.SchedSetaffinity(0, &all); err != nil {
		return "", fmt.Errorf("move to another processor: %w", err)
	}
	var now unix.CPUSet
	unix.SchedGetaffinity(0, &now)
	if now == given {
		return "", errors.New("moved, and yet is where it was")
	}
	return fmt.Sprintf("moved from %d processors to %d others", given.Count(), now.Count()), nil
}

// doors are those of the kernel that have been broken often.
func doors(*Scene) (string, error) {
	return every(
		func() (string, error) {
			parameters := make([]byte, 120)
			fd, _, e := unix.Syscall(unix.SYS_IO_URING_SETUP, 8, uintptr(unsafe.Pointer(&parameters[0])), 0)
			if e == 0 {
				unix.Close(int(fd))
			}
			return got(errno(e), "io_uring, whose calls no filter sees")
		},
		func() (string, error) {
			attr := [16]uint32{2, 4, 8, 1} // an array of one value
			fd, _, e := unix.Syscall(unix.SYS_BPF, 0, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr))
			if e == 0 {
				unix.Close(int(fd))
			}
			return got(errno(e), "bpf")
		},
		func() (string, error) {
			clock := unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Size: unix.PERF_ATTR_SIZE_VER0, Config: unix.PERF_COUNT_SW_CPU_CLOCK}
			fd, err := unix.PerfEventOpen(&clock, -1, 0, -1, 0)
			if err == nil {
				unix.Close(fd)
			}
			return got(err, "perf events of a whole processor")
		},
		func() (string, error) {
			fd, _, e := unix.Syscall(unix.SYS_USERFAULTFD, 0, 0, 0)
			if e == 0 {
				unix.Close(int(fd))
			}
			return got(errno(e), "userfaultfd for the kernel's faults")
		},
		func() (string, error) {
			fd, err := unix.FanotifyInit(unix.FAN_CLASS_CONTENT, 0)
			if err == nil {
				unix.Close(fd)
			}
			return got(err, "fanotify, which holds up others")
		},
	)
}
