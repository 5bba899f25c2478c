package assault

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// forked returns twice: true in a new process, in which only bare system calls may follow.
//
//go:nosplit
func forked() bool {
	pid, _, e := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	return e == 0 && pid == 0
}

//go:nosplit
func sleepRaw(t *unix.Timespec) {
	unix.RawSyscall(unix.SYS_NANOSLEEP, uintptr(unsafe.Pointer(t)), 0, 0)
}

// serve is the life of a daemon.
func serve(order string) int {
	does, argument, _ := strings.Cut(order, ":")
	unix.Prctl(unix.PR_SET_PDEATHSIG, 0, 0, 0, 0)
	unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	name := []byte("luzhanqi-superv\x00")
	unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(&name[0])), 0, 0, 0)
	ignoreAll()
	switch does {
	case "stopper":
		if pid, err := strconv.Atoi(argument); err == nil {
			stopper(pid)
		}
	case "holder", "sleeper":
		time.Sleep(daemonLife)
	}
	return 0
}

// ignoreAll ignores every signal that can be ignored.
func ignoreAll() {
	for signal := 1; signal < 65; signal++ {
		if s := unix.Signal(signal); s != unix.SIGCHLD && s != unix.SIGURG {
			action := [4]uint64{1} // SIG_IGN
			unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(s), uintptr(unsafe.Pointer(&action)), 0, 8, 0, 0)
		}
	}
}

// leaveFamily leaves a daemon that holds the player's streams, one that runs from memory, one below another subreaper,
// and timers that would end or wake whoever has them.
func leaveFamily(s *Scene) (string, error) {
	_, err := daemon(s, "sleeper", "streams")
	if err == nil {
		err = fromMemory()
	}
	for range 3 {
		breed(10, 300*time.Millisecond)
	}
	return "", err
}

// fromMemory starts a daemon whose program has no file.
func fromMemory() error {
	text, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		return err
	}
	fd, err := unix.MemfdCreate("hostile-memory", 0)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(fd), "memory")
	defer f.Close()
	if _, err := f.Write(text); err != nil {
		return err
	}
	c := &exec.Cmd{
		Path: fmt.Sprintf("/proc/self/fd/%d", fd), Args: []string{"x", "-pids", "", "-descendant", daemonKind + "sleeper:memory"}, Env: []string{},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	return c.Start()
}
