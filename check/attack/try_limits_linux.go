package attack

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// changeLimits sets what others may have of the processors, and other limits, to what is set already.
func changeLimits(s *Scene) (string, error) {
	return s.each(func(o Someone) (string, error) {
		tries := []func() (string, error){
			func() (string, error) {
				var limit unix.Rlimit
				if err := unix.Prlimit(o.PID, unix.RLIMIT_NOFILE, nil, &limit); err != nil {
					return "", err
				}
				return Got(unix.Prlimit(o.PID, unix.RLIMIT_NOFILE, &limit, nil), "prlimit of %s", o)
			},
			func() (string, error) {
				now, err := unix.Getpriority(unix.PRIO_PROCESS, o.PID)
				if err != nil {
					return "", err
				}
				return Got(unix.Setpriority(unix.PRIO_PROCESS, o.PID, 20-now), "setpriority of %s", o)
			},
			func() (string, error) { return moveOther(o) },
			func() (string, error) {
				attributes, err := unix.SchedGetAttr(o.PID, 0)
				if err != nil {
					return "", err
				}
				return Got(unix.SchedSetAttr(o.PID, attributes, 0), "sched_setattr of %s", o)
			},
			func() (string, error) {
				class, _, errno := unix.Syscall(unix.SYS_IOPRIO_GET, ioprioWhoProcess, uintptr(o.PID), 0)
				if errno != 0 {
					return "", errno
				}
				return Got(call(unix.SYS_IOPRIO_SET, ioprioWhoProcess, uintptr(o.PID), class), "ioprio_set of %s", o)
			},
		}
		for _, name := range []string{"oom_score_adj", "timerslack_ns", "coredump_filter", "comm", "autogroup"} {
			tries = append(tries, func() (string, error) {
				return Got(rewrite(o.Proc(name)), "/proc/PID/%s of %s", name, o)
			})
		}
		return Every(tries...)
	})
}

const ioprioWhoProcess = 1

// moveOther takes processors from another process, if it has several, and gives them back. That the call reports success
// proves nothing.
func moveOther(o Someone) (string, error) {
	var had, fewer, now unix.CPUSet
	if err := unix.SchedGetaffinity(o.PID, &had); err != nil {
		return "", err
	}
	for cpu := 0; fewer.Count() == 0 && cpu < 1024; cpu++ {
		if had.IsSet(cpu) {
			fewer.Set(cpu)
		}
	}
	if err := unix.SchedSetaffinity(o.PID, &fewer); err != nil {
		return "", err
	}
	unix.SchedGetaffinity(o.PID, &now)
	unix.SchedSetaffinity(o.PID, &had)
	if now == had {
		return "", fmt.Errorf("%s has the processors that it had", o)
	}
	return fmt.Sprintf("moved %s to %d of its %d processors", o, now.Count(), had.Count()), nil
}

// rewrite writes a file's content back into it.
func rewrite(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(bytes.TrimSpace(text))
	return err
}

// affinity moves to one of its processors, and to those that it was not given. It looks whether it has what it has asked
// for: it may have been told so only.
func affinity(*Scene) (string, error) {
	runtime.LockOSThread()
	var given, one, others unix.CPUSet
	if err := unix.SchedGetaffinity(0, &given); err != nil {
		return "", err
	}
	for cpu := range runtime.NumCPU() {
		if given.IsSet(cpu) && one.Count() == 0 {
			one.Set(cpu)
		}
	}
	for cpu := range 64 {
		if !given.IsSet(cpu) {
			others.Set(cpu)
		}
	}
	move := func(to unix.CPUSet) func() (string, error) {
		return func() (string, error) {
			var now unix.CPUSet
			err := errors.Join(unix.SchedSetaffinity(0, &to), unix.SchedGetaffinity(0, &now))
			if err == nil && now == given {
				return "", errors.New("its processors are the same as before")
			}
			return Got(err, "has moved from %d processors to %d", given.Count(), now.Count())
		}
	}
	if given.Count() < 2 {
		return move(others)()
	}
	return Every(move(others), move(one))
}

// priority gives the attacker more of the processors than its opponent has.
func priority(*Scene) (string, error) {
	runtime.LockOSThread()
	return Every(
		func() (string, error) { return Got(unix.Setpriority(unix.PRIO_PROCESS, 0, -1), "setpriority") },
		func() (string, error) {
			return Got(unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1}, 0), "real-time scheduling")
		},
		func() (string, error) {
			const realtime = 1 << 13 // class 1
			return Got(call(unix.SYS_IOPRIO_SET, ioprioWhoProcess, 0, realtime), "real-time input and output")
		},
		func() (string, error) {
			return Got(os.WriteFile("/proc/self/oom_score_adj", []byte("-1"), 0), "others are killed first when memory is short")
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
			return Got(unix.Prlimit(0, unix.RLIMIT_RTPRIO, &limit, nil), "hard limits can be raised")
		},
		func() (string, error) {
			// Whoever shares a processor's threads with nobody takes them from everybody.
			return Got(unix.Prctl(unix.PR_SCHED_CORE, unix.PR_SCHED_CORE_CREATE, 0, unix.PR_SCHED_CORE_SCOPE_THREAD, 0), "both threads of a processor")
		},
	)
}

// hoardSignals sends itself signals that it does not take, of which the kernel keeps as many as their user may have.
func hoardSignals(*Scene) (string, error) {
	const realtime, enough = 40, 4000
	runtime.LockOSThread()
	var blocked unix.Sigset_t
	blocked.Val[0] = 1 << (realtime - 1)
	if err := unix.PthreadSigmask(unix.SIG_BLOCK, &blocked, nil); err != nil {
		return "", err
	}
	info := struct {
		number, errno, code int32
		_                   [29]int32
	}{number: realtime, code: -1} // SI_QUEUE
	for n := range enough {
		_, _, errno := unix.Syscall6(unix.SYS_RT_TGSIGQUEUEINFO, uintptr(unix.Getpid()), uintptr(unix.Gettid()), realtime, uintptr(unsafe.Pointer(&info)), 0, 0)
		if errno != 0 {
			return "", fmt.Errorf("after %d signals: %w", n, errno)
		}
	}
	return fmt.Sprintf("%d signals wait", enough), nil
}
