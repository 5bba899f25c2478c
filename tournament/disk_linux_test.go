package tournament

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// onDisk runs the tournament of role run on a small disk of its own, by a script in which $RUN is the
// command and $DISK the disk.
func onDisk(t *testing.T, size, script string) (said string, err error) {
	t.Helper()
	disk := t.TempDir()
	text, _ := json.Marshal(Options{Dir: filepath.Join(disk, "store"), Concurrency: 2, Pin: "off"})
	cmd := exec.Command("sh", "-c", "mount -t tmpfs -o size="+size+" none $DISK || exit 99\n"+script)
	cmd.Env = append(os.Environ(), "DISK="+disk, "RUN="+os.Args[0], "OUT="+t.TempDir(), roleVariable+"=run", optionVariable+"="+string(text), gamesVariable+"=4")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() == 99 {
		t.Skipf("no disk can be mounted here: %v %s", err, out)
	}
	return string(out), err
}

// A disk that is full stops the tournament with a clear error, whoever notices it first, and nothing that was
// stored is lost.
func TestFullDisk(t *testing.T) {
	for _, size := range []string{"128k", "256k", "384k", "512k"} {
		t.Run(size, func(t *testing.T) {
			t.Parallel()
			said, err := onDisk(t, size, `
				"$RUN" && exit 1
				echo "failed as expected"
				mount -o remount,size=200m none $DISK && "$RUN" && echo completed`)
			clear := strings.Contains(said, "the disk is full") || strings.Contains(said, "no room on its disk")
			if err != nil || !clear || !strings.Contains(said, "failed as expected") || !strings.Contains(said, "completed") {
				t.Errorf("%v\n%s", err, said)
			}
		})
	}
}

func TestReadOnlyDisk(t *testing.T) {
	said, err := onDisk(t, "512k", `
		mount -o remount,ro none $DISK
		"$RUN" && exit 1
		exit 0`)
	if err != nil || !strings.Contains(said, "read-only") {
		t.Errorf("%v\n%s", err, said)
	}
}
