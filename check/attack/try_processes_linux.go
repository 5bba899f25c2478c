package attack

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

func seeProcesses(s *scene) (string, error) {
	return s.each(func(o someone) (string, error) {
		if !o.is() {
			return "", fmt.Errorf("no process %d", o.PID)
		}
		return fmt.Sprintf("%s is process %d", o.Name, o.PID), nil
	})
}

// signal sends what does nothing.
func sendSignals(s *scene) (string, error) {
	return s.each(func(o someone) (string, error) {
		return every(
			func() (string, error) { return got(unix.Kill(o.PID, 0), "kill reaches %s", o.Name) },
			func() (string, error) {
				return got(unix.Tgkill(o.PID, o.PID, unix.SIGURG), "tgkill reaches %s", o.Name)
			},
			func() (string, error) {
				fd, err := unix.PidfdOpen(o.PID, 0)
				if err != nil {
					return "", err
				}
				defer unix.Close(fd)
				return got(unix.PidfdSendSignal(fd, 0, nil, 0), "pidfd_send_signal reaches %s", o.Name)
			},
		)
	})
}

// trace lets go by ending.
func trace(s *scene) (string, error) {
	runtime.LockOSThread()
	return s.each(func(o someone) (string, error) {
		_, _, errno := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(o.PID), 0, 0, 0, 0)
		return got(failure(errno), "ptrace of %s", o.Name)
	})
}

// failure is nil for 0.
func failure(errno unix.Errno) error {
	if errno == 0 {
		return nil
	}
	return errno
}

func readMemory(s *scene) (string, error) {
	if s.Referee.other() {
		return "", fmt.Errorf("process %d is not the referee here", s.Referee.PID)
	}
	return every(
		func() (string, error) {
			f, err := os.Open(s.Referee.proc("mem"))
			if err != nil {
				return "", err
			}
			defer f.Close()
			text := make([]byte, s.Length)
			if _, err := f.ReadAt(text, int64(s.Memory)); err != nil {
				return "", err
			}
			return s.proof(text, "/proc/PID/mem")
		},
		func() (string, error) {
			text := make([]byte, s.Length)
			local := []unix.Iovec{{Base: &text[0]}}
			local[0].SetLen(len(text))
			remote := []unix.RemoteIovec{{Base: s.Memory, Len: len(text)}}
			if _, err := unix.ProcessVMReadv(s.Referee.PID, local, remote, 0); err != nil {
				return "", err
			}
			return s.proof(text, "process_vm_readv")
		},
	)
}

func (s *scene) proof(text []byte, by string) (string, error) {
	if !s.secret(text) {
		return "", errors.New(by + " read something else")
	}
	return by + " read the secret", nil
}

func descriptors(s *scene) (string, error) {
	return s.each(func(o someone) (string, error) {
		return every(
			func() (string, error) {
				for fd := range 3 { // how many there are is no secret
					if link, err := os.Readlink(o.proc(fmt.Sprintf("fd/%d", fd))); err == nil {
						return fmt.Sprintf("descriptor %d of %s is %s", fd, o.Name, link), nil
					}
				}
				f, err := os.OpenFile(o.proc("fd/0"), os.O_RDONLY|unix.O_NONBLOCK, 0)
				if err == nil {
					f.Close()
				}
				return got(err, "opened descriptor 0 of %s", o.Name)
			},
			func() (string, error) {
				fd, err := unix.PidfdOpen(o.PID, 0)
				if err != nil {
					return "", err
				}
				defer unix.Close(fd)
				stolen, err := unix.PidfdGetfd(fd, 0, 0)
				if err == nil {
					unix.Close(stolen)
				}
				return got(err, "pidfd_getfd of %s", o.Name)
			},
		)
	})
}

func environment(s *scene) (string, error) {
	if s.Referee.other() {
		return "", fmt.Errorf("process %d is not the referee here", s.Referee.PID)
	}
	text, err := os.ReadFile(s.Referee.proc("environ"))
	if err == nil && len(text) == 0 {
		return "", errors.New("it is empty")
	}
	return got(err, "%d bytes", len(text))
}

// writeOutput writes into the standard output of whoever runs as the opponent.
func writeOutput(s *scene) (string, error) {
	if s.Opponent.other() {
		return "", fmt.Errorf("process %d is not the opponent here", s.Opponent.PID)
	}
	f, err := os.OpenFile(s.Opponent.proc("fd/1"), os.O_WRONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	_, err = f.WriteString("(resign) " + s.Mark + "\n")
	return got(err, "wrote into the opponent's output")
}

// changeLimits sets what is set already.
func changeLimits(s *scene) (string, error) {
	return s.each(func(o someone) (string, error) {
		return every(
			func() (string, error) {
				var limit unix.Rlimit
				if err := unix.Prlimit(o.PID, unix.RLIMIT_CORE, nil, &limit); err != nil {
					return "", err
				}
				return got(unix.Prlimit(o.PID, unix.RLIMIT_CORE, &limit, nil), "prlimit of %s", o.Name)
			},
			func() (string, error) {
				now, err := unix.Getpriority(unix.PRIO_PROCESS, o.PID)
				if err != nil {
					return "", err
				}
				return got(unix.Setpriority(unix.PRIO_PROCESS, o.PID, 20-now), "setpriority of %s", o.Name)
			},
			func() (string, error) {
				var parameter int32
				_, _, errno := unix.RawSyscall(unix.SYS_SCHED_SETSCHEDULER, uintptr(o.PID), 0, uintptr(unsafe.Pointer(&parameter)))
				return got(failure(errno), "sched_setscheduler of %s", o.Name)
			},
			func() (string, error) {
				return got(rewrite(o.proc("oom_score_adj")), "/proc/PID/oom_score_adj of %s", o.Name)
			},
		)
	})
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

// outlive leaves a process that has left its family.
func outlive(s *scene) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	null, err := os.OpenFile("/dev/null", os.O_RDWR, 0)
	if err != nil {
		return "", err
	}
	defer null.Close()
	_, err = os.StartProcess(self, []string{self, attackerWord, doesOutlive + s.Mark, filepath.Base(s.Own)}, &os.ProcAttr{
		Files: []*os.File{null, null, null}, Sys: &unix.SysProcAttr{Setsid: true},
	})
	return "", err // whether it does, the observer sees
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
