package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// timed runs a command and returns its own processor time, without that of its children; that of it and of all whom it and they
// have waited for; and how long it ran.
func timed(cmd *exec.Cmd) (own, all, wall time.Duration, err error) {
	var kept bytes.Buffer
	cmd.Stdout, cmd.Stderr = &kept, &kept
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, 0, 0, err
	}
	// Until it is waited for, its times stand in /proc, those of children it has waited for apart.
	for {
		err = unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			break
		}
	}
	wall = time.Since(began)
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
	if err := cmd.Wait(); err != nil {
		return 0, 0, 0, fmt.Errorf("%v: %w\n%s", cmd.Args, err, tailOf(kept.String()))
	}
	if err != nil {
		return 0, 0, 0, err
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	for _, ticks := range fields[11:13] { // utime and stime, in hundredths of a second
		n, err := strconv.Atoi(ticks)
		if err != nil {
			return 0, 0, 0, err
		}
		own += time.Duration(n) * 10 * time.Millisecond
	}
	return own, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), wall, nil
}

func tailOf(s string) string { return s[max(0, len(s)-1000):] }

// processorTime is what this process has used.
func processorTime() time.Duration {
	var used unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
